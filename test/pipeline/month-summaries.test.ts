import { expect, test } from "vitest";
import { nameOfMonth, toUtcMonth } from "../../src/model/service/accuracy.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { DAY_MS } from "../../src/model/time.ts";
import { summariseMonths, viewMonths } from "../../src/pipeline/pages/month-summaries.ts";
import { at, outageAt } from "../open-data/accuracy/sample-ledger.ts";
import { serviceHistoryOf } from "../model/samples.ts";

const NOW_MS = at("2026-11-21T10:00");
const NOVEMBER = toUtcMonth(NOW_MS);
const SERVICES = [{ slug: "bank" }, { slug: "shop" }, { slug: "new" }];

/** The bank has two months with one between them, the shop a day of the present one. */
const STATE: Pick<State, "history" | "accuracy"> = {
  accuracy: {
    ...EMPTY_STATE.accuracy,
    outages: [
      outageAt("bank", "2026-09-02T10:00"),
      outageAt("bank", "2026-11-20T23:59"),
      outageAt("bank", "2026-11-21T00:00"),
      outageAt("shop", "2026-11-20T12:00"),
    ],
  },
  history: {
    ...EMPTY_STATE.history,
    services: new Map([
      [
        "bank",
        serviceHistoryOf({
          months: [{ month: NOVEMBER - 2, checks: 1_000, down: 1 }],
          days: [{ day: at("2026-11-20T00:00") / DAY_MS, counts: [98, 0, 0, 0, 1, 1] }],
        }),
      ],
      [
        "shop",
        serviceHistoryOf({
          days: [{ day: at("2026-11-20T00:00") / DAY_MS, counts: [100, 0, 0, 0, 0, 0] }],
        }),
      ],
    ]),
  },
};

test("months have the checks and outages of the days that are over", () => {
  const { ofService, ofAll } = summariseMonths(STATE, SERVICES, NOW_MS);
  expect(ofService("bank")).toEqual([
    { month: NOVEMBER - 2, checks: 1_000, down: 1, outages: 1 },
    { month: NOVEMBER, checks: 100, down: 2, outages: 1 },
  ]);
  expect(ofService("new")).toEqual([]);
  expect(ofService("gone")).toEqual([]);
  expect(ofAll).toEqual([
    { month: NOVEMBER - 2, checks: 1_000, down: 1, outages: 1 },
    { month: NOVEMBER, checks: 200, down: 2, outages: 2 },
  ]);
});

test("a page shows a gap as a gap, and twelve months at most", () => {
  const { ofService } = summariseMonths(STATE, SERVICES, NOW_MS);
  expect(viewMonths(ofService("bank"), NOW_MS)).toEqual([
    { month: "2026-11", uptime: "98.00%", outages: 1 },
    { month: "2026-10", uptime: null, outages: 0 },
    { month: "2026-09", uptime: "99.90%", outages: 1 },
  ]);
  expect(viewMonths([], NOW_MS)).toEqual([]);
  const long = [{ month: NOVEMBER - 20, checks: 1, down: 0, outages: 0 }];
  const shown = viewMonths(long, NOW_MS);
  expect(shown).toHaveLength(12);
  expect(shown.at(-1)?.month).toBe(nameOfMonth(NOVEMBER - 11));
});
