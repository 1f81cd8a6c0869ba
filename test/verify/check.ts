import type { CheckId } from "../../src/verify/checks.ts";
import type { VerifyReport } from "../../src/verify/verify.ts";
import { connectSockets } from "../../src/verify/http/sockets.ts";
import { verify, type VerifyOptions } from "../../src/verify/verify.ts";
import { connectFront, type Corrupt, createGoodFront } from "./good-deployment.ts";

/** Checks a deployment of three services without waits for caches; the website only with `isApiOnly: false`. */
export function check(url: URL, options: Partial<VerifyOptions> = {}): Promise<VerifyReport> {
  return verify(url, {
    expectedServices: 3,
    badgeId: "my-shop",
    isApiOnly: true,
    burstRequests: 0,
    maxAgeMs: 900_000,
    connect: connectSockets,
    // Longer than any response takes, even on a slow machine.
    timeoutMs: 60_000,
    totalMs: 240_000,
    settleWaitsMs: [0],
    wallMs: () => Date.now(),
    signal: new AbortController().signal,
    ...options,
  });
}

/** Checks the good deployment in memory, with answers that may be corrupted. */
export async function checkWith(
  corrupt?: Corrupt,
  options: Partial<VerifyOptions> = {},
): Promise<VerifyReport> {
  const url = new URL("http://status.test");
  const connect = connectFront(await createGoodFront(url.origin), corrupt);
  return check(url, { connect, ...options });
}

/** Ids of the checks with a result, in order. */
export function idsOf(report: VerifyReport, result: "pass" | "fail" | "skip"): readonly string[] {
  return report.checks.filter((check) => check.result === result).map(({ id }) => id);
}

/** What a check has seen, or why it was skipped. */
export function seenOf(report: VerifyReport, id: CheckId): string | undefined {
  return report.checks.find((check) => check.id === id)?.seen;
}

/** All problems of a report, one per line, for messages. */
export function problemsOf(report: VerifyReport): string {
  return report.checks
    .flatMap(({ id, problems }) => problems.map((one) => `${id}: ${one}`))
    .join("\n");
}
