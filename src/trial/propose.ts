import { isUnanswered } from "../model/outcome-rules.ts";
import { type FailedOutcome, type Outcome, REFUSING_STATUSES } from "../model/probe-outcome.ts";
import type { Endpoint, Service } from "../model/service/catalogue.ts";
import type { ProbeDependencies } from "../probe/probe.ts";
import { type RecordedProbe, judgeRecorded, answerOf, type RecordedHop } from "./record-answers.ts";
import { textOf } from "../probe/answer/answer-text.ts";
import { isParked } from "../probe/answer/walls.ts";

/** What answered an endpoint. Source: docs/services/catalogue.md, "Trial". */
export const ANSWER_KINDS = [
  "page",
  "wall",
  "refused",
  "silent",
  "dead-name",
  "moved",
  "parked",
  "certificate",
  "error",
  "other",
  "not-tried",
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** A change of one endpoint; null: it is taken out. */
export interface Proposal {
  readonly endpoint: Endpoint | null;
  /** The lines that change, as they are written. */
  readonly lines: readonly string[];
}

/** Letters that a name needs to prove anything. */
const MIN_MARKER = 3;
/** Statuses of machines that answer without a key. They say the same at each request. */
const STEADY: ReadonlySet<number> = new Set([200, 204, 400, 401, 404, 421, 422]);

/**
 * A change of an endpoint with which its recorded answers would be healthy, or could fail where they cannot yet; undefined: none is
 * proved. Every change is judged by the answers of all rounds: one that would turn a healthy answer into a failure is not made.
 */
export async function propose(
  service: Service,
  endpoint: Endpoint,
  attempts: readonly RecordedProbe[],
  deps: ProbeDependencies,
): Promise<Proposal | undefined> {
  const kinds = attempts.map(sortAnswer);
  for (const candidate of candidatesOf(service, endpoint, attempts, kinds)) {
    if (candidate.endpoint === null || candidate.isUnjudged === true) return candidate;
    if (await isProved(candidate.endpoint, attempts, deps)) return candidate;
  }
  return undefined;
}

interface Candidate extends Proposal {
  /** It changes no judgement of an answer, only what silence means. */
  readonly isUnjudged?: true;
}

function candidatesOf(
  service: Service,
  endpoint: Endpoint,
  attempts: readonly RecordedProbe[],
  kinds: readonly AnswerKind[],
): readonly Candidate[] {
  const outcomes = attempts.map(({ outcome }) => outcome);
  const code = shared(outcomes.map((one) => (one.kind === "failed" ? one.code : one.kind)));
  const all = (kind: AnswerKind): boolean => kinds.every((one) => one === kind);
  if (all("silent") && !service.isAbroad && endpoint.refuses?.includes("hosting") !== true)
    return [{ ...refusing(endpoint), isUnjudged: true }];
  if (all("dead-name") || all("parked")) return takenOut(service, endpoint);
  if (code === "redirect-loop" || code === "redirect-too-many")
    return [change(endpoint, { redirects: "answer" }, ["redirects: answer"])];
  if (code === "http-unexpected-status") return widened(endpoint, outcomes);
  if (code === "body-unexpected" || (all("page") && isWeak(endpoint)))
    return [...marked(service, endpoint, attempts), ...exact(endpoint, outcomes)];
  return [];
}

/** What all have; undefined: they differ. */
function shared<T>(all: readonly T[]): T | undefined {
  return new Set(all).size === 1 ? all[0] : undefined;
}

/** Any answer of the host would do. */
function isWeak({ isCritical, body, expect, location, redirects }: Endpoint): boolean {
  const isNamed = body !== undefined || expect !== undefined || location !== undefined;
  return isCritical && !isNamed && redirects !== "answer";
}

function change(endpoint: Endpoint, keys: Partial<Endpoint>, lines: readonly string[]): Candidate {
  return { endpoint: { ...endpoint, ...keys }, lines };
}

function refusing(endpoint: Endpoint): Candidate {
  const refuses = ["hosting" as const, ...(endpoint.refuses ?? [])];
  return change(endpoint, { refuses }, [`refuses: [${refuses.join(", ")}]`]);
}

/** Behind the name is a stranger, or nothing. The last critical endpoint stays, so that the service is not judged by others. */
function takenOut({ endpoints }: Service, endpoint: Endpoint): readonly Candidate[] {
  const others = endpoints.filter(({ url }) => url !== endpoint.url);
  const isNeeded = endpoint.isCritical && !others.some(({ isCritical }) => isCritical);
  return isNeeded ? [] : [{ endpoint: null, lines: ["# taken out"] }];
}

function widened(endpoint: Endpoint, outcomes: readonly Outcome[]): readonly Candidate[] {
  const status = sharedStatus(outcomes);
  if (status === undefined || status >= 400) return [];
  const expect = [...(endpoint.expect ?? [200]), status];
  return [change(endpoint, { expect }, [`expect: [${expect.join(", ")}]`])];
}

/** The status that all answers have. */
function sharedStatus(outcomes: readonly Outcome[]): number | undefined {
  return shared(outcomes.map((one) => (one.kind === "skipped" ? undefined : one.trace.httpStatus)));
}

/** A name of the service that its pages have, in its own writing; the longest first, because short ones stand anywhere. */
function marked(
  { slug, name, nameEn = "", aliases }: Service,
  endpoint: Endpoint,
  attempts: readonly RecordedProbe[],
): readonly Candidate[] {
  const { body: _, ...rest } = endpoint;
  const pages = attempts.map(({ hops }) => pageOf(hops));
  const names = [name, nameEn, slug, ...aliases].flatMap((one) => [
    one,
    ...one.split(/[\s(),«»]+/u),
  ]);
  return [...new Set(names)]
    .filter((one) => one.length >= MIN_MARKER && pages.every((page) => page.includes(one)))
    .toSorted((a, b) => b.length - a.length)
    .map((body) => change(rest, { body }, [`body: ${JSON.stringify(body)}`]));
}

function exact(endpoint: Endpoint, outcomes: readonly Outcome[]): readonly Candidate[] {
  const status = sharedStatus(outcomes);
  if (status === undefined || !STEADY.has(status)) return [];
  return [change(endpoint, { expect: [status] }, [`expect: [${status}]`])];
}

/** Whether all recorded answers are healthy with the entry. Silence and what was never sent prove nothing. */
async function isProved(
  endpoint: Endpoint,
  attempts: readonly RecordedProbe[],
  deps: ProbeDependencies,
): Promise<boolean> {
  const told = attempts.filter(
    ({ outcome }) => outcome.kind !== "skipped" && !isUnanswered(outcome),
  );
  const judged = await Promise.all(told.map(({ hops }) => judgeRecorded(endpoint, hops, deps)));
  return judged.length > 0 && judged.every((outcome) => outcome?.kind === "ok");
}

const NO_NAME: ReadonlySet<string> = new Set(["dns-nxdomain", "dns-no-answer"]);

/** What answered one attempt. */
export function sortAnswer({ outcome, hops }: RecordedProbe): AnswerKind {
  switch (outcome.kind) {
    case "skipped":
      return "not-tried";
    case "denied":
      return "refused";
    case "ok":
      if (outcome.trace.wall !== undefined) return "wall";
      return REFUSING_STATUSES.has(outcome.trace.httpStatus ?? 0) ? "refused" : "page";
    case "failed":
      return sortFailure(outcome, hops.at(-1));
  }
}

function sortFailure(outcome: FailedOutcome, last: RecordedHop | undefined): AnswerKind {
  const { code } = outcome;
  if (isUnanswered(outcome)) return "silent";
  if (NO_NAME.has(code)) return "dead-name";
  if (code === "redirect-unexpected") return "moved";
  if (code.startsWith("cert-")) return "certificate";
  if (code === "http-server-error" || code === "body-works") return "error";
  if (code === "http-legal-refusal") return "refused";
  const answer = answerOf(last);
  return answer !== undefined && isParked(answer) ? "parked" : "other";
}

const MAX_CHARACTERS = 200;

/** The title of the last answer of an attempt, and what a reader sees first; empty: there was no text. */
export function wordsOf({ hops }: RecordedProbe) {
  const page = pageOf(hops);
  const title = tidy(/<title[^>]*>([^<]*)/iu.exec(page)?.[1] ?? "");
  const text = page
    .replaceAll(/<(script|style|noscript)\b[\s\S]*?<\/\1>/giu, " ")
    .replaceAll(/<[^>]*>/gu, " ");
  return { title: title.slice(0, MAX_CHARACTERS), begins: tidy(text).slice(0, MAX_CHARACTERS) };
}

/** The text of the last answer. */
function pageOf(hops: readonly RecordedHop[]): string {
  const answer = answerOf(hops.at(-1));
  const text = answer === undefined ? "broken" : textOf(answer);
  return text === "broken" ? "" : text.toString("utf8");
}

/** Control characters of a stranger's page must not reach a terminal. */
function tidy(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
}

/** Whether any critical endpoint of a service gave more than silence, a wall or a stranger's page. */
export function isReached({ endpoints }: Service, kindsOf: (url: string) => readonly AnswerKind[]) {
  return endpoints.some(
    ({ url, isCritical }) =>
      isCritical && kindsOf(url).some((kind) => ["page", "refused", "error"].includes(kind)),
  );
}
