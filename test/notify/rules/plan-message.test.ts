import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../../src/model/time.ts";
import type { Change, Message } from "../../../src/notify/rules/change.ts";
import {
  type ChannelLedger,
  enqueue,
  NEW_CHANNEL,
  noteDelivered,
  noteFailed,
  pruneLedger,
  skipChanges,
} from "../../../src/notify/rules/channel-ledger.ts";
import { type PlanContext, planMessage } from "../../../src/notify/rules/plan-message.ts";
import { T0 } from "../../model/samples.ts";

const RUN_MS = 5 * MINUTE_MS;

/** A change in the run of this number. */
function change(seq: number, run: number, after: "failing" | "healthy", subject = "a"): Change {
  const before = after === "failing" ? "healthy" : "failing";
  const atMs = T0 + run * RUN_MS;
  return { seq, subject, atMs, kind: "changed", before, sinceMs: atMs - 60 * MINUTE_MS, after };
}

const waitingFor = (...changes: readonly Change[]): ChannelLedger =>
  changes.reduce(enqueue, NEW_CHANNEL);

/** Just after the run of this number. */
const after = (run: number, subjects = 1): PlanContext => ({
  nowMs: T0 + run * RUN_MS + MINUTE_MS,
  lastRunMs: T0 + run * RUN_MS,
  subjects,
});

/** What a channel hears while the runs go by; it is looked at once after each. */
function hear(changes: readonly Change[], runs: number): readonly Message[] {
  const messages: Message[] = [];
  let ledger = NEW_CHANNEL;
  for (let run = 0; run <= runs; run += 1) {
    const context = after(run);
    for (const one of changes) if (one.atMs === context.lastRunMs) ledger = enqueue(ledger, one);
    const { message, told, skipped } = planMessage(ledger, context);
    ledger = skipChanges(ledger, skipped);
    if (message === undefined) continue;
    messages.push(message);
    ledger = noteDelivered(ledger, message, told, context.nowMs);
  }
  return messages;
}

const kindsOf = (messages: readonly Message[]): readonly string[] =>
  messages.map(({ kind, notices }) => `${kind} ${notices.map((one) => one.after).join()}`.trim());

describe("one subject", () => {
  test("a failure is told once it has lasted for a run, the recovery with its length", () => {
    const changes = [change(1, 1, "failing"), change(2, 8, "healthy")];
    expect(planMessage(waitingFor(change(1, 1, "failing")), after(1)).message).toBeUndefined();
    const heard = hear(changes, 12);
    expect(kindsOf(heard)).toEqual(["changed failing", "changed healthy"]);
    const [, recovery] = heard.flatMap(({ notices }) => notices);
    expect((recovery?.atMs ?? 0) - (recovery?.sinceMs ?? 0)).toBe(7 * RUN_MS);
  });

  test("a failure of a single run is not told", () => {
    expect(hear([change(1, 1, "failing"), change(2, 2, "healthy")], 6)).toEqual([]);
  });

  test("a site that never comes to rest is told, every 15 minutes at most", () => {
    const changes = Array.from({ length: 12 }, (_, at) =>
      change(at + 1, at + 1, at % 2 === 0 ? "failing" : "healthy"),
    );
    const heard = hear(changes, 20);
    expect(heard.map(({ kind }) => kind)).toEqual(["flapping", "flapping", "flapping"]);
    expect(heard.flatMap(({ notices }) => notices.map((one) => one.changes))).toEqual([4, 4, 4]);
  });

  test("a site that fails again within the quiet is unstable, with a count", () => {
    const changes = [
      change(1, 1, "failing"),
      change(2, 3, "healthy"),
      change(3, 4, "failing"),
      change(4, 9, "healthy"),
    ];
    expect(kindsOf(hear(changes, 16))).toEqual([
      "changed failing",
      "flapping failing",
      "changed healthy",
    ]);
  });

  test("a new channel is told at once that it works", () => {
    const added: Change = { seq: 1, subject: "a", atMs: T0, kind: "added" };
    const { message, told } = planMessage(waitingFor(added), after(0));
    expect(message).toMatchObject({ id: "a.1", kind: "added", notices: [] });
    expect([...told]).toEqual([1]);
  });
});

describe("a message that fails", () => {
  test("is tried again later and later, at most every hour, or when the receiver says", () => {
    let ledger = waitingFor(change(1, 1, "failing"));
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => {
      ledger = noteFailed(ledger, [], undefined, T0);
      return (ledger.nextAtMs - T0) / MINUTE_MS;
    });
    expect(waits).toEqual([0.5, 1, 2, 4, 8, 16, 32, 60, 60]);
    expect(noteFailed(ledger, [], 120 * MINUTE_MS, T0).nextAtMs).toBe(T0 + 120 * MINUTE_MS);
  });

  test("may have arrived, so the recovery is told as well", () => {
    const failed = waitingFor(change(1, 1, "failing"));
    const { message } = planMessage(failed, after(2));
    const later = noteFailed(failed, message?.notices ?? [], undefined, T0);
    const { message: next } = planMessage(enqueue(later, change(2, 3, "healthy")), after(4));
    expect(next?.notices).toMatchObject([{ before: "failing", after: "healthy" }]);
  });

  test("has the same id again while nothing else happens", () => {
    const failed = waitingFor(change(1, 1, "failing"));
    const { message } = planMessage(failed, after(2));
    const later = noteFailed(failed, message?.notices ?? [], undefined, T0);
    expect(planMessage(later, after(3)).message).toEqual(message);
  });
});

describe("many subjects", () => {
  const many = (count: number): readonly Change[] =>
    Array.from({ length: count }, (_, at) => change(at + 1, 1, "failing", `s${at}`));

  test("85 at once are one message", () => {
    const { message, told } = planMessage(waitingFor(...many(85)), after(2, 85));
    expect(message).toMatchObject({ id: expect.stringMatching(/^digest\.85\./u), kind: "digest" });
    expect([message?.notices.length, told.size]).toEqual([85, 85]);
  });

  test("five of 85 are five messages, six are one, and so are two of six", () => {
    const kindOf = (count: number, subjects: number): string | undefined =>
      planMessage(waitingFor(...many(count)), after(2, subjects)).message?.kind;
    expect([kindOf(5, 85), kindOf(6, 85), kindOf(2, 6), kindOf(2, 7)]).toEqual([
      "changed",
      "digest",
      "digest",
      "changed",
    ]);
  });

  test("what a channel has missed while it was down is one message", () => {
    const down = noteFailed(waitingFor(...many(2)), [], undefined, T0);
    expect(planMessage(down, after(2, 85)).message?.kind).toBe("digest");
  });
});

test("a ledger forgets what no later message depends on, and nothing else", () => {
  const { message } = planMessage(waitingFor(change(1, 1, "failing")), after(2));
  if (message === undefined) throw new Error("nothing is told");
  const nowMs = T0 + 2 * RUN_MS;
  const told = noteDelivered(waitingFor(change(1, 1, "failing")), message, new Set([1]), nowMs);
  expect(pruneLedger(told, nowMs + 999 * MINUTE_MS)).toBe(told);
  const well = {
    ...message,
    notices: message.notices.map((one) => ({ ...one, after: "healthy" })),
  };
  const over = noteDelivered(told, well, new Set(), nowMs);
  expect(pruneLedger(over, nowMs + 14 * MINUTE_MS)).toBe(over);
  expect(pruneLedger(over, nowMs + 15 * MINUTE_MS)).toBeUndefined();
});
