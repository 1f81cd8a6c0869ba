import { NO_MONTHS } from "./no-months.ts";
import { expect, test } from "vitest";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toUtcDay } from "../../src/model/time.ts";
import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import { planHistory } from "../../src/pipeline/pages/open-data-groups.ts";
import { viewSite } from "../../src/pipeline/pages/site-view.ts";
import { decideState } from "../../src/pipeline/publish/decide-services.ts";
import { outageAt } from "../open-data/accuracy/sample-ledger.ts";
import {
  catalogueOf,
  endpointOf,
  runMark,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../model/samples.ts";

const CATALOGUE = catalogueOf(
  ["bank", "shop"].map((slug) =>
    serviceOf(slug, [endpointOf(`https://${slug}.example.ru/`, true)]),
  ),
  [],
);

/** The bank had five outages of ten minutes, the shop one of an hour; both worked until now. */
const BEFORE: State = {
  ...EMPTY_STATE,
  publication: {
    ...EMPTY_STATE.publication,
    objects: new Map([["x", { digest: "", etag: "", isPublished: true, suspectUntilMs: 0 }]]),
  },
  accuracy: {
    ...EMPTY_STATE.accuracy,
    sinceMs: T0 - 100 * DAY_MS,
    day: toUtcDay(T0),
    outages: [60, 10, 10, 10, 10, 10].map((minutes, place) => {
      const toldAtMs = T0 - 5 * DAY_MS + place * HOUR_MS;
      const endedAtMs = toldAtMs + minutes * MINUTE_MS;
      return outageAt(place === 0 ? "shop" : "bank", "2026-11-20T10:00", { toldAtMs, endedAtMs });
    }),
  },
  verdicts: {
    ...EMPTY_STATE.verdicts,
    codes: new Map([
      ["bank", "ok"],
      ["shop", "ok"],
    ]),
  },
};

/** The state and the website after a run at T0 in which these services failed. */
function decideWith(failing: readonly string[], before: State = BEFORE, nowMs: number = T0) {
  const services = CATALOGUE.services.map(({ slug }) => {
    const checkClass = failing.includes(slug) ? "failing" : "up";
    return [slug, serviceHistoryOf({ checkClass, checkedAtMs: nowMs, sinceMs: nowMs })] as const;
  });
  const history = { ...EMPTY_STATE.history, updatedAtMs: nowMs, runs: [runMark({ atMs: nowMs })] };
  const after = { ...before, history: { ...history, services: new Map(services) } };
  const decided = decideState(CATALOGUE, before, after, nowMs, nowMs, undefined);
  const accuracy = reportAccuracy(decided.state.accuracy, []);
  const sources = {
    ...decided,
    catalogue: CATALOGUE,
    nowMs,
    reportsAtMs: nowMs,
    accuracy,
    truth: [],
    months: NO_MONTHS,
    operators: new Map(),
  };
  const address = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "" };
  return { ...decided, sources, services: viewSite(address, sources).services };
}

const OF_BANK = { of: "service", days: 90, count: 5, medianMs: 600_000, longestMs: 600_000 };
const OF_CATEGORY = { ...OF_BANK, of: "category", count: 6, longestMs: 3_600_000 };

test("a failure is told with how long outages of the service or its category lasted", async () => {
  const { state, services, sources } = decideWith(["bank", "shop"]);
  expect(state.verdicts.changes).toMatchObject([
    { slug: "bank", code: "fail", past: OF_BANK },
    { slug: "shop", code: "fail", past: OF_CATEGORY },
  ]);
  expect(services).toMatchObject([
    { slug: "bank", past: OF_BANK, pastWhenTold: OF_BANK },
    { slug: "shop", past: null, pastWhenTold: OF_CATEGORY },
  ]);
  const family = planHistory(sources);
  const bodies = await Promise.all(["bank", "shop"].map((slug) => family.build(slug)));
  const [bank, shop] = bodies.map(([document]) => Buffer.from(document?.body ?? []).toString());
  expect(bank).toContain(
    '"past":{"of":"service","days":90,"outages":5,"median":600,"longest":600}',
  );
  expect(shop).not.toContain('"past"');
});

test("what a page says of a failure stays while others end", () => {
  const begun = decideWith(["shop"]).state;
  const nowMs = T0 + 20 * MINUTE_MS;
  const longer = outageAt("bank", "2026-11-20T10:00", { toldAtMs: T0 - HOUR_MS, endedAtMs: nowMs });
  const ledger = { ...begun.accuracy, outages: [...begun.accuracy.outages, longer] };
  const { services } = decideWith(["shop"], { ...begun, accuracy: ledger }, nowMs);
  expect(services).toMatchObject([
    { slug: "bank", past: { count: 6 } },
    { slug: "shop", pastWhenTold: OF_CATEGORY },
  ]);
});

test("a service that works again tells only of its own outages", () => {
  const begun = decideWith(["bank", "shop"]).state;
  const { state, services } = decideWith([], begun, T0 + 5 * MINUTE_MS);
  expect(state.verdicts.changes.slice(2)).toMatchObject([{ code: "ok" }, { code: "ok" }]);
  expect(state.verdicts.changes.slice(2).some((change) => "past" in change)).toBe(false);
  expect(services).toMatchObject([
    { past: { count: 6, medianMs: 600_000 }, pastWhenTold: null },
    { past: null, pastWhenTold: null },
  ]);
});
