import { expect, test } from "vitest";
import type { BrowserPackage } from "../../../src/probe/browser/ask-as-browser.ts";
import { openBrowserClient } from "../../../src/probe/browser/open-browser.ts";
import { listen } from "../../simulated-internet/front.ts";
import { NEVER } from "../harness.ts";
import { targetOf } from "./harness.ts";

test("without the package there is no client", async () => {
  const load = () => Promise.reject(new Error("Cannot find package 'wreq-js'"));
  expect(await openBrowserClient({ load })).toBeUndefined();
});

test("a native part that does not load is like no package", async () => {
  const load = (): never => {
    throw new Error("Failed to load native module");
  };
  expect(await openBrowserClient({ load })).toBeUndefined();
});

test("a client that fails before it connects has no opinion", async () => {
  const server = await listen(() => {});
  const broken: BrowserPackage = {
    createTransport: () => Promise.reject(new Error("no threads left")),
    fetch: () => Promise.reject(new Error("not reached")),
  };
  const ask = await openBrowserClient({ load: () => Promise.resolve(broken) });
  expect(await ask?.(targetOf(server.port), NEVER)).toBeUndefined();
  await server.close();
});
