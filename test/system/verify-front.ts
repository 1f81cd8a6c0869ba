import { onTestFailed } from "vitest";
import { renderVerify } from "../../src/render/verify-table.ts";
import type { PointResult, VerifyReport } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import { BADGE_ID } from "./public-bucket.ts";

/** The conformance check of what `openFrontLab` publishes, which is no website; it is printed when the test fails. */
export async function verifyFront(url: URL): Promise<VerifyReport> {
  const report = await verifyAll(url, true);
  return { ...report, points: report.points.filter((point) => !isOfWebsite(point)) };
}

/** The points about the website, where one was published as well. */
export async function verifyWebsite(url: URL): Promise<readonly PointResult[]> {
  return (await verifyAll(url, false)).points.filter(isOfWebsite);
}

function isOfWebsite({ id }: PointResult): boolean {
  return id.startsWith("site.");
}

async function verifyAll(url: URL, isApiOnly: boolean): Promise<VerifyReport> {
  const report = await verify(url, {
    expectedServices: 85,
    badgeId: BADGE_ID,
    isApiOnly,
    maxAgeMs: 900_000,
    timeoutMs: 10_000,
    totalMs: 90_000,
    settleWaitsMs: [0],
    wallMs: () => Date.now(),
    signal: new AbortController().signal,
  });
  onTestFailed(() => console.log(renderVerify(report, true)));
  return report;
}
