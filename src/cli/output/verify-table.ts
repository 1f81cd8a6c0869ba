import Table from "cli-table3";
import type { VerifiedCheck, VerifyReport } from "../../verify/finding.ts";
import { NO_BORDERS, trimLines } from "./trim-lines.ts";

/** Enough of 85 services with the same fault. */
const MAX_PROBLEMS = 4;

/**
 * Renders failed checks with what was seen and what to fix, warnings, and a line of counts; with `isComplete` a table of all checks
 * before them. Ends without a line break.
 */
export function renderVerify(report: VerifyReport, isComplete: boolean): string {
  const parts = [
    ...(isComplete ? [renderTable(report.checks)] : []),
    ...report.checks.filter(({ result }) => result === "fail").map(renderFailure),
    renderWarnings(report.checks),
    renderCounts(report),
  ];
  return parts.filter((part) => part !== "").join("\n\n");
}

function renderTable(checks: readonly VerifiedCheck[]): string {
  const table = new Table({ head: ["RESULT", "CHECK", "WHAT HOLDS", "SEEN"], ...NO_BORDERS });
  for (const { result, id, title, seen, problems } of checks) {
    const [first = seen] = problems;
    table.push([result, id, plain(title), plain(first)]);
  }
  return trimLines(table.toString());
}

function renderFailure({ id, title, source, problems, fix }: VerifiedCheck): string {
  const left = problems.length - MAX_PROBLEMS;
  return [
    `FAIL  ${id}: ${title}${source === "decision" ? " (not in the specification)" : ""}`,
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `      ${plain(problem)}`),
    ...(left > 0 ? [`      and ${left} more`] : []),
    ...(fix === undefined ? [] : [`      To fix: ${fix}`]),
  ].join("\n");
}

function renderWarnings(checks: readonly VerifiedCheck[]): string {
  return checks
    .flatMap(({ id, warnings }) => warnings.map((warning) => `warn  ${id}: ${plain(warning)}`))
    .join("\n");
}

function renderCounts(report: VerifyReport): string {
  const { baseUrl, checks, passed, failed, skipped, requests, durationMs } = report;
  return [
    `${plain(baseUrl)}: ${checks.length} checks`,
    `${passed} passed`,
    `${failed} failed`,
    `${skipped} skipped`,
    `${requests} requests`,
    `${(durationMs / 1_000).toFixed(1)} s`,
  ].join(" | ");
}

/** Replaces control characters, with which a server could steer the terminal. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}|\p{Cf}/gu, "?");
}
