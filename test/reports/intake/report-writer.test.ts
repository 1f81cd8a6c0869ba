import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createReportWriter,
  type IntakeEvent,
  type PersistResult,
  type ReportWriterDependencies,
} from "../../../src/reports/intake/report-writer.ts";
import { openJournal } from "../../../src/reports/intake/journal.ts";
import type { Report } from "../../../src/model/service/reports.ts";
import { createInboxId } from "../../../src/store/inbox-id.ts";
import { createInbox, makeFolder, until } from "./harness.ts";
import { decode, encode, reportOf } from "./reports.ts";

const QUICK = { inboxTimeoutMs: 100, retryDelaysMs: [10, 20] as const };

async function startWriter(parts: Partial<ReportWriterDependencies> & { maxBytes?: number } = {}) {
  const { maxBytes, ...others } = parts;
  const folder = makeFolder();
  const inbox = createInbox();
  const events: IntakeEvent[] = [];
  const accepted: (readonly [number, PersistResult])[] = [];
  const replayed: number[] = [];
  const nowMs = () => Date.now();
  const size = maxBytes === undefined ? {} : { maxBytes };
  const journal = await openJournal(folder, { maxReports: 10, nowMs, ...size });
  onTestFinished(() => journal.close());
  const writer = createReportWriter({
    writeInbox: inbox.write,
    encode,
    journal,
    onAccepted: (reports, kept) =>
      void accepted.push(...reports.map(({ atMs }) => [atMs, kept.in] as const)),
    onReplayed: (reports) => void replayed.push(...reports.map(({ atMs }) => atMs)),
    emit: (event) => void events.push(event),
    nowMs,
    options: QUICK,
    ...others,
  });
  return { folder, inbox, events, accepted, replayed, journal, writer };
}

const numbersOf = (reports: readonly Report[]) =>
  reports.map(({ atMs }) => atMs).toSorted((a, b) => a - b);

test("while the store responds, the journal is not used", async () => {
  const { writer, inbox, journal, events, accepted } = await startWriter();
  expect(await Promise.all([1, 2, 3].map((n) => writer.persist(reportOf(n))))).toEqual(
    Array(3).fill("inbox"),
  );
  expect(numbersOf(inbox.reports())).toEqual([1, 2, 3]);
  expect(inbox.objects.size).toBe(2);
  expect(accepted).toHaveLength(3);
  expect(journal.size().reports).toBe(0);
  expect(events).toEqual([]);
  await writer.close();
});

test("a writer that is closed closes its journal", async () => {
  const journal = await openJournal(makeFolder(), { maxReports: 10, nowMs: () => 0 });
  let closed = 0;
  const watched = { ...journal, close: async () => ((closed += 1), journal.close()) };
  const { writer } = await startWriter({ journal: watched });
  await writer.close();
  expect(closed).toBe(1);
});

test("a failing store is logged once; the journal reaches the inbox when it is back", async () => {
  const { writer, inbox, journal, events, accepted, replayed } = await startWriter();
  inbox.mode = "failing";
  for (const n of [1, 2, 3, 4]) expect(await writer.persist(reportOf(n))).toBe("journal");
  expect(writer.state()).toBe("journal");
  expect(journal.size().reports).toBe(4);
  expect(events).toEqual([{ event: "inbox-failed", message: "the store is down" }]);
  inbox.mode = "up";
  await until(() => journal.size().reports === 0);
  expect(numbersOf(inbox.reports())).toEqual([1, 2, 3, 4]);
  expect(replayed.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(accepted.map(([, place]) => place)).toEqual(Array(4).fill("journal"));
  expect(events.at(-1)).toEqual({ event: "inbox-back" });
  expect(await writer.persist(reportOf(5))).toBe("inbox");
  expect(writer.state()).toBe("inbox");
  await writer.close();
});

test("a write whose response is lost is repeated only under its own id", async () => {
  const { writer, inbox, journal } = await startWriter();
  inbox.mode = "lost-response";
  expect(await writer.persist(reportOf(1))).toBe("journal");
  const [id = ""] = inbox.objects.keys();
  await until(() => inbox.attempts.length > 1);
  inbox.mode = "up";
  await until(() => journal.size().reports === 0);
  expect([...inbox.objects.keys()]).toEqual([id]);
  expect(new Set(inbox.attempts)).toEqual(new Set([id]));
  expect(decode(inbox.objects.get(id) ?? new Uint8Array())).toEqual([reportOf(1)]);
  await writer.close();
});

test("a store that hangs costs one timeout, and later reports do not wait", async () => {
  const { writer, inbox } = await startWriter();
  inbox.mode = "hanging";
  expect(await writer.persist(reportOf(1))).toBe("journal");
  expect(await writer.persist(reportOf(2))).toBe("journal");
  // The replay may retry the first one; the second was not sent to the store.
  expect(new Set(inbox.attempts).size).toBe(1);
});

test("a write that succeeds late needs no replay", async () => {
  const inbox = createInbox();
  const attempts: string[] = [];
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const { writer, journal, replayed } = await startWriter({
    writeInbox: async (id, bytes) => {
      attempts.push(id);
      await arrived;
      return inbox.write(id, bytes);
    },
    options: { inboxTimeoutMs: 100, retryDelaysMs: [60_000, 60_000] },
  });
  expect(await writer.persist(reportOf(1))).toBe("journal");
  arrive();
  await until(() => journal.size().reports === 0);
  expect(inbox.objects.size).toBe(1);
  expect(new Set(attempts).size).toBe(1);
  // `onReplayed` is called anyway, because the report can be published now.
  await until(() => replayed.length > 0);
  expect(replayed).toEqual([1]);
  await writer.close();
});

test("without a journal a failing store refuses, and the next report retries it", async () => {
  const inbox = createInbox();
  const events: IntakeEvent[] = [];
  const writer = createReportWriter({
    writeInbox: inbox.write,
    encode,
    onAccepted: () => undefined,
    emit: (event) => void events.push(event),
    nowMs: () => Date.now(),
    options: QUICK,
  });
  inbox.mode = "failing";
  expect(await writer.persist(reportOf(1))).toBe("refused");
  expect(await writer.persist(reportOf(2))).toBe("refused");
  expect(writer.state()).toBe("refused");
  expect(events.map(({ event }) => event)).toEqual(["inbox-failed", "intake-refusing"]);
  inbox.mode = "up";
  expect(await writer.persist(reportOf(3))).toBe("inbox");
  expect(writer.state()).toBe("inbox");
  await writer.close();
});

test("a full journal refuses without a request to the store, until the store is back", async () => {
  const { writer, inbox, journal, accepted, events } = await startWriter({ maxBytes: 300 });
  inbox.mode = "failing";
  const results = [];
  for (let n = 1; n <= 12; n += 1) results.push(await writer.persist(reportOf(n)));
  const kept = results.filter((result) => result === "journal").length;
  expect(kept).toBeGreaterThan(2);
  expect(results.slice(kept)).toEqual(Array(12 - kept).fill("refused"));
  expect(writer.state()).toBe("refused");
  expect(accepted).toHaveLength(kept);
  expect(events.filter(({ event }) => event === "intake-refusing")).toEqual([
    { event: "intake-refusing", message: "the journal is full" },
  ]);
  inbox.mode = "up";
  await until(() => journal.size().reports === 0 && writer.state() === "inbox");
  expect(inbox.reports()).toHaveLength(kept);
  expect(await writer.persist(reportOf(99))).toBe("inbox");
  await writer.close();
});

test("the next start replays the journal", async () => {
  const { writer, inbox, folder } = await startWriter();
  inbox.mode = "failing";
  for (const n of [1, 2]) await writer.persist(reportOf(n));
  await writer.close();
  const journal = await openJournal(folder, { maxReports: 10, nowMs: () => Date.now() });
  onTestFinished(() => journal.close());
  inbox.mode = "up";
  const next = await startWriter({ journal, writeInbox: inbox.write });
  await until(() => journal.size().reports === 0);
  expect(numbersOf(inbox.reports())).toEqual([1, 2]);
  await next.writer.close();
});

test("objects of inbox and journal are numbered, and the callbacks get their ids", async () => {
  const called: (readonly [string, number])[] = [];
  let timesEmpty = 0;
  const { writer, inbox, journal } = await startWriter({
    onAccepted: (reports, kept) => {
      if (kept.in === "inbox") called.push(...reports.map(({ atMs }) => [kept.id, atMs] as const));
    },
    onReplayed: (reports, id) => called.push(...reports.map(({ atMs }) => [id, atMs] as const)),
    onJournalEmpty: () => (timesEmpty += 1),
  });
  for (const n of [1, 2]) await writer.persist(reportOf(n));
  await until(() => timesEmpty === 1);
  inbox.mode = "failing";
  for (const n of [3, 4, 5]) await writer.persist(reportOf(n));
  inbox.mode = "up";
  await until(() => journal.size().reports === 0 && timesEmpty > 1);
  const stored = [...inbox.objects].flatMap(([id, bytes]) =>
    decode(bytes).map(({ atMs }) => [id, atMs] as const),
  );
  const byReport = (a: readonly [string, number], b: readonly [string, number]) => a[1] - b[1];
  expect(called.toSorted(byReport)).toEqual(stored.toSorted(byReport));
  // Two writes, the failed one that came by the journal, and one with the reports of a journal file.
  const numbers = [...inbox.objects.keys()].map((id) => Number.parseInt(id.slice(-12), 16));
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3]);
  expect(new Set([...inbox.objects.keys()].map((id) => id.slice(14, -12))).size).toBe(2);
  await writer.close();
});

async function openWatched() {
  const folder = makeFolder();
  const journal = await openJournal(folder, { maxReports: 10, nowMs: () => Date.now() });
  onTestFinished(() => journal.close());
  return { folder, journal };
}

test("a journal that cannot be written either refuses, with its reason", async () => {
  const { journal } = await openWatched();
  const put = () => Promise.reject(new Error("the disk is full"));
  const { writer, inbox, accepted, events } = await startWriter({ journal: { ...journal, put } });
  inbox.mode = "failing";
  expect(await writer.persist(reportOf(1))).toBe("refused");
  expect(writer.state()).toBe("refused");
  expect(accepted).toEqual([]);
  expect(events).toEqual([
    { event: "inbox-failed", message: "the store is down" },
    { event: "intake-refusing", message: "the disk is full" },
  ]);
  await writer.close();
});

test("damaged lines of the journal are told, and its other reports reach the inbox", async () => {
  const folder = makeFolder();
  const earlier = await openJournal(folder, { maxReports: 10, nowMs: () => 1 });
  const id = createInboxId(1);
  await earlier.put(id, [reportOf(1)]);
  await earlier.close();
  appendFileSync(join(folder, `${id}.sealed`), "00000000 []\nnothing\n");
  const journal = await openJournal(folder, { maxReports: 10, nowMs: () => 1 });
  onTestFinished(() => journal.close());
  const { writer, inbox, events, replayed } = await startWriter({ journal });
  await until(() => journal.size().reports === 0 && replayed.length > 0);
  expect(inbox.reports()).toEqual([reportOf(1)]);
  expect(events).toEqual([{ event: "journal-damaged", id, lines: 2 }]);
  await writer.close();
});

test("a journal that cannot be read is told, and read again", async () => {
  const { journal } = await openWatched();
  await journal.append([reportOf(1)]);
  let reads = 0;
  const next: typeof journal.next = () => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error("the disk is gone")) : journal.next();
  };
  const { writer, inbox, events } = await startWriter({ journal: { ...journal, next } });
  await until(() => journal.size().reports === 0);
  expect(inbox.reports()).toEqual([reportOf(1)]);
  expect(events).toEqual([{ event: "journal-failed", message: "Error: the disk is gone" }]);
  expect(writer.state()).toBe("inbox");
  await writer.close();
});

test("reports that came while the replay found its journal empty are replayed too", async () => {
  const { journal } = await openWatched();
  let reads = 0;
  const next: typeof journal.next = async () => {
    const found = await journal.next();
    reads += 1;
    if (reads === 1) await journal.append([reportOf(1)]);
    return found;
  };
  const { writer, inbox } = await startWriter({ journal: { ...journal, next } });
  await until(() => journal.size().reports === 0 && inbox.reports().length > 0);
  expect(inbox.reports()).toEqual([reportOf(1)]);
  await writer.close();
});
