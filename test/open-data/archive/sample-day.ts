import type { ArchivedCheck } from "../../../src/model/service/archive.ts";
import type { SpooledRun } from "../../../src/open-data/archive/spool.ts";

const RUNS = 288;
const SERVICES = 85;
const START = 1_795_478_400;

/** Uniform in [0, 1), the same each time. */
function createNumbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** A day of 73,728 checks, as many as the shipped catalogue makes; one of fifty fails. */
export function sampleDay(): readonly SpooledRun[] {
  const random = createNumbers(7);
  return Array.from({ length: RUNS }, (_, run) => {
    const at = START + run * 300;
    const checks = Array.from({ length: SERVICES }, (__, service) => {
      const endpoints = service === 0 ? 4 : 3;
      return Array.from({ length: endpoints }, (___, endpoint): ArchivedCheck => {
        const isFailing = random() < 0.02;
        return {
          at,
          service: `service-${service}`,
          endpoint: `https://www.service-${service}.example/path${endpoint}`,
          state: isFailing ? "failed" : "ok",
          stage: isFailing ? "tcp" : null,
          code: isFailing ? "tcp-timeout" : null,
          ms: Math.round(80 + service * 3 + endpoint * 20 + random() * 60),
          network: `Network ${service % 20}`,
          vantage: "moscow",
        };
      });
    }).flat();
    return { at, checks, reports: [["service-0", 7 + (run % 12)]] };
  });
}
