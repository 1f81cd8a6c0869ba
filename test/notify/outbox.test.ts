import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/model/time.ts";
import { contextOf, isDue, type News, sendBy, takeChanges } from "../../src/notify/outbox.ts";
import type { Change } from "../../src/notify/rules/change.ts";
import { type ChannelLedger, NEW_CHANNEL } from "../../src/notify/rules/channel-ledger.ts";
import { T0 } from "../model/samples.ts";

const added = (seq: number, subject = "a", atMs = T0): Change => ({
  seq,
  subject,
  atMs,
  kind: "added",
});

/** Each subject has a channel of its name; `gone` is none. */
const newsOf = (changes: readonly Change[], more: Partial<News> = {}): News => ({
  next: (changes.at(-1)?.seq ?? 0) + 1,
  changes,
  lastRunMs: T0,
  channelsFor: ({ subject }) => (subject === "other" ? [] : [subject]),
  subjectsOf: (channel) => (channel === "gone" ? undefined : 3),
  ...more,
});

const waitingIn = (channels: ReadonlyMap<string, ChannelLedger>) =>
  [...channels].map(([channel, { waiting }]) => [channel, ...waiting.map(({ seq }) => seq)]);

function take(
  news: News,
  { cursor, ofFirst, channels = new Map() }: TakenFrom = {},
  nowMs = T0,
): unknown {
  const ledger = { ...(cursor === undefined ? {} : { cursor }), channels };
  const { taken, missed, hasTaken } = takeChanges(ledger, { outbox: news, cursor: ofFirst }, nowMs);
  return { next: taken.cursor, waiting: waitingIn(taken.channels), missed, hasTaken };
}
interface TakenFrom {
  readonly cursor?: number;
  readonly ofFirst?: number;
  readonly channels?: ReadonlyMap<string, ChannelLedger>;
}

describe("what a ledger takes of an outbox", () => {
  const four = newsOf([added(4), added(5, "b"), added(6), added(7, "other")]);

  test.each<[string, TakenFrom, unknown]>([
    [
      "begins at its cursor",
      { cursor: 5 },
      {
        waiting: [
          ["b", 5],
          ["a", 6],
        ],
        missed: 0,
      },
    ],
    ["is nothing new at its end", { cursor: 8 }, { waiting: [], missed: 0, hasTaken: false }],
    ["is nothing for its channels", { cursor: 7 }, { waiting: [], missed: 0, hasTaken: false }],
    ["says what it has missed", { cursor: 1 }, { missed: 3, hasTaken: true }],
    ["has missed nothing just before the first", { cursor: 4 }, { missed: 0 }],
    ["begins where the first ledger is", { ofFirst: 6 }, { waiting: [["a", 6]] }],
    ["begins at the later of both", { cursor: 4, ofFirst: 6 }, { waiting: [["a", 6]] }],
    ["begins at the later of both, its own", { cursor: 6, ofFirst: 4 }, { waiting: [["a", 6]] }],
    // The state was lost, and its numbers began again.
    [
      "is what is fresh if the state was lost",
      { cursor: 9 },
      {
        waiting: [
          ["a", 4, 6],
          ["b", 5],
        ],
      },
    ],
    [
      "does not heed a first ledger of a lost state",
      { cursor: 6, ofFirst: 9 },
      { waiting: [["a", 6]] },
    ],
  ])("%s", (_, from, wanted) => {
    expect(take(four, from)).toMatchObject({ next: 8, ...(wanted as object) });
  });

  test("is at first what is younger than a quarter of an hour", () => {
    const quietMs = 15 * MINUTE_MS;
    const news = newsOf([added(1, "a", T0 - quietMs), added(2, "b", T0 - quietMs + 1)]);
    expect(take(news)).toEqual({ next: 3, waiting: [["b", 2]], missed: 0, hasTaken: true });
    expect(take(news, {}, T0 + 1)).toMatchObject({ waiting: [], hasTaken: false });
    expect(take(newsOf([]))).toEqual({ next: 1, waiting: [], missed: 0, hasTaken: false });
  });

  test("comes behind what waits, without channels that do not exist any more", () => {
    const channels = new Map([
      ["a", { ...NEW_CHANNEL, waiting: [added(3)] }],
      ["gone", { ...NEW_CHANNEL, waiting: [added(2, "gone")] }],
    ]);
    expect(take(four, { cursor: 6, channels })).toMatchObject({ waiting: [["a", 3, 6]] });
    const known = new Map([["a", { ...NEW_CHANNEL, waiting: [added(9)], tries: 2 }]]);
    const { taken } = takeChanges(
      { cursor: 9, channels: known },
      { outbox: newsOf([]), cursor: undefined },
      T0,
    );
    // A number of the lost state could be that of another change now.
    expect(taken.channels).toEqual(new Map([["a", { ...NEW_CHANNEL, tries: 2 }]]));
  });
});

test("a message is planned with what the outbox says of its channel", () => {
  const stateNow = (): string => "ok";
  const news = newsOf([], { stateNow, mayEdit: (channel) => channel === "a" });
  const common = { lastRunMs: T0, nowMs: T0 + 5, stateNow };
  expect(contextOf("a", news, T0 + 5)).toEqual({ ...common, subjects: 3, mayEdit: true });
  expect(contextOf("gone", news, T0 + 5)).toEqual({ ...common, subjects: 1, mayEdit: false });
});

test("a channel is due from its next attempt on, with a message or what to forget", () => {
  const context = contextOf("a", newsOf([]), T0);
  const waiting = [added(1)];
  expect(isDue({ ...NEW_CHANNEL, waiting, nextAtMs: T0 }, context)).toBe(true);
  expect(isDue({ ...NEW_CHANNEL, waiting, nextAtMs: T0 + 1 }, context)).toBe(false);
  expect(isDue(NEW_CHANNEL, context)).toBe(false);
  const change = { seq: 1, subject: "a", sinceMs: 0, kind: "changed", before: "ok" } as const;
  const undone = { ...change, atMs: T0 - 1, after: "ok" };
  expect(isDue({ ...NEW_CHANNEL, waiting: [undone] }, context)).toBe(true);
  const young = { ...change, atMs: T0, after: "fail" };
  expect(isDue({ ...NEW_CHANNEL, waiting: [young] }, context)).toBe(false);
});

test("a message goes to the receiver of its channel", async () => {
  const sent: unknown[] = [];
  const send = sendBy(new Map([["a", 7]]), async (receiver, { id }) => {
    sent.push([receiver, id]);
    return { kind: "delivered" };
  });
  const message = { id: "m", kind: "added", notices: [], atMs: T0 } as const;
  expect(await send("a", message)).toEqual({ kind: "delivered" });
  expect(await send("b", message)).toEqual({ kind: "failed", reason: "no such channel" });
  expect(sent).toEqual([[7, "m"]]);
});
