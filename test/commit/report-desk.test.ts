import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addFolded, isFolded } from "../../src/model/folded-ids.ts";
import { NOTHING_REPORTED, type Report, type ReportsState } from "../../src/model/reports.ts";
import { type CountedReports, createReportDesk, type ReportDesk } from "../../src/report-desk.ts";
import { foldReports } from "../../src/reports/fold.ts";
import { acceptedOf } from "../../src/reports/tally.ts";
import { Oracle } from "../reports/oracle.ts";

/* The real desk and the real ledger; what lies between them, the inbox and the publish, waits until it is told to go on. */

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

interface Publish {
  /** Looks at the inbox. What is written later is not in this one. */
  readonly list: () => void;
  readonly finish: () => void;
  readonly fail: () => void;
}

/** An inbox, a ledger, and a desk over both. */
function openStage(reports: ReportsState = NOTHING_REPORTED, rest = Promise.resolve()) {
  const lying = new Map<string, readonly Report[]>();
  let state = reports;
  let publish: Publish | undefined;
  const failures: unknown[] = [];
  const pauses: number[] = [];
  const clock = { nowMs: NOW_MS };

  const count = (nowMs: number): CountedReports => {
    const fresh = [...lying].filter(([id]) => !isFolded(state.folded, id));
    const all = fresh.flatMap(([, those]) => those);
    state = {
      ledger: foldReports(state.ledger, all, nowMs).ledger,
      folded: addFolded(
        state.folded,
        fresh.map(([id]) => id),
        nowMs,
      ),
    };
    return { accepted: acceptedOf(state.ledger), folded: state.folded };
  };
  const desk = createReportDesk(
    {
      publish: (nowMs) =>
        new Promise((resolve, reject) => {
          let counted: CountedReports | undefined;
          const list = () => (counted ??= count(nowMs));
          const end = (act: () => void) => () => {
            publish = undefined;
            act();
          };
          publish = {
            list,
            finish: end(() => resolve(list())),
            fail: end(() => reject(new Error("the store is down"))),
          };
        }),
      wallMs: () => clock.nowMs,
      pause: async (ms) => {
        pauses.push(ms);
        await rest;
      },
      onFailure: (error) => failures.push(error),
    },
    reports.ledger,
  );
  return { desk, lying, failures, pauses, clock, publish: () => publish };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

function reportOf(network: string, atMs = NOW_MS, slug = "alpha"): Report {
  return { slug, atMs, network, block: network };
}

function idOf(number: number): string {
  return `0000000000001-2f1d8f0a-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

const dayOf = (desk: ReportDesk): number => desk.countsOf("alpha").day;

test("whatever is published when, and wherever reports are kept, each network is in the answers once", async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom("inbox" as const, "journal" as const, "answered late" as const),
      networks: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom("replay", "told", "list", "finish", "finish", "fail", "empty"),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { desk, lying, publish } = openStage();
      const told = new Set<string>();
      const untold = new Set<string>();
      const journal: Report[][] = [];
      const waiting: (() => void)[] = [];
      let [number, atMs] = [0, 0];
      const write = (reports: readonly Report[]): string => {
        const id = idOf((number += 1));
        lying.set(id, reports);
        return id;
      };
      for (const one of steps) {
        if ("networks" in one) {
          // Who reports again while the first report waits elsewhere may be in the answers twice until both are published.
          const mark = one.kind === "inbox" ? "n" : `${atMs}-`;
          const reports = one.networks.map((network) =>
            reportOf(`${mark}${network}`, NOW_MS + (atMs += 1)),
          );
          const names = reports.map(({ network }) => network);
          const tell = (act: () => void) => () => {
            for (const name of names) told.add(name);
            act();
          };
          if (one.kind === "journal") {
            journal.push(reports);
            tell(() => desk.accept(reports, { in: "journal" }))();
          } else {
            const id = write(reports);
            for (const name of names) untold.add(name);
            const answer = tell(() => desk.accept(reports, { in: "inbox", id }));
            if (one.kind === "inbox") answer();
            else waiting.push(answer);
          }
        } else if (one.kind === "told") waiting.shift()?.();
        else if (one.kind === "replay") {
          const reports = journal.shift();
          if (reports !== undefined) desk.moveToInbox(reports, write(reports));
        } else if (one.kind === "empty") {
          if (journal.length === 0) desk.noteEmptyJournal();
        } else if (one.kind === "list") publish()?.list();
        else if (one.kind === "finish") publish()?.finish();
        else publish()?.fail();
        await settle();
        // What lies in the store and was not answered yet may be in a publish already.
        const all = new Set([...told, ...untold]);
        expect(dayOf(desk)).toBeGreaterThanOrEqual(told.size);
        expect(dayOf(desk)).toBeLessThanOrEqual(all.size);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("whatever a single block sends, the answers say what the ledger will count", async () => {
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        block: fc.constantFrom("flood", "flood", "a", "b", "c", "d"),
        count: fc.integer({ min: 1, max: 25 }),
      }),
    },
    { weight: 2, arbitrary: fc.constantFrom("list" as const, "finish" as const, "fail" as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25, size: "max" }), async (steps) => {
      const { desk, lying, publish } = openStage();
      const oracle = new Oracle();
      let number = 0;
      for (const one of steps) {
        if (typeof one === "string") publish()?.[one]();
        else {
          const reports = Array.from({ length: one.count }, () => {
            number += 1;
            return { ...reportOf(`n${number}`, NOW_MS + number), block: one.block };
          });
          oracle.take(reports);
          lying.set(idOf(number), reports);
          desk.accept(reports, { in: "inbox", id: idOf(number) });
        }
        await settle();
        expect(desk.countsOf("alpha")).toEqual({
          hour: oracle.hour("alpha", NOW_MS),
          day: oracle.day("alpha", NOW_MS),
        });
      }
    }),
    { numRuns: 60 },
  );
});

test("a flood of one block that waited in the journal counts no more when it is replayed", async () => {
  const { desk, lying, publish } = openStage();
  const flood = Array.from({ length: 100 }, (_, place) => ({
    ...reportOf(`f${place}`),
    block: "flood",
  }));
  const others = Array.from({ length: 40 }, (_, place) => reportOf(`o${place}`, NOW_MS + 1));
  desk.accept(flood, { in: "journal" });
  expect(dayOf(desk)).toBe(15);
  desk.accept(others, { in: "journal" });
  expect(dayOf(desk)).toBe(80);
  for (const [number, reports] of [flood, others].entries()) {
    lying.set(idOf(number), reports);
    desk.moveToInbox(reports, idOf(number));
    expect(dayOf(desk)).toBe(80);
    publish()?.finish();
    await settle();
    expect(dayOf(desk)).toBe(80);
  }
  desk.noteEmptyJournal();
  expect(dayOf(desk)).toBe(80);
});

describe("reports in the journal", () => {
  test("stay in the answers when a publish without them ends, until they are replayed and published", async () => {
    const { desk, lying, publish } = openStage();
    const reports = [reportOf("a"), reportOf("b")];
    desk.accept(reports, { in: "journal" });
    desk.poke();
    publish()?.finish();
    await settle();
    expect(dayOf(desk)).toBe(2);
    lying.set(idOf(1), reports);
    desk.moveToInbox(reports, idOf(1));
    desk.noteEmptyJournal();
    expect(dayOf(desk)).toBe(2);
    publish()?.finish();
    await settle();
    expect(dayOf(desk)).toBe(2);
    expect(publish()).toBeUndefined();
  });

  test("that are no longer in any window are not in the answers either, though they wait", async () => {
    const { desk, clock } = openStage();
    desk.accept([reportOf("a"), reportOf("b", NOW_MS + 30 * MINUTE_MS)], { in: "journal" });
    clock.nowMs = NOW_MS + 61 * MINUTE_MS;
    expect(desk.countsOf("alpha")).toEqual({ hour: 1, day: 2 });
    clock.nowMs = NOW_MS + 1_500 * MINUTE_MS;
    expect(desk.countsOf("alpha")).toEqual({ hour: 0, day: 0 });
  });
});

/** Bytes of the heap that are in use, after everything that can go has gone. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("while nothing can be published, a million reports take no more room than the networks that are remembered", async () => {
  const { desk, publish } = openStage();
  const before = heapBytes();
  const send = (first: number): void => {
    for (let number = first; number < first + 500; number += 1) {
      const those = Array.from({ length: 1_000 }, (_, place) => reportOf(`n${number}-${place}`));
      desk.accept(those, number % 2 === 0 ? { in: "inbox", id: idOf(number) } : { in: "journal" });
    }
  };
  send(0);
  publish()?.fail();
  await settle();
  send(500);
  expect(dayOf(desk)).toBe(1_000_000);
  expect(heapBytes() - before).toBeLessThan(40_000_000);
});

test("networks that the ledger knows count no second time within the hour, and others may", async () => {
  const { ledger } = foldReports(
    NOTHING_REPORTED.ledger,
    [reportOf("a"), reportOf("a", NOW_MS, "beta"), reportOf("old", NOW_MS - 61 * MINUTE_MS)],
    NOW_MS,
  );
  const { desk } = openStage({ ...NOTHING_REPORTED, ledger });
  expect(desk.countsOf("alpha")).toEqual({ hour: 1, day: 2 });
  const reports = [reportOf("a"), reportOf("old"), reportOf("new"), reportOf("new")];
  desk.accept(reports, { in: "inbox", id: idOf(1) });
  expect(desk.countsOf("alpha")).toEqual({ hour: 3, day: 4 });
  expect(desk.countsOf("beta")).toEqual({ hour: 1, day: 1 });
  expect(desk.countsOf("gamma")).toEqual({ hour: 0, day: 0 });
});

test("a publish that fails is tried again, and the desk ends after the one in hand", async () => {
  const { desk, failures, publish } = openStage();
  desk.accept([reportOf("a")], { in: "inbox", id: idOf(1) });
  publish()?.fail();
  await settle();
  expect(failures).toHaveLength(1);
  expect(publish()).toBeDefined();
  let isClosed = false;
  const closing = desk.close().then(() => (isClosed = true));
  await settle();
  expect(isClosed).toBe(false);
  publish()?.finish();
  await closing;
  expect(publish()).toBeUndefined();
});

test("the longer a publish takes, the longer the rest before the next; clocks that are set make no difference", async () => {
  const { desk, clock, pauses, publish } = openStage();
  for (const tookMs of [5, 150, 900, 20_000, -3_600_000, 3_600_000]) {
    desk.poke();
    clock.nowMs += tookMs;
    publish()?.finish();
    await settle();
  }
  expect(pauses).toEqual([100, 100, 450, 1_000, 100, 1_000]);
});

test("the more reports a publish has in it, the longer the rest before the next", async () => {
  const { desk, lying, pauses, publish } = openStage();
  const pass = async (number: number, count: number): Promise<void> => {
    const reports = Array.from({ length: count }, (_, at) => reportOf(`${number}-${at}`));
    lying.set(idOf(number), reports);
    desk.accept(reports, { in: "inbox", id: idOf(number) });
    publish()?.finish();
    await settle();
  };
  for (const [at, count] of [10, 100, 300, 5_000, 1].entries()) await pass(at + 1, count);
  expect(pauses).toEqual([100, 200, 600, 3_000, 100]);
});

test("it has begun when the first publish has ended, well or not", async () => {
  for (const how of ["finish", "fail"] as const) {
    const { desk, publish } = openStage();
    let hasBegun = false;
    void desk.begun.then(() => (hasBegun = true));
    desk.poke();
    await settle();
    expect(hasBegun).toBe(false);
    publish()?.[how]();
    await settle();
    expect(hasBegun).toBe(true);
  }
});

test("who closes waits for no rest, and what was accepted in it is published", async () => {
  const endless = new Promise<void>(() => undefined);
  const { desk, lying, publish } = openStage(NOTHING_REPORTED, endless);
  desk.poke();
  publish()?.finish();
  await settle();
  lying.set(idOf(1), [reportOf("a")]);
  desk.accept([reportOf("a")], { in: "inbox", id: idOf(1) });
  await settle();
  expect(publish()).toBeUndefined();
  const closed = desk.close();
  await settle();
  publish()?.finish();
  await closed;
  expect(dayOf(desk)).toBe(1);
});
