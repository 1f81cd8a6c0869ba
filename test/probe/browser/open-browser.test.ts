import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import {
  type BrowserPackage,
  openBrowserClient,
  openBrowserPool,
} from "../../../src/probe/browser/open-browser.ts";
import { listen } from "../../simulated-internet/front.ts";
import { startSimulatedInternet } from "../../simulated-internet/simulated-internet.ts";
import { NEVER } from "../harness.ts";
import { isInstalled, targetOf } from "./harness.ts";

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

test("a pool is open once its client is loaded", async () => {
  let isLoaded = false;
  const loading = delay(20).then(() => void (isLoaded = true));
  const ask = await openBrowserPool(loading);
  expect(isLoaded).toBe(true);
  expect(await ask(targetOf(1), NEVER)).toBeUndefined();
});

test.runIf(isInstalled)("sixteen are asked at once, each host once", async () => {
  const internet = await startSimulatedInternet({ fallback: { kind: "tls-silence" } });
  onTestFinished(() => internet.close());
  const hosts = Array.from({ length: 20 }, (_, index) => `h${index}.test`);
  const connected = (): number => hosts.reduce((sum, host) => sum + internet.connections(host), 0);
  const stop = new AbortController();
  const ask = await openBrowserPool();
  const asked = ["h0.test", ...hosts].map((host) =>
    ask(targetOf(internet.tlsPort, host), stop.signal),
  );
  await expect.poll(connected).toBe(16);
  // More would have come by now.
  await delay(200);
  expect(connected()).toBe(16);
  expect(internet.connections("h0.test")).toBe(1);
  stop.abort();
  expect(new Set(await Promise.all(asked))).toEqual(new Set([undefined]));
});
