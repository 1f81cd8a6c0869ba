import type { BrowserTarget } from "../../../src/probe/browser/browser-opinion.ts";
import { openBrowserClient } from "../../../src/probe/browser/open-browser.ts";
import type { ProbeLimits } from "../../../src/probe/limits.ts";
import { LIMITS, NEVER } from "../harness.ts";
import CHROMIUM from "./chromium-hello.json" with { type: "json" };

/** What a real Chromium sent: `test/system/browser-hello.test.ts` compares it with the one that is installed. */
export { CHROMIUM };

/** Whether the optional package is installed, with a native part for this system: without it, tests of the client are skipped. */
export const isInstalled = (await openBrowserClient()) !== undefined;

/** One opinion. Throws if the package is not installed. */
export async function askBrowser(
  target: BrowserTarget,
  limits: ProbeLimits = LIMITS,
  signal: AbortSignal = NEVER,
) {
  const ask = await openBrowserClient({ limits });
  if (ask === undefined) throw new Error("wreq-js is not installed");
  return await ask(target, signal);
}

/** A host of this machine under a name that no server knows. */
export function targetOf(port: number, name = "h.test"): BrowserTarget {
  return { url: new URL(`https://${name}/`), address: "127.0.0.1", port };
}
