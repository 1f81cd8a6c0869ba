import { textOf } from "../../probe/answer/answer-text.ts";
import { nextHop } from "../../probe/answer/classify-response.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { onlyHop, sendRequest } from "../../probe/network/single-request.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import type { PlaceFinding } from "../../model/monitor/owned-monitor.ts";
import { SECOND_MS } from "../../model/time.ts";

/** Two documents have to fit into the time that a visitor waits. */
const TOTAL_MS = 8 * SECOND_MS;

/** The beginning of a document, or why there is none. */
export type Fetched =
  | { readonly kind: "document"; readonly body: Uint8Array }
  | Extract<PlaceFinding, { kind: "absent" | "elsewhere" | "failed" }>;

export interface PageDependencies extends ProbeDependencies {
  readonly signal: AbortSignal;
  /** Of the whole look, on the clock of `performance.now`. */
  readonly deadlineMs: number;
}

/**
 * Reads at most `bytes` of a document through the guards of a probe: the URL of each hop, and each address before a connection to it.
 * Redirects are followed within the registrable domain, because a redirect elsewhere proves control of the other domain. Never
 * rejects.
 */
export async function fetchPage(
  url: string,
  bytes: number,
  { signal, deadlineMs, ...deps }: PageDependencies,
): Promise<Fetched> {
  const limits = { ...SERVICE_LIMITS, totalMs: TOTAL_MS, firstByteMs: TOTAL_MS, bodyBytes: bytes };
  const nowMs = performance.now();
  if (nowMs >= deadlineMs) return failed("tcp-timeout");
  const endMs = Math.min(deadlineMs, nowMs + TOTAL_MS);
  let next = new URL(url);
  const domain = registrableDomainOf(next.hostname);
  for (let hops = 0; hops <= limits.redirects; hops += 1) {
    if (deps.refusalOfUrl?.(next) !== undefined)
      return failed(hops === 0 ? "url-refused" : "redirect-refused");
    const answer = await sendRequest(onlyHop(next, { ...deps, limits }, signal, endMs));
    if (answer.kind === "skipped") return failed("tcp-unreachable");
    if (answer.kind === "failed") return failed(answer.code);
    const hop = nextHop(answer, next, {}, true, true);
    const text = textOf(answer);
    if (text === "broken") return failed("body-malformed");
    if (hop.kind === "final") return toDocument(answer.status, text.subarray(0, bytes));
    if (hop.kind !== "follow")
      return failed(hop.kind === "malformed" ? "http-malformed" : "redirect-refused");
    if (registrableDomainOf(hop.url.hostname) !== domain)
      return { kind: "elsewhere", host: hop.url.hostname };
    next = hop.url;
  }
  return failed("redirect-too-many");
}

function failed(code: Extract<Fetched, { kind: "failed" }>["code"]): Fetched {
  return { kind: "failed", code };
}

function toDocument(status: number, body: Uint8Array): Fetched {
  if (status >= 200 && status < 300) return { kind: "document", body };
  return status >= 500 ? failed("http-server-error") : { kind: "absent", httpStatus: status };
}
