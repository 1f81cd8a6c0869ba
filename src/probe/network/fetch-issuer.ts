import { X509Certificate } from "node:crypto";
import { createNewestMap } from "../../model/bounded-map.ts";
import { MINUTE_MS, SECOND_MS } from "../../model/time.ts";
import { SERVICE_LIMITS } from "../limits.ts";
import {
  type FetchIssuer,
  type HopDependencies,
  sendRequest,
  startNotes,
} from "./single-request.ts";

/** A certificate has one or two kilobytes. */
const MAX_BYTES = 64 * 1024;
const TOTAL_MS = 4 * SECOND_MS;

/** Of addresses; a stranger's certificate can name any. */
const MAX_KNOWN = 256;

/** What could not be had is tried again after so long. */
const AGAIN_MS = 10 * MINUTE_MS;

interface Known {
  readonly atMs: number;
  readonly found: Promise<X509Certificate | undefined>;
}

/**
 * Fetches what servers should have sent, as browsers do, once for each address. A certificate is a stranger's, so the address passes the
 * guard of URLs of strangers, and what comes is a stranger's too.
 */
export function createIssuerFetcher(
  deps: HopDependencies,
  refusalOfUrl: (url: URL) => string | undefined,
): FetchIssuer {
  const known = createNewestMap<string, Known>(MAX_KNOWN);
  return async (url, signal) => {
    const before = known.get(url);
    const nowMs = performance.now();
    if (before !== undefined) {
      const issuer = await before.found;
      if (issuer !== undefined || nowMs - before.atMs < AGAIN_MS) return issuer;
    }
    const found = fetchIssuer(url, deps, refusalOfUrl, signal);
    known.set(url, { atMs: nowMs, found });
    return found;
  };
}

async function fetchIssuer(
  text: string,
  deps: HopDependencies,
  refusalOfUrl: (url: URL) => string | undefined,
  signal: AbortSignal,
): Promise<X509Certificate | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || refusalOfUrl(url) !== undefined) return undefined;
  const limits = { ...SERVICE_LIMITS, totalMs: TOTAL_MS, bodyBytes: MAX_BYTES };
  const budget = { attempt: 0, deadlineMs: performance.now() + TOTAL_MS, signal };
  const { fetchIssuer: _, ...rest } = deps;
  const answer = await sendRequest(url, "public", { ...rest, limits }, budget, startNotes());
  if (answer.kind !== "answer" || answer.status !== 200) return undefined;
  try {
    return new X509Certificate(answer.body);
  } catch {
    return undefined;
  }
}
