import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";
import { isFull } from "../depth.ts";
import { simulate } from "./simulate.ts";

/** All services, among so much noise that five days have false outages. */
function simulateFiveDays(seed: number) {
  const parsed = parseCatalogue(readFileSync(new URL("../../catalogue.yaml", import.meta.url)));
  if (parsed.kind === "invalid") throw new Error("the shipped catalogue is invalid");
  const options = { warmDays: 0, days: 5, profile: "hostile", clock: () => 0 } as const;
  return simulate(parsed.catalogue, { ...options, seed, onDay: () => undefined });
}

// The sums are in docs/open-data.md, "What the suspicion finds".
// A minute and more, because false outages have become rare.
test.runIf(isFull).each([1, 3, 6])(
  "the record suspects most of the outages that were false, seed %i",
  async (seed) => {
    const { ledger } = await simulateFiveDays(seed);
    expect(ledger.false).toBeGreaterThan(0);
    expect(ledger.suspected).toBeGreaterThan(ledger.false / 2);
    // There are no reports here, so short true outages are suspected as well.
    expect(ledger.suspicions).toBeGreaterThanOrEqual(ledger.suspected);
  },
);
