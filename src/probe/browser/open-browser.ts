import { SERVICE_LIMITS } from "../limits.ts";
import { createPool } from "../pool.ts";
import { askAsBrowser, type BrowserPackage } from "./ask-as-browser.ts";
import type { AskBrowser } from "./browser-opinion.ts";

/**
 * Loads the client with a browser's ClientHello: docs/probe/browser.md. Nothing of it is loaded without this call. Never throws.
 *
 * @returns undefined if the package is not installed, or has no native part for this system: `load` throws, or rejects.
 */
export async function openBrowserClient({
  load = (): Promise<BrowserPackage> => import("wreq-js"),
  limits = SERVICE_LIMITS,
} = {}): Promise<AskBrowser | undefined> {
  try {
    const loaded = await load();
    return (target, signal) => askAsBrowser(loaded, target, limits, signal);
  } catch {
    return undefined;
  }
}

/** Each takes a megabyte of buffers, and a filter can hold all of them until a time-out. */
const AT_ONCE = 16;

/**
 * The same client, for a bounded number of questions at once; without it no question has an answer. It is loaded before the first
 * question: while probes wait for their answers, the 50 ms that this takes would be added to their times.
 */
export async function openBrowserPool(loading = openBrowserClient()): Promise<AskBrowser> {
  const client = await loading;
  const pool = createPool({ concurrency: AT_ONCE, perHost: 1 });
  return (target, signal) => pool(target.url.host, async () => client?.(target, signal));
}
