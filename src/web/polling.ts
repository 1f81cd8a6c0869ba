/** How the scripts of the browser ask the site. Source: docs/website.md, In the browser. */
import { MINUTE_MS, SECOND_MS } from "../model/time.ts";

export const POLL_MS: number = MINUTE_MS;
/** Somebody who goes to and fro between tabs asks no more often. */
const PAUSE_MS = 10 * SECOND_MS;
/** A request that takes longer has failed. */
export const PATIENCE_MS: number = 20 * SECOND_MS;

/** An answer that no cache gave unasked. Rejects where there is none, or one that is no success. */
export async function ask(url: string | URL, options: RequestInit = {}): Promise<Response> {
  // Some browsers that are in use cannot end a request after a time.
  const signal = AbortSignal.timeout?.(PATIENCE_MS);
  const response = await fetch(url, { ...options, cache: "no-cache", signal });
  if (!response.ok) throw new Error(String(url));
  return response;
}

/** What the clock of the server says now, ms, by an answer that may come out of a cache; NaN where that may not be read. */
export function serverTimeOf({ headers }: Response): number {
  return Date.parse(headers.get("Date") ?? "") + 1e3 * Number(headers.get("Age"));
}

/** The same work, but never twice at once, nor soon after the last time, nor while nobody sees the page. */
export function pace(work: () => Promise<void>): () => void {
  let isBusy = false;
  let startedAtMs = -Infinity;
  return () => {
    if (isBusy || document.hidden || performance.now() - startedAtMs < PAUSE_MS) return;
    isBusy = true;
    startedAtMs = performance.now();
    void work().finally(() => (isBusy = false));
  };
}

/** Does something once a minute, and as soon as somebody comes back to the page, or the network does. */
export function poll(work: () => void): void {
  document.addEventListener("visibilitychange", work);
  addEventListener("online", work);
  setInterval(work, POLL_MS);
}
