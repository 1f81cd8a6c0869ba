import {
  PROOF_METHODS,
  type ProofMethod,
  type LookForProof,
  type PlaceFinding,
  type ProofQuery,
} from "../../model/monitor/owned-monitor.ts";
import type { ResolveTxt, TxtAnswer } from "../../probe/network/dns.ts";
import type { ProbeDependencies } from "../../probe/probe.ts";
import { denialNameOf, isAddress, placesOf } from "../ownership/challenge-places.ts";
import { readProofFile, readProofPage, readProofRecords } from "../ownership/read-proof.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { fetchPage, type Fetched } from "./fetch-page.ts";

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
type Read = (
  place: string,
  signal: AbortSignal,
  deadlineMs: number,
) => Promise<readonly string[] | PlaceFinding>;

/**
 * Looks for the tokens of a monitor: in DNS first, which does not touch the site, then in its file, then in its page. Ends at the
 * first that is found. A domain that refuses to be monitored is left alone: nothing is requested from it.
 */
export function createLookForProof(deps: LookDependencies, signal: AbortSignal): LookForProof {
  const readers = createReaders(deps);
  return async (query) => {
    const host = new URL(query.url).hostname;
    const deadlineMs = performance.now() + query.withinMs;
    const atMs = deps.wallMs();
    if (await isDenied(host, deps.resolveTxt, signal))
      return { atMs, isDenied: true, places: new Map() };
    const places = new Map<ProofMethod, { place: string; finding: PlaceFinding }>();
    const wanted = placesOf(query.id, query.url);
    for (const method of LOOK_ORDER) {
      const place = wanted[method];
      if (place === undefined) continue;
      const finding = findToken(await readers[method](place, signal, deadlineMs), query);
      places.set(method, { place, finding });
      if (finding.kind === "found") break;
    }
    return { atMs, isDenied: false, places };
  };
}

const LOOK_ORDER: readonly ProofMethod[] = ["dns", ...PROOF_METHODS.filter((one) => one !== "dns")];

function createReaders({ probe, resolveTxt }: LookDependencies): Record<ProofMethod, Read> {
  const read =
    (bytes: number, parse: (body: Uint8Array) => readonly string[]): Read =>
    async (url, signal, deadlineMs) =>
      toTexts(await fetchPage(url, bytes, { ...probe, signal, deadlineMs }), parse);
  return {
    dns: async (name, signal) => textsOf(await resolveTxt(name, signal)),
    file: read(FILE_BYTES, readProofFile),
    meta: read(PAGE_BYTES, readProofPage),
  };
}

function toTexts(
  fetched: Fetched,
  parse: (body: Uint8Array) => readonly string[],
): readonly string[] | PlaceFinding {
  return fetched.kind === "document" ? parse(fetched.body) : fetched;
}

function textsOf(answer: TxtAnswer): readonly string[] | PlaceFinding {
  return answer.kind === "records" ? readProofRecords(answer.records) : answer;
}

function findToken(texts: readonly string[] | PlaceFinding, { tokens }: ProofQuery): PlaceFinding {
  if ("kind" in texts) return texts;
  const token = texts.find((text) => tokens.includes(text));
  if (token !== undefined) return { kind: "found", token };
  const [first] = texts;
  return first === undefined ? { kind: "absent" } : { kind: "other", excerpt: excerptOf(first) };
}

function excerptOf(text: string): string {
  return [...text.replace(/[\p{C}\p{Z}]+/gu, " ")].slice(0, EXCERPT_CHARACTERS).join("");
}

/** Of the host, or of the registrable domain for all of its hosts. An unanswered query is no refusal. */
async function isDenied(
  host: string,
  resolveTxt: ResolveTxt,
  signal: AbortSignal,
): Promise<boolean> {
  if (isAddress(host)) return false;
  const names = [...new Set([host, registrableDomainOf(host)])].map(denialNameOf);
  const answers = await Promise.all(names.map((name) => resolveTxt(name, signal)));
  return answers.some(
    (answer) =>
      answer.kind === "records" &&
      readProofRecords(answer.records).some((text) => text.toLowerCase() === "deny"),
  );
}
