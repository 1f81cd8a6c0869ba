import fc from "fast-check";
import { expect, test } from "vitest";
import { EMPTY_STATE, type State } from "../../../src/model/state.ts";
import { DAY_MS } from "../../../src/model/time.ts";
import type { VerdictCode } from "../../../src/contract/codes/verdict.ts";
import { NO_VERDICTS, type VerdictLog } from "../../../src/model/service/verdict-change.ts";
import { buildChanges, publicChangesOf } from "../../../src/open-data/documents/changes.ts";
import { noteVerdicts } from "../../../src/services/snapshot/verdict-log.ts";
import { decodeState, encodeState } from "../../../src/state/codec/state.ts";
import { changeOf } from "../../model/verdict-changes.ts";
import type { UnusualOperators } from "../../../src/model/service/reports.ts";
import { ABOUT, outageAt } from "../accuracy/sample-ledger.ts";
import { T0 } from "../../model/samples.ts";
import { snapshotOf } from "../../services/snapshot/snapshot-of.ts";

interface ReadChanges {
  readonly next: number;
  readonly changes: readonly { readonly seq: number; readonly id: string }[];
}

function read(verdicts: VerdictLog, nowMs: number, accuracy = EMPTY_STATE.accuracy): ReadChanges {
  return JSON.parse(new TextDecoder().decode(buildChanges({ verdicts, accuracy }, nowMs).body));
}

test("a change has its number, an id and a colour; the next number is given", () => {
  const change = changeOf({ seq: 7, slug: "bank", atMs: T0 + 999, code: "fail", isSurge: true });
  const log = { codes: new Map(), changes: [change], next: 8 };
  const at = Math.floor(T0 / 1_000);
  expect(read(log, T0)).toEqual({
    next: 8,
    changes: [
      {
        seq: 7,
        id: `bank.${at}.fail`,
        slug: "bank",
        at,
        before: "ok",
        code: "fail",
        color: "bad",
        scope: "none",
        surge: true,
      },
    ],
  });
  expect(read(NO_VERDICTS, T0)).toEqual({ next: 1, changes: [] });
});

test("a failure tells how long outages have lasted, in whole seconds", () => {
  const past = { of: "category", days: 90, count: 7, medianMs: 60_000, longestMs: 90_500 } as const;
  const change = changeOf({ seq: 1, slug: "bank", atMs: T0, code: "fail", past });
  const { changes } = read({ codes: new Map(), changes: [change], next: 2 }, T0);
  expect(changes).toMatchObject([
    { past: { of: "category", days: 90, outages: 7, median: 60, longest: 90 } },
  ]);
});

test("a change names the outage that it belongs to, and whose subscribers reported it", () => {
  const toldAtMs = Date.parse("2026-11-21T09:00:20Z");
  const outage = outageAt("bank", "2026-11-21T09:00", { toldAtMs, about: ABOUT });
  const accuracy = { ...EMPTY_STATE.accuracy, outages: [outage] };
  const operators: UnusualOperators = {
    shares: [{ operator: "mts", percent: 71, usual: 18 }],
    isAlone: true,
  };
  const change = changeOf({ seq: 1, slug: "bank", atMs: toldAtMs, code: "fail", operators });
  const log = { codes: new Map(), changes: [change], next: 2 };
  const unusual = { shares: [{ operator: "mts", share: 71, usual: 18 }], alone: true };
  expect(read(log, toldAtMs, accuracy).changes).toMatchObject([
    { outage: "bank.202611210900", operators: unusual },
  ]);
  expect(read(log, toldAtMs).changes[0]).not.toHaveProperty("outage");
});

test("the document has the changes of 30 days, a thousand at most", () => {
  const changes = Array.from({ length: 1_500 }, (_, place) =>
    changeOf({ seq: place + 1, slug: "a", atMs: T0 + place, code: "fail" }),
  );
  const log = { codes: new Map(), changes, next: 1_501 };
  expect(publicChangesOf(log, T0 + 2_000).map(({ seq }) => seq)).toEqual(
    Array.from({ length: 1_000 }, (_, place) => place + 501),
  );
  expect(publicChangesOf(log, T0 + 30 * DAY_MS + 1_497).map(({ seq }) => seq)).toEqual([
    1_499, 1_500,
  ]);
  expect(publicChangesOf(log, T0 + 30 * DAY_MS + 1_500)).toEqual([]);
});

const WRITERS = 3;
const writer = fc.nat(WRITERS - 1);

const verdicts = fc.dictionary(
  fc.constantFrom("a", "b", "c"),
  fc.constantFrom<VerdictCode>("ok", "fail", "slow", "none"),
);

/** A writer reads the state, or publishes what follows from the state that it read last; or a client polls. */
const step = fc.oneof(
  fc.record({ kind: fc.constant("read" as const), writer }),
  fc.record({ kind: fc.constant("publish" as const), writer, verdicts, passedMs: fc.nat(60_000) }),
  fc.record({ kind: fc.constant("poll" as const) }),
);

/** The state as one object with a version, which one writer wins. */
class Cell {
  #version = 0;
  #bytes = encodeState(EMPTY_STATE);

  read(): { readonly version: number; readonly state: State } {
    const decoded = decodeState(this.#bytes);
    if (decoded.kind !== "ok") throw new Error(decoded.message);
    return { version: this.#version, state: decoded.value };
  }

  swap(version: number, state: State): boolean {
    if (version !== this.#version) return false;
    this.#bytes = encodeState(state);
    this.#version += 1;
    return true;
  }
}

/** A client as docs/open-data.md describes it. */
class Client {
  #next = 1;
  #lastId: string | undefined;
  readonly taken: string[] = [];
  readonly misnumbered: unknown[] = [];

  poll({ next, changes }: ReadChanges): void {
    const first = next - changes.length;
    this.misnumbered.push(...changes.filter(({ seq }, place) => seq !== first + place));
    const last = changes.find(({ seq }) => seq === this.#next - 1);
    const hasRestarted = next < this.#next || (last !== undefined && last.id !== this.#lastId);
    const from = hasRestarted ? 1 : this.#next;
    for (const { seq, id } of changes) {
      if (seq < from) continue;
      this.taken.push(id);
      this.#lastId = id;
    }
    this.#next = next;
  }
}

test("no number is missing or given twice, however writers overlap", () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) => {
      const cell = new Cell();
      const held = Array.from({ length: WRITERS }, () => cell.read());
      const client = new Client();
      const published: string[] = [];
      let nowMs = T0;
      for (const one of steps) {
        if (one.kind === "read") held[one.writer] = cell.read();
        if (one.kind === "poll") client.poll(read(cell.read().state.verdicts, nowMs));
        if (one.kind !== "publish") continue;
        nowMs += 1_000 + one.passedMs;
        const { version, state } = held[one.writer] ?? cell.read();
        const log = noteVerdicts(state.verdicts, snapshotOf(one.verdicts), nowMs, () => ({
          scope: "none",
        }));
        if (!cell.swap(version, { ...state, verdicts: log })) continue;
        const fresh = read(log, nowMs).changes.slice(state.verdicts.changes.length);
        published.push(...fresh.map(({ id }) => id));
      }
      client.poll(read(cell.read().state.verdicts, nowMs));
      expect(client.taken).toEqual(published);
      expect(client.misnumbered).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test("a client sees by number or id that a state was lost", () => {
  const logOf = (count: number, slug: string): ReadChanges => {
    const changes = Array.from({ length: count }, (_, place) =>
      changeOf({ seq: place + 1, slug, atMs: T0, code: "fail" }),
    );
    return read({ codes: new Map(), changes, next: count + 1 }, T0);
  };
  for (const later of [1, 3, 5]) {
    const client = new Client();
    client.poll(logOf(3, "before"));
    client.taken.length = 0;
    client.poll(logOf(later, "after"));
    expect(client.taken).toHaveLength(later);
  }
});
