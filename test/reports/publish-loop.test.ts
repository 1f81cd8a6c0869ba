import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addFolded, isFolded } from "../../src/model/folded-ids.ts";
import {
  NOTHING_REPORTED,
  type Report,
  type ReportsState,
} from "../../src/model/service/reports.ts";
import {
  type CountedReports,
  createReportPublishLoop,
  type ReportPublishLoop,
} from "../../src/reports/publish-loop.ts";
import { foldReports } from "../../src/reports/counting/fold-reports.ts";
import { acceptedOf } from "../../src/reports/counting/pending-counts.ts";
import { Oracle } from "./counting/oracle.ts";

/* The real loop and the real ledger. The test controls the inbox and the publish between them. */

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;

interface Publish {
  /** Lists the inbox. Objects that are written later are not in this publish. */
  readonly list: () => void;
  readonly finish: () => void;
  readonly fail: () => void;
}

/** An inbox, a ledger, and a loop over both. */
function openWorkspace(reports: ReportsState = NOTHING_REPORTED, rest = Promise.resolve()) {
  const inbox = new Map<string, readonly Report[]>();
  let state = reports;
  let publish: Publish | undefined;
  const failures: unknown[] = [];
  const pauses: number[] = [];
  const clock = { nowMs: NOW_MS };

  const count = (nowMs: number): CountedReports => {
    const fresh = [...inbox].filter(([id]) => !isFolded(state.folded, id));
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
  const loop = createReportPublishLoop(
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
      now: () => clock.nowMs,
      pause: async (ms) => {
        pauses.push(ms);
        await rest;
      },
      onFailure: (error) => failures.push(error),
    },
    reports.ledger,
  );
  return { loop, inbox, failures, pauses, clock, publish: () => publish };
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

const dayOf = (loop: ReportPublishLoop): number => loop.countsOf("alpha").day;

test("the age of the last publish is that of what it has read", async () => {
  const { loop, clock, publish } = openWorkspace();
  clock.nowMs += 1_000;
  expect(loop.sincePublishMs()).toBe(1_000);
  loop.request();
  await settle();
  clock.nowMs += 500;
  publish()?.fail();
  await settle();
  expect(loop.sincePublishMs()).toBe(1_500);
  loop.request();
  await settle();
  clock.nowMs += 700;
  publish()?.finish();
  await settle();
  expect(loop.sincePublishMs()).toBe(700);
});

test("each network counts once, in any order of publishes, inbox and journal", async () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constantFrom("inbox" as const, "journal" as const, "answered late" as const),
      networks: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      kind: fc.constantFrom("replay", "answered", "list", "finish", "finish", "fail", "empty"),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { loop, inbox, publish } = openWorkspace();
      const answered = new Set<string>();
      const unanswered = new Set<string>();
      const journal: Report[][] = [];
      const waiting: (() => void)[] = [];
      let [number, atMs] = [0, 0];
      const write = (reports: readonly Report[]): string => {
        const id = idOf((number += 1));
        inbox.set(id, reports);
        return id;
      };
      for (const one of steps) {
        if ("networks" in one) {
          // A second report of a network may count twice until both are published, if the first one waits elsewhere.
          const mark = one.kind === "inbox" ? "n" : `${atMs}-`;
          const reports = one.networks.map((network) =>
            reportOf(`${mark}${network}`, NOW_MS + (atMs += 1)),
          );
          const names = reports.map(({ network }) => network);
          const answerAfter = (act: () => void) => () => {
            for (const name of names) answered.add(name);
            act();
          };
          if (one.kind === "journal") {
            journal.push(reports);
            answerAfter(() => loop.accept(reports, { in: "journal" }))();
          } else {
            const id = write(reports);
            for (const name of names) unanswered.add(name);
            const answer = answerAfter(() => loop.accept(reports, { in: "inbox", id }));
            if (one.kind === "inbox") answer();
            else waiting.push(answer);
          }
        } else if (one.kind === "answered") waiting.shift()?.();
        else if (one.kind === "replay") {
          const reports = journal.shift();
          if (reports !== undefined) loop.moveToInbox(reports, write(reports));
        } else if (one.kind === "empty") {
          if (journal.length === 0) loop.clearJournal();
        } else if (one.kind === "list") publish()?.list();
        else if (one.kind === "finish") publish()?.finish();
        else publish()?.fail();
        await settle();
        // A report in the store may be published before its response.
        const all = new Set([...answered, ...unanswered]);
        expect(dayOf(loop)).toBeGreaterThanOrEqual(answered.size);
        expect(dayOf(loop)).toBeLessThanOrEqual(all.size);
      }
    }),
    { numRuns: 1_000 },
  );
});

test("the counts include what the ledger will count, for any flood of a single block", async () => {
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
      const { loop, inbox, publish } = openWorkspace();
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
          inbox.set(idOf(number), reports);
          loop.accept(reports, { in: "inbox", id: idOf(number) });
        }
        await settle();
        expect(loop.countsOf("alpha")).toEqual({
          hour: oracle.hour("alpha", NOW_MS),
          day: oracle.day("alpha", NOW_MS),
        });
      }
    }),
    { numRuns: 60 },
  );
});

test("a flood of one block in the journal does not count more after the replay", async () => {
  const { loop, inbox, publish } = openWorkspace();
  const flood = Array.from({ length: 100 }, (_, place) => ({
    ...reportOf(`f${place}`),
    block: "flood",
  }));
  const others = Array.from({ length: 40 }, (_, place) => reportOf(`o${place}`, NOW_MS + 1));
  loop.accept(flood, { in: "journal" });
  expect(dayOf(loop)).toBe(15);
  loop.accept(others, { in: "journal" });
  expect(dayOf(loop)).toBe(80);
  for (const [number, reports] of [flood, others].entries()) {
    inbox.set(idOf(number), reports);
    loop.moveToInbox(reports, idOf(number));
    expect(dayOf(loop)).toBe(80);
    publish()?.finish();
    await settle();
    expect(dayOf(loop)).toBe(80);
  }
  loop.clearJournal();
  expect(dayOf(loop)).toBe(80);
});

describe("reports in the journal", () => {
  test("stay in the counts until they are replayed and published", async () => {
    const { loop, inbox, publish } = openWorkspace();
    const reports = [reportOf("a"), reportOf("b")];
    loop.accept(reports, { in: "journal" });
    loop.request();
    publish()?.finish();
    await settle();
    expect(dayOf(loop)).toBe(2);
    inbox.set(idOf(1), reports);
    loop.moveToInbox(reports, idOf(1));
    loop.clearJournal();
    expect(dayOf(loop)).toBe(2);
    publish()?.finish();
    await settle();
    expect(dayOf(loop)).toBe(2);
    expect(publish()).toBeUndefined();
  });

  test("are not in the counts when they have left every window", async () => {
    const { loop, clock } = openWorkspace();
    loop.accept([reportOf("a"), reportOf("b", NOW_MS + 30 * MINUTE_MS)], { in: "journal" });
    clock.nowMs = NOW_MS + 61 * MINUTE_MS;
    expect(loop.countsOf("alpha")).toEqual({ hour: 1, day: 2 });
    clock.nowMs = NOW_MS + 1_500 * MINUTE_MS;
    expect(loop.countsOf("alpha")).toEqual({ hour: 0, day: 0 });
  });
});

/** Bytes of the heap in use after a garbage collection. */
function heapBytes(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

test("a million unpublished reports take only the memory of the stored networks", async () => {
  const { loop, publish } = openWorkspace();
  const before = heapBytes();
  const send = (first: number): void => {
    for (let number = first; number < first + 500; number += 1) {
      const those = Array.from({ length: 1_000 }, (_, place) => reportOf(`n${number}-${place}`));
      loop.accept(those, number % 2 === 0 ? { in: "inbox", id: idOf(number) } : { in: "journal" });
    }
  };
  send(0);
  publish()?.fail();
  await settle();
  send(500);
  expect(dayOf(loop)).toBe(1_000_000);
  expect(heapBytes() - before).toBeLessThan(40_000_000);
});

test("networks of the ledger do not count again within the hour, and others do", async () => {
  const { ledger } = foldReports(
    NOTHING_REPORTED.ledger,
    [reportOf("a"), reportOf("a", NOW_MS, "beta"), reportOf("old", NOW_MS - 61 * MINUTE_MS)],
    NOW_MS,
  );
  const { loop } = openWorkspace({ ...NOTHING_REPORTED, ledger });
  expect(loop.countsOf("alpha")).toEqual({ hour: 1, day: 2 });
  const reports = [reportOf("a"), reportOf("old"), reportOf("new"), reportOf("new")];
  loop.accept(reports, { in: "inbox", id: idOf(1) });
  expect(loop.countsOf("alpha")).toEqual({ hour: 3, day: 4 });
  expect(loop.countsOf("beta")).toEqual({ hour: 1, day: 1 });
  expect(loop.countsOf("gamma")).toEqual({ hour: 0, day: 0 });
});

test("a failed publish is retried, and the loop ends after the running one", async () => {
  const { loop, failures, pauses, publish } = openWorkspace();
  loop.accept([reportOf("a")], { in: "inbox", id: idOf(1) });
  publish()?.fail();
  await settle();
  expect(failures).toHaveLength(1);
  expect(pauses).toEqual([2_000]);
  expect(publish()).toBeDefined();
  let isClosed = false;
  const closing = loop.close().then(() => (isClosed = true));
  await settle();
  expect(isClosed).toBe(false);
  publish()?.finish();
  await closing;
  expect(publish()).toBeUndefined();
});

test("a longer publish is followed by a longer pause, even if the clock is set", async () => {
  const { loop, clock, pauses, publish } = openWorkspace();
  for (const tookMs of [5, 150, 900, 20_000, -3_600_000, 3_600_000]) {
    loop.request();
    clock.nowMs += tookMs;
    publish()?.finish();
    await settle();
  }
  expect(pauses).toEqual([100, 100, 450, 1_000, 100, 1_000]);
});

test("a publish of more reports is followed by a longer rest", async () => {
  const { loop, inbox, pauses, publish } = openWorkspace();
  const pass = async (number: number, count: number): Promise<void> => {
    const reports = Array.from({ length: count }, (_, at) => reportOf(`${number}-${at}`));
    inbox.set(idOf(number), reports);
    loop.accept(reports, { in: "inbox", id: idOf(number) });
    publish()?.finish();
    await settle();
  };
  for (const [at, count] of [10, 100, 300, 5_000, 1].entries()) await pass(at + 1, count);
  expect(pauses).toEqual([100, 200, 600, 3_000, 100]);
});

test("firstPublish resolves when the first publish succeeds or fails", async () => {
  for (const how of ["finish", "fail"] as const) {
    const { loop, publish } = openWorkspace();
    let hasPublished = false;
    void loop.firstPublish.then(() => (hasPublished = true));
    loop.request();
    await settle();
    expect(hasPublished).toBe(false);
    publish()?.[how]();
    await settle();
    expect(hasPublished).toBe(true);
  }
});

test("close does not wait for a rest, and reports accepted in it are published", async () => {
  const endless = new Promise<void>(() => undefined);
  const { loop, inbox, publish } = openWorkspace(NOTHING_REPORTED, endless);
  loop.request();
  publish()?.finish();
  await settle();
  inbox.set(idOf(1), [reportOf("a")]);
  loop.accept([reportOf("a")], { in: "inbox", id: idOf(1) });
  await settle();
  expect(publish()).toBeUndefined();
  const closed = loop.close();
  await settle();
  publish()?.finish();
  await closed;
  expect(dayOf(loop)).toBe(1);
});
