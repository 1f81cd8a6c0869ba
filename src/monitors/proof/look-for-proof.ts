import type { LookForProof, PlaceFinding, ProofQuery } from "../../model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../model/monitor/owner-channel.ts";
import type { ResolveTxt } from "../../probe/network/dns.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { denialNameOf, placesOf } from "../ownership/challenge-places.ts";
import { readProofFile, readProofPage, readProofRecords } from "../ownership/read-proof.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { textOf } from "../../probe/answer/answer-text.ts";
import { nextHop } from "../../probe/answer/classify-response.ts";
import { SERVICE_LIMITS } from "../../probe/limits.ts";
import { sendRequest, onlyHop } from "../../probe/network/single-request.ts";
import { isAddress } from "../../model/host-name.ts";
import { SECOND_MS } from "../../model/time.ts";

const FILE_BYTES = 4 * 1024;

/** The head of a page; a browser looks for its encoding in the first 1,024 bytes, authors put scripts before the rest. */
const PAGE_BYTES = 128 * 1024;

/** Enough to recognise a page or another token. */
const EXCERPT_CHARACTERS = 60;

export interface LookDependencies {
  readonly probe: ProbeDependencies;
  readonly resolveTxt: ResolveTxt;
  /** Wall clock, milliseconds since the epoch. */
  readonly wallMs: () => number;
}

/** Finds one place's content, as texts that may be tokens. */
type Read = (place: string, deadlineMs: number) => Promise<readonly string[] | PlaceFinding>;

/** A look ends by its deadline alone. */
const NEVER: AbortSignal = new AbortController().signal;

/** Looks for tokens in DNS, which does not touch the site, then its file, its page. A domain that refuses gets no request. */
export function createLookForProof({ probe, resolveTxt, wallMs }: LookDependencies): LookForProof {
  const read =
    (bytes: number, parse: (body: Uint8Array) => readonly string[]): Read =>
    async (url, deadlineMs) => {
      const fetched = await fetchPage(url, bytes, deadlineMs, probe);
      return fetched.kind === "document" ? parse(fetched.body) : fetched;
    };
  const readDns: Read = async (name) => {
    const answer = await resolveTxt(name, NEVER);
    return answer.kind === "records" ? readProofRecords(answer.records) : answer;
  };
  /** In the order of the look. */
  const readers = [
    ["dns", readDns],
    ["file", read(FILE_BYTES, readProofFile)],
    ["meta", read(PAGE_BYTES, readProofPage)],
  ] as const;
  return async (query) => {
    const host = new URL(query.url).hostname;
    const deadlineMs = performance.now() + query.withinMs;
    const atMs = wallMs();
    if (await isDenied(host, resolveTxt)) return { atMs, isDenied: true, places: new Map() };
    const places = new Map<ProofMethod, { place: string; finding: PlaceFinding }>();
    const wanted = placesOf(query.id, query.url);
    for (const [method, read] of readers) {
      const place = wanted[method];
      if (place === undefined) continue;
      const finding = findToken(await read(place, deadlineMs), query);
      places.set(method, { place, finding });
      if (finding.kind === "found") break;
    }
    return { atMs, isDenied: false, places };
  };
}

function findToken(texts: readonly string[] | PlaceFinding, { tokens }: ProofQuery): PlaceFinding {
  if ("kind" in texts) return texts;
  const token = texts.find((text) => tokens.includes(text));
  if (token !== undefined) return { kind: "found", token };
  const [first] = texts;
  if (first === undefined) return { kind: "absent" };
  const characters = [...first.replace(/[\p{C}\p{Z}]+/gu, " ")];
  return { kind: "other", excerpt: characters.slice(0, EXCERPT_CHARACTERS).join("") };
}

/** Of the host, or of the registrable domain for all of its hosts. An unanswered query does not refuse. */
async function isDenied(host: string, resolveTxt: ResolveTxt): Promise<boolean> {
  if (isAddress(host)) return false;
  const names = [...new Set([host, registrableDomainOf(host)])].map(denialNameOf);
  const answers = await Promise.all(names.map((name) => resolveTxt(name, NEVER)));
  return answers.some(
    (answer) =>
      answer.kind === "records" &&
      readProofRecords(answer.records).some((text) => text.toLowerCase() === "deny"),
  );
}

/** Two documents have to fit into the time that a visitor waits. */
const TOTAL_MS = 8 * SECOND_MS;

type Fetched =
  | { readonly kind: "document"; readonly body: Uint8Array }
  | Extract<PlaceFinding, { kind: "absent" | "elsewhere" | "failed" }>;

/**
 * Reads at most `bytes` of a document through the guards of a probe: the URL of each hop, and each address before a connection to it.
 * Redirects are followed within the registrable domain, because a redirect elsewhere proves control of the other domain. Never
 * rejects.
 * @param deadlineMs of the whole look, on the clock of `performance.now`.
 */
async function fetchPage(
  url: string,
  bytes: number,
  deadlineMs: number,
  deps: ProbeDependencies,
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
    const answer = await sendRequest(onlyHop(next, { ...deps, limits }, NEVER, endMs));
    if (answer.kind === "skipped") return failed("tcp-unreachable");
    if (answer.kind === "failed") return failed(answer.code);
    const hop = nextHop(answer, next, {}, true, true);
    const text = textOf(answer);
    if (text === "broken") return failed("body-malformed");
    if (hop.kind === "final") return toFetched(answer.status, text.subarray(0, bytes));
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

function toFetched(status: number, body: Uint8Array): Fetched {
  if (status >= 200 && status < 300) return { kind: "document", body };
  return status >= 500 ? failed("http-server-error") : { kind: "absent", httpStatus: status };
}
