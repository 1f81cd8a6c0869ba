import { expect, test } from "vitest";
import type { IntakeEvent } from "../../src/intake/events.ts";
import { openJournal } from "../../src/intake/journal.ts";
import { createKeeper, type KeeperDependencies, type KeepResult } from "../../src/intake/keeper.ts";
import type { Report } from "../../src/model/reports.ts";
import { createInbox, makeFolder, until } from "./lab.ts";
import { decode, encode, reportOf } from "./reports.ts";

const QUICK = { inboxTimeoutMs: 100, retryDelaysMs: [10, 20] as const };

async function startKeeper(parts: Partial<KeeperDependencies> & { maxBytes?: number } = {}) {
  const { maxBytes, ...others } = parts;
  const folder = makeFolder();
  const inbox = createInbox();
  const events: IntakeEvent[] = [];
  const accepted: (readonly [number, KeepResult])[] = [];
  const replayed: number[] = [];
  const nowMs = () => Date.now();
  const size = maxBytes === undefined ? {} : { maxBytes };
  const journal = await openJournal(folder, { maxReports: 10, nowMs, ...size });
  const keeper = createKeeper({
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
  return { folder, inbox, events, accepted, replayed, journal, keeper };
}

const numbersOf = (reports: readonly Report[]) =>
  reports.map(({ atMs }) => atMs).toSorted((a, b) => a - b);

test("while the store answers, the journal is not touched", async () => {
  const { keeper, inbox, journal, events, accepted } = await startKeeper();
  expect(await Promise.all([1, 2, 3].map((n) => keeper.keep(reportOf(n))))).toEqual(
    Array(3).fill("inbox"),
  );
  expect(numbersOf(inbox.reports())).toEqual([1, 2, 3]);
  expect(inbox.objects.size).toBe(2);
  expect(accepted).toHaveLength(3);
  expect(journal.size().reports).toBe(0);
  expect(events).toEqual([]);
  await keeper.close();
});

test("a store that fails: into the journal, told once, and into the inbox when it is back", async () => {
  const { keeper, inbox, journal, events, accepted, replayed } = await startKeeper();
  inbox.mood = "failing";
  for (const n of [1, 2, 3, 4]) expect(await keeper.keep(reportOf(n))).toBe("journal");
  expect(keeper.state()).toBe("journal");
  expect(journal.size().reports).toBe(4);
  expect(events).toEqual([{ event: "inbox-failed", message: "the store is down" }]);
  inbox.mood = "well";
  await until(() => journal.size().reports === 0);
  expect(numbersOf(inbox.reports())).toEqual([1, 2, 3, 4]);
  expect(replayed.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(accepted.map(([, place]) => place)).toEqual(Array(4).fill("journal"));
  expect(events.at(-1)).toEqual({ event: "inbox-back" });
  expect(await keeper.keep(reportOf(5))).toBe("inbox");
  expect(keeper.state()).toBe("inbox");
  await keeper.close();
});

test("a write whose answer is lost comes again under its own id only", async () => {
  const { keeper, inbox, journal } = await startKeeper();
  inbox.mood = "deaf";
  expect(await keeper.keep(reportOf(1))).toBe("journal");
  const [id = ""] = inbox.objects.keys();
  await until(() => inbox.attempts.length > 1);
  inbox.mood = "well";
  await until(() => journal.size().reports === 0);
  expect([...inbox.objects.keys()]).toEqual([id]);
  expect(new Set(inbox.attempts)).toEqual(new Set([id]));
  expect(decode(inbox.objects.get(id) ?? new Uint8Array())).toEqual([reportOf(1)]);
  await keeper.close();
});

test("a store that hangs costs the bound once, then nobody waits for it", async () => {
  const { keeper, inbox } = await startKeeper();
  inbox.mood = "hanging";
  expect(await keeper.keep(reportOf(1))).toBe("journal");
  expect(await keeper.keep(reportOf(2))).toBe("journal");
  // The replay may try the first one again; of the second the store has not heard.
  expect(new Set(inbox.attempts).size).toBe(1);
});

test("a write that comes late needs no replay", async () => {
  const inbox = createInbox();
  const attempts: string[] = [];
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const { keeper, journal, replayed } = await startKeeper({
    writeInbox: async (id, bytes) => {
      attempts.push(id);
      await arrived;
      return inbox.write(id, bytes);
    },
    options: { inboxTimeoutMs: 100, retryDelaysMs: [60_000, 60_000] },
  });
  expect(await keeper.keep(reportOf(1))).toBe("journal");
  arrive();
  await until(() => journal.size().reports === 0);
  expect(inbox.objects.size).toBe(1);
  expect(new Set(attempts).size).toBe(1);
  // Told all the same: it can be published now.
  await until(() => replayed.length > 0);
  expect(replayed).toEqual([1]);
  await keeper.close();
});

test("without a journal a store that fails refuses, and the next report tries it again", async () => {
  const inbox = createInbox();
  const events: IntakeEvent[] = [];
  const keeper = createKeeper({
    writeInbox: inbox.write,
    encode,
    onAccepted: () => undefined,
    emit: (event) => void events.push(event),
    nowMs: () => Date.now(),
    options: QUICK,
  });
  inbox.mood = "failing";
  expect(await keeper.keep(reportOf(1))).toBe("refused");
  expect(await keeper.keep(reportOf(2))).toBe("refused");
  expect(keeper.state()).toBe("refused");
  expect(events.map(({ event }) => event)).toEqual(["inbox-failed", "intake-refusing"]);
  inbox.mood = "well";
  expect(await keeper.keep(reportOf(3))).toBe("inbox");
  expect(keeper.state()).toBe("inbox");
  await keeper.close();
});

test("a full journal refuses without asking the store, until the store is back", async () => {
  const { keeper, inbox, journal, accepted, events } = await startKeeper({ maxBytes: 300 });
  inbox.mood = "failing";
  const results = [];
  for (let n = 1; n <= 12; n += 1) results.push(await keeper.keep(reportOf(n)));
  const kept = results.filter((result) => result === "journal").length;
  expect(kept).toBeGreaterThan(2);
  expect(results.slice(kept)).toEqual(Array(12 - kept).fill("refused"));
  expect(keeper.state()).toBe("refused");
  expect(accepted).toHaveLength(kept);
  expect(events.filter(({ event }) => event === "intake-refusing")).toEqual([
    { event: "intake-refusing", message: "the journal is full" },
  ]);
  inbox.mood = "well";
  await until(() => journal.size().reports === 0 && keeper.state() === "inbox");
  expect(inbox.reports()).toHaveLength(kept);
  expect(await keeper.keep(reportOf(99))).toBe("inbox");
  await keeper.close();
});

test("what is left in the journal is replayed by the next start", async () => {
  const { keeper, inbox, folder } = await startKeeper();
  inbox.mood = "failing";
  for (const n of [1, 2]) await keeper.keep(reportOf(n));
  await keeper.close();
  const journal = await openJournal(folder, { maxReports: 10, nowMs: () => Date.now() });
  inbox.mood = "well";
  const next = await startKeeper({ journal, writeInbox: inbox.write });
  await until(() => journal.size().reports === 0);
  expect(numbersOf(inbox.reports())).toEqual([1, 2]);
  await next.keeper.close();
});

test("objects are numbered, those of the journal as well, and whoever is told of reports learns of which object", async () => {
  const told: (readonly [string, number])[] = [];
  let timesEmpty = 0;
  const { keeper, inbox, journal } = await startKeeper({
    onAccepted: (reports, kept) => {
      if (kept.in === "inbox") told.push(...reports.map(({ atMs }) => [kept.id, atMs] as const));
    },
    onReplayed: (reports, id) => told.push(...reports.map(({ atMs }) => [id, atMs] as const)),
    onJournalEmpty: () => (timesEmpty += 1),
  });
  for (const n of [1, 2]) await keeper.keep(reportOf(n));
  await until(() => timesEmpty === 1);
  inbox.mood = "failing";
  for (const n of [3, 4, 5]) await keeper.keep(reportOf(n));
  inbox.mood = "well";
  await until(() => journal.size().reports === 0 && timesEmpty > 1);
  const lying = [...inbox.objects].flatMap(([id, bytes]) =>
    decode(bytes).map(({ atMs }) => [id, atMs] as const),
  );
  const byReport = (a: readonly [string, number], b: readonly [string, number]) => a[1] - b[1];
  expect(told.toSorted(byReport)).toEqual(lying.toSorted(byReport));
  // One, two and the one that failed and came by the journal; then what was added to a file of the journal.
  const numbers = [...inbox.objects.keys()].map((id) => Number.parseInt(id.slice(-12), 16));
  expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 3]);
  expect(new Set([...inbox.objects.keys()].map((id) => id.slice(14, -12))).size).toBe(2);
  await keeper.close();
});
