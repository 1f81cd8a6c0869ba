import { describe, expect, test } from "vitest";
import { addFolded, type FoldedIds } from "../../../src/model/folded-ids.ts";
import { EMPTY_LEDGER, type Report } from "../../../src/model/service/reports.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import {
  acceptedOf,
  countColumns,
  createTally,
  createUnpublished,
} from "../../../src/reports/counting/pending-counts.ts";
import { crowd, HOUR_MS, MINUTE_MS, NOON_MS } from "./samples.ts";

const NOTHING = { hour: 0, day: 0 };
const both = (count: number) => ({ hour: count, day: count });
const reports = (count: number, name = "n"): readonly Report[] =>
  crowd(count, NOON_MS, "bank", name);
const folded = (...ids: readonly string[]): FoldedIds => addFolded(new Map(), ids, NOON_MS);

describe("counts of columns of minutes", () => {
  const one = (minute: number) => ({
    minutes: Uint32Array.of(minute),
    accepted: Uint32Array.of(3),
  });
  const now = NOON_MS / MINUTE_MS;

  test.each([
    ["this minute", now, both(3)],
    ["59 minutes ago", now - 59, both(3)],
    ["60 minutes ago", now - 60, { hour: 0, day: 3 }],
    ["1,439 minutes ago", now - 1_439, { hour: 0, day: 3 }],
    ["1,440 minutes ago", now - 1_440, NOTHING],
    ["the next minute", now + 1, NOTHING],
  ])("have what came %s as the documents do", (_, minute, counts) => {
    expect(countColumns(one(minute), NOON_MS)).toEqual(counts);
    expect(countColumns(one(minute), NOON_MS + MINUTE_MS - 1)).toEqual(counts);
  });

  test("are sums, and 0 of a service without reports", () => {
    const minutes = Uint32Array.of(now - 1_500, now - 100, now - 1, now, now + 1);
    const accepted = Uint32Array.of(100, 1, 2, 4, 50);
    expect(countColumns({ minutes, accepted }, NOON_MS)).toEqual({ hour: 6, day: 7 });
    expect(countColumns(undefined, NOON_MS)).toEqual(NOTHING);
  });

  test("are those of a ledger", () => {
    const { ledger } = foldReports(EMPTY_LEDGER, reports(70), NOON_MS + 2 * MINUTE_MS);
    const columns = acceptedOf(ledger).get("bank");
    expect([...(columns?.minutes ?? [])]).toEqual([now, now + 1]);
    expect([...(columns?.accepted ?? [])]).toEqual([60, 10]);
  });
});

describe("a tally", () => {
  const [first = { slug: "", atMs: 0, network: "", block: "" }] = reports(1);

  test("adds and subtracts by service and minute, and never has less than nothing", () => {
    const tally = createTally();
    tally.add(first, 2);
    expect(tally.count("bank", NOON_MS)).toEqual(both(2));
    expect(tally.count("shop", NOON_MS)).toEqual(NOTHING);
    expect(tally.subtract(first, 2)).toBe(true);
    expect(tally.count("bank", NOON_MS)).toEqual(NOTHING);
    tally.add(first, 1);
    expect(tally.subtract(first, 2)).toBe(false);
    expect(tally.count("bank", NOON_MS)).toEqual(NOTHING);
    tally.add(first, 1);
    expect(tally.count("bank", NOON_MS)).toEqual(both(1));
  });

  test("keeps no minute without reports, and nothing after it is cleared", () => {
    const tally = createTally();
    tally.add(first, 1);
    tally.subtract(first, 1);
    expect([...(tally.services.get("bank") ?? [])]).toEqual([]);
    tally.add(first, 1);
    tally.clear();
    expect(tally.count("bank", NOON_MS)).toEqual(NOTHING);
  });

  test("takes all of another", () => {
    const [tally, other] = [createTally(), createTally()];
    for (const report of reports(70)) other.add(report, 1);
    tally.add(first, 1);
    tally.addAll(other.services);
    expect(tally.count("bank", NOON_MS + HOUR_MS)).toEqual({ hour: 10, day: 71 });
  });
});

describe("reports that are not published yet", () => {
  const counted = (unpublished: ReturnType<typeof createUnpublished>) =>
    unpublished.count("bank", NOON_MS + MINUTE_MS).day;

  test("count in the inbox and in the journal, each network once", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.accept(reports(3), "one");
    unpublished.accept(reports(2, "m"));
    unpublished.accept(reports(3), "two");
    expect(counted(unpublished)).toBe(5);
    expect(unpublished.count("shop", NOON_MS)).toEqual(NOTHING);
  });

  test("no longer count when a publish has counted them", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.accept(reports(3), "one");
    const finish = unpublished.beginPublish();
    unpublished.accept(reports(2, "m"), "two");
    unpublished.accept(reports(1, "k"), "three");
    expect(counted(unpublished)).toBe(6);
    // It has also read what came while it ran.
    finish(folded("one", "three"));
    expect(counted(unpublished)).toBe(2);
  });

  test("do not count at all when the publish ended before the answer to their write", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.beginPublish()(folded("one"));
    unpublished.accept(reports(3), "one");
    expect(counted(unpublished)).toBe(0);
  });

  test("go on counting after a publish that failed, until the next", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.accept(reports(3), "one");
    unpublished.beginPublish();
    unpublished.failPublish();
    unpublished.accept(reports(2, "m"), "two");
    expect(counted(unpublished)).toBe(5);
    unpublished.beginPublish()(folded("one", "two"));
    expect(counted(unpublished)).toBe(0);
  });

  test("of the journal count once when they move to the inbox", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    const written = reports(3);
    unpublished.accept(written);
    unpublished.moveToInbox(written, "one");
    expect(counted(unpublished)).toBe(3);
    unpublished.beginPublish()(folded("one"));
    expect(counted(unpublished)).toBe(0);
  });

  test("of the journal of an earlier process are not known, and so do not count", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.moveToInbox(reports(3), "one");
    expect(counted(unpublished)).toBe(0);
  });

  test("of the journal are forgotten when it is empty", () => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    unpublished.accept(reports(3));
    unpublished.accept(reports(2, "m"), "two");
    unpublished.clearJournal();
    expect(counted(unpublished)).toBe(2);
  });

  test.each([
    [500, 500],
    [501, 0],
  ])("of %i objects that came during a publish, %i go on counting after it", (came, stay) => {
    const unpublished = createUnpublished(EMPTY_LEDGER);
    const finish = unpublished.beginPublish();
    for (const [number, one] of reports(came).entries())
      unpublished.accept([one], `object-${number}`);
    const countAll = () => unpublished.count("bank", NOON_MS + 10 * MINUTE_MS).day;
    expect(countAll()).toBe(came);
    // Objects beyond 500 are counted as a whole: the publish has read nearly all of them.
    finish(folded("another"));
    expect(countAll()).toBe(stay);
  });
});
