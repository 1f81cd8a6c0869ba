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
    const { message, toldSeqs, skippedSeqs } = planMessage(ledger, context);
    ledger = skipChanges(ledger, skippedSeqs);
    if (message === undefined) continue;
    messages.push(message);
    ledger = noteDelivered(ledger, message, toldSeqs, context.nowMs);
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
    const { message, toldSeqs } = planMessage(waitingFor(added), after(0));
    expect(message).toMatchObject({ id: "a.1", kind: "added", notices: [] });
    expect([...toldSeqs]).toEqual([1]);
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
    const { message, toldSeqs } = planMessage(waitingFor(...many(85)), after(2, 85));
    expect(message).toMatchObject({ id: expect.stringMatching(/^digest\.85\./u), kind: "digest" });
    expect([message?.notices.length, toldSeqs.size]).toEqual([85, 85]);
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

describe("a channel whose messages can be changed", () => {
  const told = (): ChannelLedger => {
    const waiting = waitingFor(change(1, 1, "failing"));
    const { message, toldSeqs: seqs } = planMessage(waiting, after(2, 85));
    if (message === undefined) throw new Error("nothing is told");
    return noteDelivered(waiting, message, seqs, after(2).nowMs, "7");
  };
  const recovered = (run: number): ChannelLedger => enqueue(told(), change(2, run, "healthy"));

  test("has its young message changed, without the quiet, and at most for an hour", () => {
    const edit = planMessage(recovered(3), { ...after(4, 85), mayEdit: true });
    expect(edit.message).toMatchObject({ kind: "changed", edits: "7", id: "a.2" });
    expect(planMessage(recovered(3), after(4, 85)).message).toBeUndefined();
    const late = planMessage(recovered(13), { ...after(14, 85), mayEdit: true });
    expect([late.message?.kind, late.message?.edits]).toEqual(["changed", undefined]);
  });

  test("has no sound from it, so the next failure waits for the quiet of the first", () => {
    const { message, toldSeqs: seqs } = planMessage(recovered(3), {
      ...after(4, 85),
      mayEdit: true,
    });
    if (message === undefined) throw new Error("nothing is told");
    const fixed = noteDelivered(recovered(3), message, seqs, after(4).nowMs);
    expect([fixed.sent.size, fixed.told.get("a")?.toldAtMs]).toEqual([0, after(2).nowMs]);
    const again = enqueue(fixed, change(3, 4, "failing"));
    const kindAt = (run: number) =>
      planMessage(again, { ...after(run), mayEdit: true }).message?.kind;
    expect([kindAt(4), kindAt(5)]).toEqual([undefined, "changed"]);
  });

  test("gets a message of its own for it among others that are one", () => {
    const many = Array.from({ length: 9 }, (_, at) => change(at + 3, 3, "failing", `s${at}`));
    const ledger = many.reduce(enqueue, recovered(3));
    expect(planMessage(ledger, { ...after(4, 85), mayEdit: true }).message?.edits).toBe("7");
  });
});

describe("a second document", () => {
  const urgent = (): Change =>
    ({ ...change(1, 1, "failing"), kind: "changed", isUrgent: true }) as Change;
  const stateNow = (state: string) => () => state;

  test("has to confirm a change that has lasted, and may be older than an urgent one", () => {
    const waiting = waitingFor(change(1, 1, "failing"));
    const kindOf = (ledger: ChannelLedger, run: number, state: string) =>
      planMessage(ledger, { ...after(run), stateNow: stateNow(state) }).message?.kind;
    expect([kindOf(waiting, 2, "healthy"), kindOf(waiting, 2, "failing")]).toEqual([
      undefined,
      "changed",
    ]);
    const atOnce = waitingFor(urgent());
    expect([kindOf(atOnce, 1, "healthy"), kindOf(atOnce, 2, "healthy")]).toEqual([
      "changed",
      undefined,
    ]);
  });

  test("without the subject ends what waits for it", () => {
    const plan = planMessage(waitingFor(change(1, 1, "failing")), {
      ...after(2),
      stateNow: stateNow("gone"),
    });
    expect([plan.message, [...plan.skippedSeqs]]).toEqual([undefined, [1]]);
  });
});

test("what is older than an hour is one message with the others", () => {
  const { nowMs, ...context } = after(2, 85);
  const two = waitingFor(change(1, 1, "failing", "a"), change(2, 1, "failing", "b"));
  const kindAt = (ageMs: number) =>
    planMessage(two, { ...context, nowMs: T0 + RUN_MS + ageMs }).message?.kind;
  expect([kindAt(60 * MINUTE_MS), kindAt(60 * MINUTE_MS + 1)]).toEqual(["changed", "digest"]);
  const one = waitingFor(change(1, 1, "failing"));
  expect(planMessage(one, { ...context, nowMs: nowMs + 999 * MINUTE_MS }).message?.kind).toBe(
    "changed",
  );
});

test("a notice says all that the change does", () => {
  const more = { code: "tcp-timeout" as const, beganMs: T0 - 7, id: "a.of-the-log" };
  const waiting = waitingFor({ ...change(3, 1, "failing"), ...more });
  expect(planMessage(waiting, after(2))).toEqual({
    skippedSeqs: new Set(),
    toldSeqs: new Set([3]),
    message: {
      id: "a.of-the-log",
      kind: "changed",
      atMs: T0 + RUN_MS,
      notices: [
        {
          subject: "a",
          before: "healthy",
          after: "failing",
          sinceMs: T0 + RUN_MS - 60 * MINUTE_MS,
          atMs: T0 + RUN_MS,
          code: "tcp-timeout",
          beganMs: T0 - 7,
          changes: 1,
        },
      ],
    },
  });
});

test("a change is told from the run after it on, and in the quiet not before its end", () => {
  const waiting = waitingFor(change(1, 1, "failing"));
  const kindAt = (lastRunMs: number) =>
    planMessage(waiting, { ...after(9), lastRunMs }).message?.kind;
  expect([kindAt(T0 + RUN_MS), kindAt(T0 + RUN_MS + 1)]).toEqual([undefined, "changed"]);
  const toldAtMs = T0;
  const told = new Map([["a", { state: "healthy", sinceMs: 0, toldAtMs }]]);
  const quiet = { ...waiting, told };
  const at = (nowMs: number) => planMessage(quiet, { ...after(9), nowMs }).message?.kind;
  expect([at(T0 + 15 * MINUTE_MS - 1), at(T0 + 15 * MINUTE_MS)]).toEqual([undefined, "changed"]);
});

test("a digest has another id as soon as it has other changes", () => {
  const digest = (...names: readonly string[]) =>
    planMessage(
      waitingFor(...names.map((name, at) => change(9 - at, 1, "failing", name))),
      after(2),
    ).message;
  expect(digest("a", "b")?.id).toBe(digest("a", "b")?.id);
  expect(digest("a", "b")?.id).not.toBe(digest("a", "b", "c")?.id);
});

test("what two failed messages may have told differently is told again", () => {
  let ledger = waitingFor(change(1, 1, "failing"));
  const fail = (run: number) => {
    const { message } = planMessage(ledger, after(run));
    ledger = noteFailed(ledger, message?.notices ?? [], undefined, T0);
  };
  fail(2);
  ledger = enqueue(ledger, change(2, 3, "healthy"));
  fail(4);
  expect(planMessage(ledger, after(5)).message?.notices).toMatchObject([{ after: "healthy" }]);
});

test("of too many changes that wait, no subject loses its first or its last", () => {
  const changes = Array.from({ length: 900 }, (_, at) =>
    change(at + 1, at, at % 2 === 0 ? "failing" : "healthy", at < 40 ? `s${at}` : "restless"),
  );
  const { waiting } = waitingFor(...changes);
  expect(waiting.length).toBe(400);
  expect(waiting.slice(0, 41)).toEqual(changes.slice(0, 41));
  expect(waiting.at(-1)).toEqual(changes.at(-1));
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
