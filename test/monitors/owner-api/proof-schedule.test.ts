import { expect, test } from "vitest";
import type {
  Challenge,
  OwnedMonitor,
  PlaceFinding,
  ProofLook,
  ProofQuery,
} from "../../../src/model/monitor/owned-monitor.ts";
import type { ProofMethod } from "../../../src/model/monitor/owner-channel.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import { createOwnerBook } from "../../../src/monitors/owner-api/owner-book.ts";
import { ProofSchedule } from "../../../src/monitors/owner-api/proof-schedule.ts";
import { type RecordEdit } from "../../../src/monitors/ownership/apply-edit.ts";
import { hashOf, pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

type Findings = Partial<Record<ProofMethod, PlaceFinding>>;

const SILENT: Findings = {
  dns: { kind: "absent" },
  file: { kind: "failed", code: "tcp-timeout" },
  meta: { kind: "failed", code: "http-timeout" },
};
const ABSENT: Findings = { file: { kind: "absent" }, meta: { kind: "absent" } };

/** Looks with a clock of the test; every look finds what `site` has then. */
function start(...records: readonly OwnedMonitor[]) {
  const book = createOwnerBook();
  for (const owned of records) book.index.set(owned.monitor.id, owned);
  const clock = { nowMs: T0 };
  const site: { findings: Findings; more: Partial<ProofLook> } = { findings: ABSENT, more: {} };
  const queries: ProofQuery[] = [];
  const edits: RecordEdit[] = [];
  let holding: Promise<void> | undefined;
  const schedule = new ProofSchedule({
    book,
    look: async (query) => {
      queries.push(query);
      await holding;
      const places = Object.entries(site.findings).map(
        ([method, finding]) => [method as ProofMethod, { place: method, finding }] as const,
      );
      return { atMs: clock.nowMs, isDenied: false, places: new Map(places), ...site.more };
    },
    persist: async (edit) => {
      edits.push(edit);
      book.accept(`${edits.length}`, [edit]);
      return "kept";
    },
    nowMs: () => clock.nowMs,
  });
  /** How many looks begin at a time. */
  const looksAt = async (afterMs: number): Promise<number> => {
    const before = queries.length;
    clock.nowMs = T0 + afterMs;
    schedule.tick();
    await schedule.idle();
    return queries.length - before;
  };
  const hold = (): (() => void) => {
    let release = (): void => undefined;
    holding = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  };
  return { book, clock, site, queries, edits, schedule, looksAt, hold };
}

const asked = (goal: Challenge["goal"], letter: string): Challenge => ({
  token: tokenOf(letter),
  goal,
  sinceMs: T0,
  network: "n.b",
});
const KEY = asked({ kind: "key", keyHash: hashOf("l") }, "u");
const MOVE = asked({ kind: "url", url: "https://new.example/x" }, "v");

test("a site that lets time pass is looked at half as often, 32 times less at most", async () => {
  const { site, queries, looksAt } = start(pendingMonitor("a"));
  site.findings = SILENT;
  expect(await looksAt(0)).toBe(1);
  let atMs = 0;
  for (const minutes of [10, 20, 40, 80, 160, 160]) {
    atMs += minutes * MINUTE_MS;
    expect([minutes, await looksAt(atMs - 1)]).toEqual([minutes, 0]);
    expect([minutes, await looksAt(atMs)]).toEqual([minutes, 1]);
  }
  expect(queries.map(({ withinMs }) => withinMs)).toEqual([
    4_000, 8_000, 16_000, 20_000, 20_000, 20_000, 20_000,
  ]);
});

test("a site that answers again is looked at every 5 minutes, for 4 seconds", async () => {
  const { site, queries, looksAt } = start(pendingMonitor("a"));
  site.findings = SILENT;
  await looksAt(0);
  site.findings = ABSENT;
  expect(await looksAt(10 * MINUTE_MS)).toBe(1);
  expect(await looksAt(15 * MINUTE_MS)).toBe(1);
  expect(queries.map(({ withinMs }) => withinMs)).toEqual([4_000, 8_000, 4_000]);
});

test.each<readonly [string, Findings, Partial<ProofLook>]>([
  ["answers at one place", { ...SILENT, meta: { kind: "absent" } }, {}],
  ["fails at once", { file: { kind: "failed", code: "tcp-refused" } }, {}],
  ["is not asked", { dns: { kind: "failed", code: "dns-timeout" } }, {}],
])("a site that %s is not silent", async (_, findings, more) => {
  const { site, looksAt } = start(pendingMonitor("a"));
  Object.assign(site, { findings, more });
  await looksAt(0);
  expect(await looksAt(5 * MINUTE_MS)).toBe(1);
});

test("a site that ended its reader is not looked at again by itself", async () => {
  const { site, looksAt, schedule } = start(pendingMonitor("a"));
  site.more = { hasEndedReader: true };
  expect(await looksAt(0)).toBe(1);
  expect(await looksAt(5 * MINUTE_MS)).toBe(0);
  expect(await schedule.lookNow("a", "n.b")).toMatchObject({ hasEndedReader: true });
});

test("a proved monitor is looked at once a day, at a time of its own", async () => {
  const times = await Promise.all(
    ["shop", "blog", "bank-1"].map(async (id) => {
      const { looksAt } = start(provedMonitor(id));
      const looks: number[] = [];
      for (let hour = 0; hour <= 72; hour += 1)
        if ((await looksAt(hour * HOUR_MS)) > 0) looks.push(hour);
      return looks;
    }),
  );
  for (const looks of times) {
    expect(looks).toHaveLength(3);
    expect(looks.map((hour) => hour - (looks[0] ?? 0))).toEqual([0, 24, 48]);
    expect(looks[0]).toBeLessThanOrEqual(24);
  }
  expect(new Set(times.map(([first]) => first)).size).toBe(3);
});

test.each<readonly [string, OwnedMonitor, number]>([
  ["waits for its first proof", pendingMonitor("a"), 1],
  ["is refused", { ...pendingMonitor("a"), refusal: { kind: "denied", atMs: T0 } }, 0],
  ["was removed", { ...provedMonitor("a"), removedAtMs: T0 }, 0],
  [
    "was removed before it moved",
    { ...provedMonitor("a"), removedAtMs: T0, challenges: [MOVE] },
    0,
  ],
  [
    "was removed, and a new key was asked for",
    { ...provedMonitor("a"), removedAtMs: T0, challenges: [KEY] },
    1,
  ],
  ["has neither a proof nor a challenge", { ...pendingMonitor("a"), challenges: [] }, 0],
  ["moves", { ...provedMonitor("a"), challenges: [MOVE] }, 2],
])("a monitor that %s is looked at, or not", async (_, owned, looks) => {
  const { looksAt } = start(owned);
  expect(await looksAt(0)).toBe(looks);
});

test("the proof and new keys are looked for at the address, a move at its own", async () => {
  const { looksAt, queries } = start({ ...provedMonitor("a"), challenges: [KEY, MOVE] });
  await looksAt(0);
  expect(queries).toEqual([
    {
      id: "a",
      url: "https://shop.example.ru/",
      tokens: [tokenOf("u"), tokenOf("t")],
      withinMs: 4_000,
    },
    { id: "a", url: "https://new.example/x", tokens: [tokenOf("v")], withinMs: 4_000 },
  ]);
});

test.each<readonly [string, Findings, Partial<ProofLook>, string]>([
  ["no token", ABSENT, {}, "proof-missing"],
  ["a denial", {}, { isDenied: true }, "denied"],
])("%s counts at the address of the monitor, not at that of a move", async (...row) => {
  const [, findings, more, kind] = row;
  const { looksAt, edits, site } = start({ ...provedMonitor("a"), challenges: [MOVE] });
  Object.assign(site, { findings, more });
  expect(await looksAt(0)).toBe(2);
  expect(edits).toEqual([{ kind, id: "a", atMs: T0 }]);
});

test("a move ends with the look that finds its token", async () => {
  const { looksAt, edits, site, book } = start({ ...provedMonitor("a"), challenges: [MOVE] });
  site.findings = { meta: { kind: "found", token: tokenOf("v") } };
  await looksAt(0);
  expect(book.index.get("a")?.monitor.url).toBe("https://new.example/x");
  expect(edits.at(-1)).toEqual({
    kind: "proof-seen",
    id: "a",
    token: tokenOf("v"),
    method: "meta",
    atMs: T0,
  });
});

test("a proof that was lost is noted when it is seen again", async () => {
  const { schedule, edits, site } = start({
    ...provedMonitor("a"),
    proof: { token: tokenOf("t"), method: "dns", provedAtMs: T0, seenAtMs: T0, lostAtMs: T0 },
  });
  site.findings = { file: { kind: "found", token: tokenOf("t") } };
  await schedule.lookNow("a", "n.b");
  expect(edits).toEqual([
    { kind: "proof-seen", id: "a", token: tokenOf("t"), method: "file", atMs: T0 },
  ]);
});

test("a proof that is seen is noted once in 30 days", async () => {
  const { clock, schedule, edits, site } = start(provedMonitor("a"));
  site.findings = { file: { kind: "found", token: tokenOf("t") } };
  for (const [afterMs, noted] of [
    [30 * DAY_MS - 1, 0],
    [30 * DAY_MS, 1],
    [30 * DAY_MS, 1],
  ] as const) {
    clock.nowMs = T0 + afterMs;
    await schedule.lookNow("a", "n.b");
    expect([afterMs, edits.length]).toEqual([afterMs, noted]);
  }
  expect(edits).toEqual([
    { kind: "proof-seen", id: "a", token: tokenOf("t"), method: "file", atMs: T0 + 30 * DAY_MS },
  ]);
});

test("a look is shared by all who ask for it, and the 201st is told to come back", async () => {
  const ids = Array.from({ length: 240 }, (_, at) => `m${at}`);
  const { schedule, hold, queries } = start(
    ...ids.map((id) => pendingMonitor(id, `https://${id}.example/`)),
  );
  const release = hold();
  // One network has 24 of the places, so the others wait.
  const looks = ids.slice(0, 224).map((id) => schedule.lookNow(id, "n.b"));
  await Promise.resolve();
  expect(queries).toHaveLength(24);
  expect(await schedule.lookNow("m224", "n.b")).toBeUndefined();
  const again = schedule.lookNow("m223", "n.b");
  release();
  const found = await Promise.all([...looks, again]);
  expect(found.every((look) => look !== undefined)).toBe(true);
  expect(queries.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 224).toSorted());
});

test("a monitor that is not known is not looked at", async () => {
  const { schedule, queries } = start();
  expect(await schedule.lookNow("a", "n.b")).toBeUndefined();
  expect(queries).toEqual([]);
});

test("a monitor without anything to find is asked for, and the site is not", async () => {
  const { schedule, queries } = start({ ...pendingMonitor("a"), challenges: [] });
  expect(await schedule.lookNow("a", "n.b")).toBeUndefined();
  expect(queries).toEqual([]);
});

test("a look that a visitor waits for does not begin once more by itself", async () => {
  const { schedule, hold, queries } = start(pendingMonitor("a"));
  const release = hold();
  const looking = schedule.lookNow("a", "n.b");
  schedule.tick();
  release();
  await looking;
  expect(queries).toHaveLength(1);
});

test("a monitor that goes while it waits for its look is not looked at", async () => {
  const { schedule, hold, queries, book } = start(pendingMonitor("a"), pendingMonitor("b"));
  const release = hold();
  // Both have one host, which is asked for one at a time.
  const looks = [schedule.lookNow("a", "n.b"), schedule.lookNow("b", "m.b")];
  book.index.set("b", undefined);
  release();
  const [first, second] = await Promise.all(looks);
  expect([first?.atMs, second]).toEqual([T0, undefined]);
  expect(queries.map(({ id }) => id)).toEqual(["a"]);
});

test("what a look finds of a monitor that has gone meanwhile is told, not noted", async () => {
  const { schedule, hold, site, edits, book } = start(pendingMonitor("a"));
  site.findings = { file: { kind: "found", token: tokenOf("t") } };
  const release = hold();
  const looking = schedule.lookNow("a", "n.b");
  book.index.set("a", undefined);
  release();
  expect((await looking)?.atMs).toBe(T0);
  expect(edits).toEqual([]);
});

test("the last look is that at the address of the move, until the monitor is gone", async () => {
  const { looksAt, schedule, book } = start({ ...provedMonitor("a"), challenges: [MOVE] });
  expect(schedule.lastLook("a")).toBeUndefined();
  await looksAt(0);
  expect(schedule.lastLook("a")?.atMs).toBe(T0);
  book.index.set("a", undefined);
  await looksAt(1);
  expect(schedule.lastLook("a")).toBeUndefined();
});
