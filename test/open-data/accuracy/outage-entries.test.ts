import { expect, test } from "vitest";
import type { ToldOutage } from "../../../src/model/service/accuracy.ts";
import { listOutages } from "../../../src/open-data/accuracy/report.ts";
import { ABOUT, outageAt, truthAt } from "./sample-ledger.ts";

const told = (slug: string, text: string, changes: Partial<ToldOutage> = {}) =>
  outageAt(slug, text, { about: ABOUT, ...changes });

test("outages have an address by the minute in which they were told, the newest first", () => {
  const outages = [told("vtb", "2026-11-02T15:00"), told("mts", "2026-11-20T09:59")];
  expect(listOutages({ outages }, []).map(({ id }) => id)).toEqual([
    "mts.202611200959",
    "vtb.202611021500",
  ]);
});

test("one of which an older version kept nothing has none", () => {
  const outages = [told("vtb", "2026-11-02T15:00", { about: null })];
  expect(listOutages({ outages }, [])).toEqual([]);
});

test("those that were told within ten minutes stand together", () => {
  const outages = [
    told("a", "2026-11-02T14:49"),
    told("b", "2026-11-02T14:50"),
    told("c", "2026-11-02T15:00"),
    told("d", "2026-11-02T15:10"),
    told("e", "2026-11-02T15:11"),
  ];
  const together = listOutages({ outages }, []).map((one) => [one.slug, one.together.length]);
  expect(Object.fromEntries(together)).toEqual({ a: 1, b: 2, c: 2, d: 2, e: 1 });
  expect(listOutages({ outages }, [])[2]?.together).toEqual(["b.202611021450", "d.202611021510"]);
});

test("what the truth says of an outage is told with its sources, and nothing of others", () => {
  const outages = [told("bank", "2026-11-02T15:00"), told("bank", "2026-11-03T15:00")];
  const truth = [truthAt("2026-11-02T15:00"), truthAt("2026-11-03T14:30", { what: "worked" })];
  expect(listOutages({ outages }, truth)).toMatchObject([
    { judgement: "false", corrections: [truth[1]] },
    { judgement: "right", corrections: [truth[0]] },
  ]);
  expect(listOutages({ outages }, [])).toMatchObject([
    { judgement: null, corrections: [] },
    { judgement: null, corrections: [] },
  ]);
});

test("what goes on counts up to now: an entry without an end, and an outage", () => {
  const judge = (outage: ToldOutage, ...truth: Parameters<typeof listOutages>[1]) =>
    listOutages({ outages: [outage] }, truth)[0]?.judgement;
  const over = told("bank", "2026-11-02T15:00");
  const open = told("bank", "2026-11-02T15:00", { endedAtMs: null });
  const worked = truthAt("2026-11-02T14:30", { what: "worked", toMs: null });
  expect([judge(over, worked), judge(open, worked)]).toEqual(["false", "false"]);
  const blocked = truthAt("2026-10-20T00:00", { what: "blocked", toMs: null });
  expect(judge(over, blocked)).toBe("right");
  const later = truthAt("2026-11-05T00:00");
  expect([judge(over, later), judge(open, later)]).toEqual([null, "right"]);
  const before = truthAt("2026-11-01T00:00");
  expect(judge(open, before)).toBe(null);
});
