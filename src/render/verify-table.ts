import Table from "cli-table3";
import { NO_BORDERS, trimLines } from "./plain-table.ts";

interface PointView {
  readonly id: string;
  readonly title: string;
  readonly basis: "specification" | "decision";
  readonly result: "pass" | "fail" | "skip";
  readonly seen: string;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  readonly mend?: string;
}

/** Everything `verify` shows. `--json` prints it as it is. */
export interface VerifyView {
  readonly baseUrl: string;
  readonly durationMs: number;
  readonly requests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly points: readonly PointView[];
}

/** Of 85 services with the same fault the first ones tell it. */
const MAX_PROBLEMS = 4;

/**
 * Each point that fails with what was seen and what to mend, each warning, and a line of counts. With `isComplete` a table of
 * all points stands before them. Ends without a line break.
 */
export function renderVerify(view: VerifyView, isComplete: boolean): string {
  const parts = [
    ...(isComplete ? [renderTable(view.points)] : []),
    ...view.points.filter(({ result }) => result === "fail").map(renderFailure),
    renderWarnings(view.points),
    renderCounts(view),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function renderTable(points: readonly PointView[]): string {
  const table = new Table({ head: ["RESULT", "POINT", "WHAT HOLDS", "SEEN"], ...NO_BORDERS });
  for (const { result, id, title, seen, problems } of points) {
    const [first = seen] = problems;
    table.push([result, id, plain(title), plain(first)]);
  }
  return trimLines(table.toString());
}

function renderFailure({ id, title, basis, problems, mend }: PointView): string {
  const left = problems.length - MAX_PROBLEMS;
  return [
    `FAIL  ${id}: ${title}${basis === "decision" ? " (not in the specification)" : ""}`,
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `      ${plain(problem)}`),
    ...(left > 0 ? [`      and ${left} more`] : []),
    ...(mend === undefined ? [] : [`      To mend: ${mend}`]),
  ].join("\n");
}

function renderWarnings(points: readonly PointView[]): string {
  return points
    .flatMap(({ id, warnings }) => warnings.map((warning) => `warn  ${id}: ${plain(warning)}`))
    .join("\n");
}

function renderCounts(view: VerifyView): string {
  const { baseUrl, points, passed, failed, skipped, requests, durationMs } = view;
  return [
    `${plain(baseUrl)}: ${points.length} points`,
    `${passed} passed`,
    `${failed} failed`,
    `${skipped} skipped`,
    `${requests} requests`,
    `${(durationMs / 1_000).toFixed(1)} s`,
  ].join(" | ");
}

/** What a server says may hold control characters, which would steer the terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, "?");
}
