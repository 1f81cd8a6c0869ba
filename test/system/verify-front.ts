import { onTestFailed } from "vitest";
import { renderVerify } from "../../src/render/verify-table.ts";
import type { VerifyReport } from "../../src/verify/finding.ts";
import { verify } from "../../src/verify/verify.ts";
import { BADGE_ID } from "./public-bucket.ts";

/** The conformance check of what `openFrontLab` publishes; it is printed when the test fails. */
export async function verifyFront(url: URL): Promise<VerifyReport> {
  const report = await verify(url, {
    expectedServices: 85,
    badgeId: BADGE_ID,
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
