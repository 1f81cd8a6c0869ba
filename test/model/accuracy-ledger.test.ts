import { expect, test } from "vitest";
import * as z from "zod";
import { ACCURACY, type AccuracyLedger, NO_ACCURACY } from "../../src/model/service/accuracy.ts";
import { countersOf, outageAt, TWO_MONTHS } from "../open-data/accuracy/sample-ledger.ts";
import { STATE } from "../state/codec/sample-state.ts";

test("every ledger is read as it was written, with each flag of an outage", () => {
  const flagged = ["isReported", "isSeenElsewhere", "isLookedAtElsewhere"].map((flag) =>
    outageAt("bank", "2026-11-12T10:05", { [flag]: true }),
  );
  const ledgers = [NO_ACCURACY, TWO_MONTHS, STATE.accuracy, { ...TWO_MONTHS, outages: flagged }];
  for (const ledger of ledgers)
    expect(z.decode(ACCURACY, z.encode(ACCURACY, ledger))).toEqual(ledger);
});

test("a month with three outages takes less than 300 bytes, before compression", () => {
  const bytesOf = (ledger: AccuracyLedger): number =>
    JSON.stringify(z.encode(ACCURACY, ledger)).length;
  const month = {
    month: 683,
    ...countersOf({
      runs: 8_928,
      congestedRuns: 12,
      serviceNoneMinutes: 3_400,
      runnerNoneMinutes: 40,
      compared: 758_880,
    }),
  };
  const outages = ["05", "12", "28"].map((day) => outageAt("sberbank", `2026-12-${day}T10:05`));
  const grown = {
    ...TWO_MONTHS,
    months: [...TWO_MONTHS.months, month],
    outages: [...TWO_MONTHS.outages, ...outages],
  };
  expect(bytesOf(grown) - bytesOf(TWO_MONTHS)).toBeLessThan(300);
});

test("a damaged record is refused, not read as something else", () => {
  const wire = z.encode(ACCURACY, TWO_MONTHS);
  const [outage] = wire.outages;
  const broken = [
    { ...wire, today: [1, 2, 3] },
    { ...wire, today: [-1, 0, 0, 0, 0, 0] },
    { ...wire, outages: [outage?.with(3, 4)] },
    { ...wire, outages: [outage?.with(4, 16)] },
    { ...wire, more: 1 },
  ];
  for (const one of broken) expect(ACCURACY.safeParse(one).success).toBe(false);
  expect(ACCURACY.safeParse(wire).success).toBe(true);
});
