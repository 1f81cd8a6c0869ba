import { textOf } from "../probe/answer/answer-text.ts";
import { isParked } from "../probe/answer/walls.ts";
import type { Service } from "../model/service/catalogue.ts";
import type { AnswerKind } from "../model/service/trial.ts";
import { isUnanswered, type Outcome, REFUSING_STATUSES } from "../model/probe-outcome.ts";
import { answerOf, type RecordedProbe, type RecordedHop } from "./record-answers.ts";

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

function sortFailure(
  outcome: Extract<Outcome, { kind: "failed" }>,
  last: RecordedHop | undefined,
): AnswerKind {
  const { code } = outcome;
  if (isUnanswered(outcome)) return "silent";
  if (NO_NAME.has(code)) return "dead-name";
  if (code === "redirect-unexpected") return "moved";
  if (code.startsWith("cert-")) return "certificate";
  if (code === "http-server-error" || code === "body-works") return "error";
  if (code === "http-legal-refusal") return "refused";
  const answer = last === undefined ? undefined : answerOf(last);
  return answer !== undefined && isParked(answer) ? "parked" : "other";
}

/** The words of a page: its title, and what a reader sees first. */
export interface PageWords {
  readonly title: string;
  readonly begins: string;
}

const MAX_CHARACTERS = 200;

/** The words of the last answer of an attempt; empty: there was no text. */
export function wordsOf({ hops }: RecordedProbe): PageWords {
  const page = pageOf(hops);
  const title = tidy(/<title[^>]*>([^<]*)/iu.exec(page)?.[1] ?? "");
  const text = page
    .replaceAll(/<(script|style|noscript)\b[\s\S]*?<\/\1>/giu, " ")
    .replaceAll(/<[^>]*>/gu, " ");
  return { title: title.slice(0, MAX_CHARACTERS), begins: tidy(text).slice(0, MAX_CHARACTERS) };
}

/** The text of the last answer. */
export function pageOf(hops: readonly RecordedHop[]): string {
  const last = hops.at(-1);
  const answer = last === undefined ? undefined : answerOf(last);
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
