import { describe, expect, test } from "vitest";
import { toSlot } from "../../../src/monitors/uptime/time-slots.ts";
import type { EndpointResult, Outcome } from "../../../src/model/probe-outcome.ts";
import type { RunEvent } from "../../../src/model/run-event.ts";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../../src/model/store.ts";
import { decodeSpool } from "../../../src/open-data/archive/spool.ts";
import {
  beginArchive,
  isSealingDue,
  sealArchive,
  spoolRun,
} from "../../../src/pipeline/run/archive-step.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";
import { closeMonths, sealDay, sealMonths } from "../../../src/pipeline/run/seal-parts.ts";
import {
  encodeHours,
  HOURS_FILE,
  listSpool,
  readArchiveFile,
  readClosedDays,
  readSpool,
  sealArchiveFile,
  writeSpool,
} from "../../../src/state/archive-store.ts";
import { countRequests } from "../../../src/store/request-counter.ts";
import {
  endpointOf,
  failed,
  minutes,
  resultOf,
  runMark,
  serviceOf,
  traceOf,
} from "../../model/samples.ts";
import { changeOf } from "../../model/verdict-changes.ts";
import { createMemoryStore } from "../../store/memory-store.ts";

const DAY_MS = 86_400_000;
const DAY = 20_780;
const NOON_MS = DAY * DAY_MS + DAY_MS / 2;

const archivedUntil = (sealedDay: number): State => ({
  ...EMPTY_STATE,
  archive: { ...EMPTY_STATE.archive, sealedDay },
});

function open(store: ObjectStore = createMemoryStore()) {
  const stateStore = countRequests(store);
  const events: RunEvent[] = [];
  const emit = (event: RunEvent): void => void events.push(event);
  const networkOf = (address: string) => `network of ${address}`;
  return { deps: { stateStore, emit, networkOf }, stateStore, events };
}

/** What a run at noon keeps of a service with one endpoint for each result. */
async function keepAtNoon(results: readonly EndpointResult[], state: State = EMPTY_STATE) {
  const { deps, stateStore, events } = open();
  const urls = results.map((_, at) => `https://e${at}.example/`);
  const services = [
    serviceOf(
      "bank",
      urls.map((url) => endpointOf(url, true)),
    ),
  ];
  const measured = new Map(results.map((result, at) => [urls[at] ?? "", result]));
  await spoolRun(deps, services, measured, state, NOON_MS);
  const [body = new Uint8Array()] = await readSpool(stateStore, [toSlot(NOON_MS)]);
  return {
    run: decodeSpool(body),
    events,
    again: () => spoolRun(deps, services, measured, state, NOON_MS),
  };
}

describe("what a run keeps", () => {
  const trace = traceOf(200, { address: "192.0.2.1" });
  const answered: Outcome = { kind: "ok", trace };
  const none = { stage: null, code: null, network: "network of 192.0.2.1" };

  test.each<[string, EndpointResult, object]>([
    ["ok", resultOf(answered), { ...none, ms: 200 }],
    ["flaky", resultOf(answered, true), { ...none, ms: 200 }],
    [
      "wall",
      resultOf({ kind: "ok", trace: { ...trace, wall: "qrator" } }, true),
      { ...none, ms: 200 },
    ],
    ["denied", resultOf({ kind: "denied", trace }, true), { ...none, ms: 200 }],
    [
      "failed",
      resultOf(failed("tls-reset", { address: "192.0.2.1" })),
      { ...none, ms: 90, stage: "tls", code: "tls-reset" },
    ],
    ["ok", resultOf({ kind: "ok", trace: traceOf(7) }), { ...none, ms: 7, network: null }],
    [
      "skipped",
      resultOf({ kind: "skipped", reason: "deadline" }),
      { ...none, ms: null, network: null },
    ],
  ])("of an endpoint that was %s", async (state, result, expected) => {
    const { run, events } = await keepAtNoon([result]);
    expect(run).toEqual({
      at: NOON_MS / 1_000,
      checks: [
        {
          at: NOON_MS / 1_000,
          service: "bank",
          endpoint: "https://e0.example/",
          state,
          vantage: "moscow",
          ...expected,
        },
      ],
      reports: [],
    });
    expect(events).toEqual([]);
  });

  test("has the reports of the last hour, of services with at least five", async () => {
    const reportsOf = (slug: string, count: number) =>
      Array.from({ length: count }, (_, at) => {
        const name = `${slug}${at}`;
        return { slug, atMs: NOON_MS - minutes(at + 1), network: name, block: name };
      });
    const reports = [...reportsOf("bank", 5), ...reportsOf("shop", 4)];
    const { ledger } = foldReports(EMPTY_STATE.reports.ledger, reports, NOON_MS);
    const state = { ...EMPTY_STATE, reports: { ...EMPTY_STATE.reports, ledger } };
    expect((await keepAtNoon([], state)).run?.reports).toEqual([["bank", 5]]);
  });

  test("is of the first run of its five minutes, and of no day that is sealed", async () => {
    const { events, again } = await keepAtNoon([]);
    await again();
    // The same bytes are those of a request whose answer was lost.
    expect(events).toEqual([]);
    const { deps, stateStore, events: told } = open();
    const taken = new Map([["https://a.example/", resultOf(answered)]]);
    const services = [serviceOf("a", [endpointOf("https://a.example/", true)])];
    await spoolRun(deps, services, taken, EMPTY_STATE, NOON_MS);
    await spoolRun(deps, services, new Map(), EMPTY_STATE, NOON_MS + 1_000);
    expect(told).toEqual([{ event: "archive-skipped", reason: "slot-taken" }]);
    told.length = 0;
    await spoolRun(deps, services, taken, archivedUntil(DAY), NOON_MS + minutes(5));
    expect(told).toEqual([{ event: "archive-skipped", reason: "day-sealed" }]);
    await spoolRun(deps, services, taken, archivedUntil(DAY - 1), NOON_MS + minutes(5));
    expect([...(await listSpool(stateStore)).values()].flat()).toEqual([
      toSlot(NOON_MS),
      toSlot(NOON_MS) + 1,
    ]);
  });

  test("is lost with an event where the store fails", async () => {
    const failing = {
      ...createMemoryStore(),
      write: async (key: string) => {
        throw new StoreError("write", key, "the disk is full");
      },
    };
    const { deps, events } = open(failing);
    await spoolRun(deps, [], new Map(), EMPTY_STATE, NOON_MS);
    expect(events).toEqual([{ event: "archive-deferred", message: "the disk is full" }]);
    expect(await sealArchive(deps, archivedUntil(DAY - 2), NOON_MS)).toBeDefined();
  });
});

test.each([
  [DAY * DAY_MS, DAY - 2, false],
  [DAY * DAY_MS + minutes(15) - 1, DAY - 2, false],
  [DAY * DAY_MS + minutes(15), DAY - 2, true],
  [DAY * DAY_MS + minutes(15), DAY - 1, false],
])("at %i with day %i sealed, sealing is due: %s", (startMs, sealedDay, isDue) => {
  expect(isSealingDue(archivedUntil(sealedDay), startMs)).toBe(isDue);
});

test("a run that is damaged is left out of its day, and told", async () => {
  const { deps, stateStore, events } = open();
  await spoolRun(deps, [], new Map(), EMPTY_STATE, NOON_MS);
  const body = Buffer.from("damaged");
  const slots = [toSlot(NOON_MS), toSlot(NOON_MS) + 1, toSlot(NOON_MS) + 2];
  for (const slot of slots.slice(1)) await writeSpool(stateStore, slot, body);
  const { files } = await sealDay(deps, "2026-11-23", slots);
  expect(files.length).toBeGreaterThan(0);
  expect(events).toEqual([
    { event: "archive-deferred", message: "2026-11-23: 2 damaged runs are left out." },
  ]);
});

test("a month has the changes and reports of its own days alone, once it is over", async () => {
  const { deps, stateStore } = open();
  const partOf = (date: string) => ({ date, method: "2026-10", files: [] });
  const days = ["2026-09-30", "2026-10-01", "2026-10-31", "2026-11-01"].map(partOf);
  for (const [at, { date }] of days.entries()) {
    const hours = [{ hour: 496_000 + at, counts: [[`s${at}`, 5] as const] }];
    await sealArchiveFile(stateStore, date, HOURS_FILE, encodeHours(hours));
  }
  const changes = [30, 1, 31, 1].map((day, at) => {
    const atMs = Date.UTC(2026, [8, 9, 9, 10][at] ?? 0, day, 12);
    return changeOf({ slug: `c${at}`, atMs, code: "fail" });
  });
  const state = { ...EMPTY_STATE, verdicts: { ...EMPTY_STATE.verdicts, changes } };
  const sealedDay = Date.UTC(2026, 10, 1) / DAY_MS;
  const archive = { days, months: [partOf("2026-09")], sealedDay };
  const sealed = await sealMonths(deps, state, archive);
  expect(sealed.map(({ date, files }) => [date, files.map(({ rows }) => rows)])).toEqual([
    ["2026-10", [2, 2]],
  ]);
  const textOf = async (name: string) =>
    Buffer.from((await readArchiveFile(stateStore, "2026-10", name)) ?? []).toString();
  expect((await textOf("changes.csv")).match(/\bc\d\b/gu)).toEqual(["c1", "c2"]);
  expect((await textOf("reports.csv")).match(/\bs\d\b/gu)).toEqual(["s1", "s2"]);
});

test("days of a closed month that are lost are found again, and no day is invented", async () => {
  const { deps, stateStore } = open();
  const { files } = await sealDay(deps, "2026-09-30", [], "2026-08");
  const lost = { date: "2026-09", method: "2026-08", files: [], closedDays: ["29", "30"] };
  await closeMonths(deps, { days: [], months: [lost], sealedDay: DAY });
  expect(await readClosedDays(stateStore, "2026-09")).toEqual([
    { date: "2026-09-30", method: "2026-08", files },
  ]);
});

test("a state looks for no days before its first run", () => {
  const runs = [runMark({ atMs: NOON_MS })];
  const later = { ...EMPTY_STATE, history: { ...EMPTY_STATE.history, runs } };
  expect(beginArchive(EMPTY_STATE, NOON_MS)).toEqual({ days: [], months: [], sealedDay: DAY - 1 });
  expect(beginArchive(later, NOON_MS).sealedDay).toBe(0);
  expect(beginArchive(archivedUntil(7), NOON_MS).sealedDay).toBe(7);
});
