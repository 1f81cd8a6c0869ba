import { expect, onTestFinished, test } from "vitest";
import { check, idsOf } from "./check.ts";
import { become, setHeader } from "./corrupt.ts";
import { type Corrupt, deploy } from "./good-deployment.ts";

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
  const polite = await deploy(limitAfter(FREE, 8, setHeader("Retry-After", "0")));
  onTestFinished(() => polite.close());
  const unmet = await check(polite.url);
  expect(idsOf(unmet, "skip")).toContain("rate-limit");
  expect(unmet.requests).toBeLessThan(FREE);

  const shown = await deploy(limitAfter(FREE, 8, setHeader("Retry-After", "0")));
  onTestFinished(() => shown.close());
  const met = await check(shown.url, { burstRequests: BURST });
  expect(idsOf(met, "fail")).toEqual([]);
  expect(idsOf(met, "pass")).toContain("rate-limit");
  // After the first refusal, only the requests in progress are retried.
  expect(met.requests).toBeGreaterThan(FREE);
  expect(met.requests).toBeLessThanOrEqual(FREE + 16);
});

test("a 429 that browsers cannot read, without Retry-After, fails", async () => {
  const rude = await deploy(limitAfter(FREE, 8, setHeader("Access-Control-Allow-Origin")));
  onTestFinished(() => rude.close());
  const report = await check(rude.url, { burstRequests: BURST });
  expect(idsOf(report, "fail")).toEqual(["rate-limit"]);
});

test("without a limit all requests are sent, and the check is skipped", async () => {
  const open = await deploy();
  onTestFinished(() => open.close());
  const alone = await check(open.url);
  const report = await check(open.url, { burstRequests: BURST });
  expect(report.requests).toBe(alone.requests + BURST);
  const skipped = idsOf(report, "skip").filter((id) => !id.startsWith("site."));
  expect(skipped).toEqual(["rate-limit"]);
});
