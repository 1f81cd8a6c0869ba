import { expect, test } from "vitest";
import { checkWith, idsOf, problemsOf, seenOf } from "./check.ts";
import { become, isList, setHeader, when } from "./rows/corrupt.ts";
import type { Corrupt } from "./good-deployment.ts";

/** Refuses `refused` requests after the first `free` ones. */
function limitAfter(free: number, refused: number, ...change: readonly Corrupt[]): Corrupt {
  let asked = 0;
  return (answer) => {
    asked += 1;
    if (asked <= free || asked > free + refused) return;
    become(429)(answer);
    for (const one of change) one(answer);
  };
}

const FREE = 150;
const BURST = 200;

test("a burst of requests provokes a 429 that the other checks do not meet", async () => {
  const polite = (): Corrupt => limitAfter(FREE, 8, setHeader("Retry-After", "0"));
  const unmet = await checkWith(polite());
  expect(idsOf(unmet, "skip")).toContain("rate-limit");
  expect(unmet.requests).toBeLessThan(FREE);

  const met = await checkWith(polite(), { burstRequests: BURST });
  expect(idsOf(met, "fail")).toEqual([]);
  expect(idsOf(met, "pass")).toContain("rate-limit");
  expect(seenOf(met, "rate-limit")).toBe("8 responses were 429");
  // After the first refusal, only the requests in progress are retried.
  expect(met.requests).toBeGreaterThan(FREE);
  expect(met.requests).toBeLessThanOrEqual(FREE + 16);
});

test("a 429 that browsers cannot read, without Retry-After, fails", async () => {
  const rude = limitAfter(FREE, 8, setHeader("Access-Control-Allow-Origin"));
  const report = await checkWith(rude, { burstRequests: BURST });
  expect(idsOf(report, "fail")).toEqual(["rate-limit"]);
  expect(problemsOf(report).split("\n")).toEqual([
    "rate-limit: GET /api/v1/status: HTTP 429: no Access-Control-Allow-Origin",
    "rate-limit: GET /api/v1/status: HTTP 429: no Retry-After",
  ]);
});

test("without a limit all requests are sent, and the check is skipped", async () => {
  const alone = await checkWith();
  const report = await checkWith(undefined, { burstRequests: BURST });
  expect(report.requests).toBe(alone.requests + BURST);
  const skipped = idsOf(report, "skip").filter((id) => !id.startsWith("site."));
  expect(skipped).toEqual(["rate-limit"]);
});

test("a burst ends when the server does", async () => {
  let lists = 0;
  let left = Number.POSITIVE_INFINITY;
  const corrupt = when(isList, () => {
    lists += 1;
    if (lists > left) throw Object.assign(new Error("gone"), { code: "ECONNREFUSED" });
  });
  const alone = await checkWith(corrupt);
  [left, lists] = [lists + 1, 0];
  const report = await checkWith(corrupt, { burstRequests: BURST });
  expect(idsOf(report, "fail")).toEqual([]);
  // Eight requests are in progress, and each of them is the last one of its place.
  expect(report.requests - alone.requests).toBeLessThanOrEqual(1 + 8);
});
