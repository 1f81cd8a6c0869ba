import type { VerifyReport } from "../../src/verify/finding.ts";
import { verify, type VerifyOptions } from "../../src/verify/verify.ts";

/** Checks a deployment of three services, without waiting for caches, and without its website unless that is asked for. */
export function check(url: URL, options: Partial<VerifyOptions> = {}): Promise<VerifyReport> {
  return verify(url, {
    expectedServices: 3,
    badgeId: "my-shop",
    isApiOnly: true,
    maxAgeMs: 900_000,
    // Far above what an answer takes on any machine.
    timeoutMs: 60_000,
    totalMs: 240_000,
    settleWaitsMs: [0],
    wallMs: () => Date.now(),
    signal: new AbortController().signal,
    ...options,
  });
}

/** Ids of the points with the result, in order. */
export function idsOf(report: VerifyReport, result: "pass" | "fail" | "skip"): readonly string[] {
  return report.points.filter((point) => point.result === result).map(({ id }) => id);
}

/** Everything that was found wrong, for messages. */
export function problemsOf(report: VerifyReport): string {
  return report.points
    .flatMap(({ id, problems }) => problems.map((one) => `${id}: ${one}`))
    .join("\n");
}
