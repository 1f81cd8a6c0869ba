import type { Catalogue, Endpoint, Service } from "../../model/catalogue.ts";
import type { Proposal } from "../../trial/propose.ts";
import type { Attempt } from "../../trial/record-answers.ts";
import type { Answers } from "../../trial/run-trial.ts";
import {
  ANSWER_KINDS,
  type AnswerKind,
  isReached,
  sortAnswer,
  wordsOf,
} from "../../trial/sort-answers.ts";
import { changedServices } from "../../trial/write-overlay.ts";
import { describeOutcome } from "./outcome-text.ts";

/** What a trial found. */
export interface TrialView {
  readonly catalogue: Catalogue;
  readonly answers: Answers;
  readonly proposals: ReadonlyMap<string, Proposal>;
  /** The file with the proposals. */
  readonly overlay: string;
}

const TITLES: Readonly<Record<AnswerKind, string>> = {
  page: "A page, or an answer of a machine",
  wall: "A wall against robots",
  refused: "Refused by the owner",
  silent: "Silence",
  "dead-name": "A name that does not exist",
  moved: "Moved to another site",
  parked: "A parked name",
  certificate: "A certificate that does not fit",
  error: "An error of the server, or works",
  other: "Not what the catalogue expects",
  "not-tried": "Not tried",
};

/** The report in plain English, or as JSON; it can be sent to whoever keeps the catalogue. Ends without a line break. */
export function renderTrial(file: string, view: TrialView, isJson: boolean): string {
  const rows = rowsOf(view);
  const unreached = unreachedOf(view);
  if (isJson) return JSON.stringify({ catalogue: file, unreached, endpoints: rows }, undefined, 2);
  const counts = ANSWER_KINDS.flatMap((kind) => {
    const count = rows.filter(({ kinds }) => kinds[0] === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const rounds = Math.max(0, ...rows.map(({ kinds }) => kinds.length));
  const head = `${file}: ${rows.length} endpoints, ${rounds} rounds: ${counts.join(", ")}`;
  const groups = ANSWER_KINDS.flatMap((kind) => {
    const shown = rows
      .filter((row) => row.kinds[0] === kind && isToLookAt(row))
      .toSorted((a, b) => Number(b.critical) - Number(a.critical));
    return shown.length === 0 ? [] : [[TITLES[kind], ...shown.map(describeRow)].join("\n")];
  });
  return [head, describeUnreached(unreached), ...groups, describeOverlay(view)].join("\n\n");
}

interface Row {
  readonly slug: string;
  readonly url: string;
  readonly what: string;
  readonly critical: boolean;
  /** What answered in each round. */
  readonly kinds: readonly AnswerKind[];
  readonly found: readonly string[];
  readonly title: string;
  readonly begins: string;
  readonly expects: string;
  /** Lines for its entry. */
  readonly proposal: readonly string[];
}

function rowsOf({ catalogue, answers, proposals }: TrialView): readonly Row[] {
  return catalogue.services.flatMap(({ slug, endpoints }) =>
    endpoints.map((endpoint): Row => {
      const attempts = answers.get(endpoint.url) ?? [];
      const last = attempts.findLast(({ hops }) => hops.length > 0);
      return {
        slug,
        url: endpoint.url,
        what: endpoint.what,
        critical: endpoint.isCritical,
        kinds: attempts.map(sortAnswer),
        found: attempts.map(({ outcome }: Attempt) => describeOutcome(outcome)),
        ...(last === undefined ? { title: "", begins: "" } : wordsOf(last)),
        expects: expectsOf(endpoint),
        proposal: proposals.get(endpoint.url)?.lines ?? [],
      };
    }),
  );
}

function expectsOf({ expect, body, location, redirects, sites = [] }: Endpoint): string {
  const parts = [
    ...(expect === undefined ? [] : [`status ${expect.join(" or ")}`]),
    ...(body === undefined ? [] : [`the text ${JSON.stringify(body)}`]),
    ...(location === undefined ? [] : [`a redirect to ${location}`]),
    ...(redirects === undefined ? [] : [`any redirect within ${sites.join(", ")}`]),
  ];
  return parts.length === 0 ? "any answer below 500" : parts.join(", ");
}

function isToLookAt({ kinds, proposal, critical }: Row): boolean {
  const isFine = kinds.every((kind) => kind === "page" || (kind === "refused" && !critical));
  return !isFine || proposal.length > 0;
}

function describeRow(row: Row): string {
  const { slug, url, what, critical, kinds, found, title, begins, expects, proposal } = row;
  const changes = new Set(kinds).size > 1 ? [`    rounds: ${kinds.join(", then ")}`] : [];
  const words = [
    ...(title === "" ? [] : [`    title: ${title}`]),
    ...(begins === "" ? [] : [`    begins: ${begins}`]),
  ];
  return [
    `  ${slug}: ${url} (${what}${critical ? `, critical: the verdict of ${slug} rests on it` : ""})`,
    `    ${[...new Set(found)].join("; then ")}`,
    ...changes,
    `    expects ${expects}`,
    ...words,
    ...proposal.map((line) => `      ${line}`),
  ].join("\n");
}

/** Slugs of the services of which nothing would be known. */
function unreachedOf({ catalogue, answers }: TrialView): readonly string[] {
  const kindsOf = (url: string): readonly AnswerKind[] => (answers.get(url) ?? []).map(sortAnswer);
  return catalogue.services
    .filter((service: Service) => !isReached(service, kindsOf))
    .map(({ slug }) => slug);
}

function describeUnreached(slugs: readonly string[]): string {
  return slugs.length === 0
    ? "Every service was reached by a critical endpoint."
    : `Nothing would be known of ${slugs.length} services, whose critical endpoints were not reached: ${slugs.join(", ")}.`;
}

function describeOverlay({ catalogue, proposals, overlay }: TrialView): string {
  const changed = changedServices(catalogue, proposals);
  if (changed.length === 0) return "No change is proposed.";
  return [
    `${proposals.size} lines for ${changed.length} services are in ${overlay}; each was judged by the answers above.`,
    `Read it, then try it: catalogue trial --catalogue-overlay ${overlay} --overlay second.yaml.`,
  ].join(" ");
}
