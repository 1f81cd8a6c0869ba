import { hideCredentials } from "../../model/host-name.ts";
import { MINUTE_MS, SECOND_MS } from "../../model/time.ts";
import { connectSockets } from "../../verify/http/sockets.ts";
import { BURST_REQUESTS, verify, type VerifyReport } from "../../verify/verify.ts";
import type { Action } from "../../setup/io.ts";
import type { Parsed } from "../../setup/parse-options.ts";
import { renderTable } from "../output/table.ts";
import { textsOf, toJsonText } from "../output/text.ts";
import type { VerifiedCheck } from "../../verify/finding.ts";
import type { Flags } from "../../setup/options/options.ts";
import { readPlainUrl } from "../../setup/options/network-texts.ts";

const TOTAL_MS = 2 * MINUTE_MS;

/** At once, in case a publish came between the reads; and after every cache entry has expired. */
const SETTLE_WAITS_MS = [0, 61 * SECOND_MS];

/** `verify`: checks a live deployment against the specification. Exit code 1 if a check fails. Throws `UsageError`. */
export const verifyCommand: Action<Flags<"verify" | "verifyJson">, [baseUrl: string]> = async (
  { flags, problems, io, log },
  baseUrl,
) => {
  const { url } = problems.settle({ url: parseBaseUrl(baseUrl) });
  const report = await verify(url, {
    ...flags,
    badgeId: flags.badge,
    connect: connectSockets,
    totalMs: TOTAL_MS,
    settleWaitsMs: SETTLE_WAITS_MS,
    burstRequests: BURST_REQUESTS,
    onSettle: (id, waitMs) => {
      if (waitMs > 0)
        log.warn(
          `${id}: documents disagree. A cache may be the reason, so they are read again in ${waitMs / SECOND_MS} s.`,
        );
    },
    wallMs: io.wallMs,
    signal: io.stop,
  });
  io.print(flags.isJson ? toJsonText(report) : renderVerify(report, flags.isAll));
  return report.failed === 0 ? 0 : 1;
};

function parseBaseUrl(text: string): Parsed<URL> {
  const url = readPlainUrl(text);
  return url === undefined
    ? {
        problem: `${hideCredentials(text)}: give the address of the API, without credentials, query or fragment, such as https://status.example.`,
      }
    : { value: url };
}

/** Enough of 85 services with the same fault. */
const MAX_PROBLEMS = 4;

/**
 * Renders failed checks with what was seen and what to fix, warnings, and a line of counts; with `isComplete` a table of all checks
 * before them. Ends without a line break.
 */
export function renderVerify(report: VerifyReport, isComplete: boolean): string {
  const warnings = report.checks.flatMap((check) =>
    check.warnings.map((warning) => `warn  ${check.id}: ${plain(warning)}`),
  );
  return textsOf(
    isComplete && renderAll(report.checks),
    ...report.checks.filter(({ result }) => result === "fail").map(renderFailure),
    warnings.length > 0 && warnings.join("\n"),
    renderCounts(report),
  ).join("\n\n");
}

function renderAll(checks: readonly VerifiedCheck[]): string {
  const rows = checks.map(({ result, id, title, seen, problems: [first = seen] }) => [
    result,
    id,
    plain(title),
    plain(first),
  ]);
  return renderTable(rows, { head: ["RESULT", "CHECK", "WHAT HOLDS", "SEEN"] });
}

function renderFailure({ id, title, source, problems, fix }: VerifiedCheck): string {
  const left = problems.length - MAX_PROBLEMS;
  return textsOf(
    `FAIL  ${id}: ${title}${source === "decision" ? " (not in the specification)" : ""}`,
    ...problems.slice(0, MAX_PROBLEMS).map((problem) => `      ${plain(problem)}`),
    left > 0 && `      and ${left} more`,
    fix !== undefined && `      To fix: ${fix}`,
  ).join("\n");
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
