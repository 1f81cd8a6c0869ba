/** How the browser scripts request data from the site. Source: docs/website.md, In the browser. */
import { MINUTE_MS, SECOND_MS } from "../../model/time.ts";

export const POLL_MS: number = MINUTE_MS;
/** Switching between tabs causes no more requests than this allows. */
const MIN_INTERVAL_MS = 10 * SECOND_MS;
export const REQUEST_TIMEOUT_MS: number = 20 * SECOND_MS;

/** An unvalidated object of the API, or the counts that the intake answers. */
export type Fields = Readonly<Record<string, unknown>>;

/** A response that the browser's cache has revalidated. Rejects without a response, or with one that is not a success. */
export async function fetchFresh(url: string | URL, options: RequestInit = {}): Promise<Response> {
  // Some browsers in use lack AbortSignal.timeout.
  const signal = AbortSignal.timeout?.(REQUEST_TIMEOUT_MS);
  const response = await fetch(url, { ...options, cache: "no-cache", signal });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response;
}

interface JsonRequest {
  readonly method: string;
  readonly key?: string | undefined;
  readonly body?: object | undefined;
  readonly etag?: string | null | undefined;
  readonly timeoutMs?: number;
}

/** Asks an operation of the intake. Status 0: no answer; an empty body: no JSON. The intake does not learn the page. Never rejects. */
export async function askJson(url: string, request: JsonRequest) {
  const { method, key, body, etag, timeoutMs = REQUEST_TIMEOUT_MS } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(key && { Authorization: `Bearer ${key}` }),
        ...(body && { "Content-Type": "application/json" }),
        ...(etag && { "If-Match": etag }),
      },
      ...(body && { body: JSON.stringify(body) }),
      referrerPolicy: "no-referrer",
      signal: AbortSignal.timeout?.(timeoutMs),
    });
    const answer: unknown = await response.json().catch(() => null);
    return { status: response.status, body: answer ?? {}, headers: response.headers };
  } catch {
    return { status: 0, body: {}, headers: new Headers() };
  }
}

/** Current time of the server, ms, from a response that may be cached; NaN if its headers may not be read. */
export function serverTimeOf({ headers }: Response): number {
  return Date.parse(headers.get("Date") ?? "") + 1e3 * Number(headers.get("Age"));
}

/** The same work, but never concurrently, more often than `MIN_INTERVAL_MS`, or while the page is hidden. */
export function throttle(work: () => Promise<void>): () => void {
  let isBusy = false;
  let startedAtMs = -Infinity;
  return () => {
    if (isBusy || document.hidden || performance.now() - startedAtMs < MIN_INTERVAL_MS) return;
    isBusy = true;
    startedAtMs = performance.now();
    void work().finally(() => (isBusy = false));
  };
}

/** Does something once a minute, and when the page becomes visible or the network returns. */
export function poll(work: () => void): void {
  document.addEventListener("visibilitychange", work);
  addEventListener("online", work);
  setInterval(work, POLL_MS);
}
