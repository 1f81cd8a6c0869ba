import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { CHROMIUM } from "../probe/browser/harness.ts";
import { type H2Server, startH2Server } from "../simulated-internet/h2-server.ts";
import { type HelloBox, HELLO_FILTERS, startHelloBox } from "../simulated-internet/hello-box.ts";
import { ja4Of, shapeOf } from "../simulated-internet/hello-shape.ts";
import { openBrowser } from "./browser.ts";

const TITLE = "Chromium is here";

/** A dropped browser waits much longer. */
const WITHIN_MS = 4_000;

let server: H2Server;
let box: HelloBox;
let browser: Browser | undefined;
beforeAll(async () => {
  server = await startH2Server(`<title>${TITLE}</title>${"x".repeat(100_000)}`);
  box = await startHelloBox(server.port);
});
afterEach(() => browser?.close());
afterAll(async () => {
  await box.close();
  await server.close();
});

/** The title that a browser without any past shows, or nothing. It may not resume a session, for then the ClientHello is another one. */
async function titleInBrowser(): Promise<string> {
  browser = await openBrowser({
    args: [`--host-resolver-rules=MAP *.test 127.0.0.1:${box.port}`],
  });
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  try {
    await page.goto("https://h.test/", { timeout: WITHIN_MS });
    return await page.title();
  } catch {
    return "";
  }
}

test("Chromium sends the captured ClientHello", async () => {
  box.set(undefined);
  expect(await titleInBrowser()).toBe(TITLE);
  expect(server.versions.at(-1)).toBe("2.0");
  const [hello] = box.hellos;
  // Red after an update that changes it: write the new one to chromium-hello.json, and see what the client of the probe lacks.
  const captured = { version: browser?.version(), ja4: ja4Of(hello!), hello: shapeOf(hello!) };
  expect(captured, JSON.stringify(captured)).toMatchObject({
    ja4: CHROMIUM.ja4,
    hello: CHROMIUM.hello,
  });
});

test.each(HELLO_FILTERS)("a filter of those $drops $mark, and Chromium", async (filter) => {
  box.set(filter);
  const title = await titleInBrowser();
  console.log(`${title === "" ? "nothing" : "page"} | ${filter.drops} ${filter.mark}`);
  expect(title).toBe(filter.drops === "having" ? "" : TITLE);
});
