import { ANSWER_KINDS, type AnswerKind } from "../../trial/propose.ts";
import type { TrialReport, TrialRow } from "../../trial/run-trial.ts";
import { describeOutcome } from "./outcome-text.ts";

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

/** The report in plain English, which can be sent to whom the catalogue belongs. Ends without a line break. */
export function renderTrial(file: string, report: TrialReport, overlay: string): string {
  const { rows, unreached } = report;
  const counts = ANSWER_KINDS.flatMap((kind) => {
    const count = rows.filter(({ kinds }) => kinds[0] === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  const rounds = Math.max(0, ...rows.map(({ kinds }) => kinds.length));
  const head = `${file}: ${rows.length} endpoints, ${rounds} rounds: ${counts.join(", ")}`;
  const groups = ANSWER_KINDS.flatMap((kind) => {
    const shown = rows
      .filter((row) => row.kinds[0] === kind && isToLookAt(row))
      .toSorted((a, b) => Number(b.isCritical) - Number(a.isCritical));
    return shown.length === 0 ? [] : [[TITLES[kind], ...shown.map(describeRow)].join("\n")];
  });
  return [head, describeUnreached(unreached), ...groups, describeOverlay(report, overlay)].join(
    "\n\n",
  );
}

function isToLookAt({ kinds, proposal, isCritical }: TrialRow): boolean {
  const isFine = kinds.every((kind) => kind === "page" || (kind === "refused" && !isCritical));
  return !isFine || proposal.length > 0;
}

function describeRow(row: TrialRow): string {
  const { slug, url, what, isCritical, kinds, outcomes, title, begins, expects, proposal } = row;
  const rests = isCritical ? `, critical: the verdict of ${slug} rests on it` : "";
  const changes = new Set(kinds).size > 1 ? [`    rounds: ${kinds.join(", then ")}`] : [];
  return [
    `  ${slug}: ${url} (${what}${rests})`,
    `    ${[...new Set(outcomes.map((outcome) => describeOutcome(outcome)))].join("; then ")}`,
    ...changes,
    `    expects ${expects}`,
    ...(title === "" ? [] : [`    title: ${title}`]),
    ...(begins === "" ? [] : [`    begins: ${begins}`]),
    ...proposal.map((line) => `      ${line}`),
  ].join("\n");
}

function describeUnreached(slugs: readonly string[]): string {
  return slugs.length === 0
    ? "Every service was reached by a critical endpoint."
    : `Nothing would be known of ${slugs.length} services, whose critical endpoints were not reached: ${slugs.join(", ")}.`;
}

function describeOverlay({ rows, changed }: TrialReport, overlay: string): string {
  const count = rows.filter(({ proposal }) => proposal.length > 0).length;
  if (changed === 0) return "No change is proposed.";
  return [
    `Changes of ${count} endpoints of ${changed} services are in ${overlay}; each was judged by the answers above.`,
    `Read it, then try it: catalogue trial --catalogue-overlay ${overlay} --overlay second.yaml.`,
  ].join(" ");
}
