import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/model/time.ts";
import type { Change, Message, Notice } from "../../../src/notify/rules/change.ts";
import {
  type ChannelLedger,
  enqueue,
  NEW_CHANNEL,
  noteDelivered,
  noteFailed,
  noteOffered,
  pruneLedger,
  skipChanges,
} from "../../../src/notify/rules/channel-ledger.ts";
import { T0 } from "../../model/samples.ts";

const change = (seq: number, subject: string): Change => ({
  seq,
  subject,
  atMs: T0,
  kind: "added",
});
const notice = (after: string, subject = "a"): Notice => {
  return { subject, before: "ok", after, sinceMs: 0, atMs: T0, changes: 1 };
};
const message = (after: string, more: Partial<Message> = {}): Message => {
  return { id: "1", kind: "changed", notices: [notice(after)], atMs: T0, ...more };
};
const waitingIn = ({ waiting }: ChannelLedger) => waiting.map(({ seq }) => seq);
const NONE: ReadonlySet<number> = new Set();

describe("changes that wait", () => {
  const full = (subjectOf: (seq: number) => string): ChannelLedger =>
    Array.from({ length: 400 }, (_, at) => change(at + 1, subjectOf(at + 1))).reduce(
      enqueue,
      NEW_CHANNEL,
    );

  test("are 400 at most, the oldest goes first", () => {
    const ledger = full((seq) => `s${seq}`);
    expect(waitingIn(ledger).length).toBe(400);
    const more = waitingIn(enqueue(ledger, change(401, "b")));
    expect([more.length, more[0], more.at(-1)]).toEqual([400, 2, 401]);
  });

  test("lose the second of the subject that has most, its first and last stay", () => {
    const isRestless = (seq: number) => [10, 20, 30].includes(seq);
    const ledger = full((seq) => (isRestless(seq) ? "a" : `s${seq}`));
    const more = waitingIn(enqueue(ledger, change(401, "b")));
    expect(more.length).toBe(400);
    expect([10, 20, 30, 401].map((seq) => more.includes(seq))).toEqual([true, false, true, true]);
    const twice = full((seq) => ([10, 20].includes(seq) ? "a" : `s${seq}`));
    expect(waitingIn(enqueue(twice, change(401, "b")))[0]).toBe(2);
  });

  test("are forgotten by their number", () => {
    const ledger = [change(1, "a"), change(2, "a")].reduce(enqueue, NEW_CHANNEL);
    expect(skipChanges(ledger, NONE)).toBe(ledger);
    expect(waitingIn(skipChanges(ledger, new Set([1])))).toEqual([2]);
  });
});

describe("a failed message", () => {
  const notices = message("fail").notices;

  test("is tried again after 30 s, 1, 2, 4 … minutes, an hour at most", () => {
    let ledger = NEW_CHANNEL;
    const waits: number[] = [];
    for (let tries = 1; tries <= 9; tries += 1) {
      ledger = noteFailed(ledger, notices, undefined, T0 + tries);
      waits.push((ledger.nextAtMs - T0 - tries) / MINUTE_MS);
      expect([ledger.tries, ledger.failingSinceMs]).toEqual([tries, T0 + 1]);
    }
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test("waits as long as its receiver says, if that is longer", () => {
    expect(noteFailed(NEW_CHANNEL, notices, DAY_MS, T0).nextAtMs).toBe(T0 + DAY_MS);
    expect(noteFailed(NEW_CHANNEL, notices, 1, T0).nextAtMs).toBe(T0 + MINUTE_MS / 2);
  });

  test("may have arrived, and of two states either", () => {
    const once = noteFailed(NEW_CHANNEL, notices, undefined, T0);
    expect(once.offered.get("a")).toBe("fail");
    expect(noteOffered(once, notices).offered.get("a")).toBe("fail");
    expect(noteOffered(once, message("ok").notices).offered.get("a")).toBe("?");
  });
});

describe("a delivered message", () => {
  test("is known, ends the failures, and can be changed if it is about trouble alone", () => {
    const failed = noteFailed(enqueue(NEW_CHANNEL, change(1, "a")), message("fail").notices, 0, T0);
    const ledger = noteDelivered(failed, message("fail"), new Set([1]), T0 + 9, "7");
    expect(ledger).toEqual({
      ...NEW_CHANNEL,
      told: new Map([["a", { state: "fail", sinceMs: T0, toldAtMs: T0 + 9 }]]),
      sent: new Map([["a", { ref: "7", atMs: T0 + 9 }]]),
    });
    const sentOf = (one: Message, ref?: string) =>
      noteDelivered(ledger, one, NONE, T0 + 10, ref).sent.get("a")?.ref;
    expect(sentOf(message("err"), "8")).toBe("8");
    expect(sentOf(message("err"))).toBeUndefined();
    expect(sentOf(message("ok"), "8")).toBeUndefined();
    expect(sentOf(message("fail", { kind: "flapping" }), "8")).toBeUndefined();
    expect(sentOf(message("fail", { kind: "digest" }), "8")).toBeUndefined();
  });

  test("that was changed keeps the time at which it made a sound", () => {
    const ledger = noteDelivered(NEW_CHANNEL, message("fail"), NONE, T0, "7");
    const toldAt = (one: Message, ref?: string) =>
      noteDelivered(ledger, one, NONE, T0 + 5, ref).told.get("a")?.toldAtMs;
    expect(toldAt(message("ok", { edits: "7" }))).toBe(T0);
    expect(toldAt(message("ok", { edits: "7" }), "8")).toBe(T0 + 5);
    expect(toldAt(message("ok"))).toBe(T0 + 5);
    const unknown = noteDelivered(NEW_CHANNEL, message("ok", { edits: "7" }), NONE, T0 + 5);
    expect(unknown.told.get("a")?.toldAtMs).toBe(T0 + 5);
  });
});

describe("what no later message depends on is left out:", () => {
  const told = (state: string, toldAtMs: number, more: Partial<ChannelLedger> = {}) => {
    const one = { state, sinceMs: 0, toldAtMs };
    return { ...NEW_CHANNEL, told: new Map([["a", one]]), ...more };
  };

  test("a state in which nothing is wrong, after 15 minutes", () => {
    const quietMs = 15 * MINUTE_MS;
    expect(pruneLedger(told("ok", T0), T0 + quietMs - 1)).toBeDefined();
    expect(pruneLedger(told("ok", T0), T0 + quietMs)).toBeUndefined();
    expect(pruneLedger(told("healthy", T0), T0 + quietMs)).toBeUndefined();
    expect(pruneLedger(told("fail", T0), T0 + DAY_MS)).toEqual(told("fail", T0));
  });

  test("not of a subject with a change that waits", () => {
    const { told: kept } = pruneLedger(
      told("ok", T0, { waiting: [change(1, "a")] }),
      T0 + DAY_MS,
    ) ?? { told: new Map() };
    expect(kept.size).toBe(1);
    const other = pruneLedger(told("ok", T0, { waiting: [change(1, "b")] }), T0 + DAY_MS);
    expect([other?.told.size, other?.waiting.length]).toEqual([0, 1]);
  });

  test("a message that is an hour old", () => {
    const sent = new Map([["a", { ref: "7", atMs: T0 }]]);
    const sizeAt = (nowMs: number) => pruneLedger(told("fail", T0, { sent }), nowMs)?.sent.size;
    expect([sizeAt(T0 + HOUR_MS - 1), sizeAt(T0 + HOUR_MS)]).toEqual([1, 0]);
  });

  test("not that a channel fails", () => {
    expect(pruneLedger({ ...NEW_CHANNEL, tries: 1 }, T0)).toBeDefined();
    expect(pruneLedger(NEW_CHANNEL, T0)).toBeUndefined();
  });
});
