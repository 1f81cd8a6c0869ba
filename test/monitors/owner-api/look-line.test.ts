import { describe, expect, test } from "vitest";
import {
  chooseLook,
  createLookLine,
  type LookTurn,
} from "../../../src/monitors/owner-api/look-line.ts";

const never = Number.NEGATIVE_INFINITY;
const LOOK_S = 4;

function turnOf(id: string, changes: Partial<LookTurn> = {}): LookTurn {
  return {
    id,
    hosts: [`${id}.ru`],
    domains: [`${id}.ru`],
    network: `network of ${id}`,
    block: `block of ${id}`,
    lastMs: never,
    isAsked: false,
    ...changes,
  };
}

/** Silent looks that all take their whole time: in which second that of the honest one began, of so many. */
function play(waiting: readonly LookTurn[], seconds: number): number | undefined {
  const served = new Map<string, number>();
  const left = new Map(waiting.map((turn) => [turn.id, turn]));
  let begun = 0;
  let running: (readonly [turn: LookTurn, untilS: number])[] = [];
  for (let second = 0; second < seconds; second += 1) {
    running = running.filter(([, untilS]) => untilS > second);
    for (;;) {
      const turns = running.map(([turn]) => turn);
      const turn = chooseLook(left.values(), turns, (key) => served.get(key));
      if (turn === undefined) break;
      if (turn.id === "honest") return second;
      left.delete(turn.id);
      begun += 1;
      for (const key of [turn.network, turn.block]) served.set(key, begun);
      running.push([turn, second + LOOK_S]);
    }
  }
  return undefined;
}

/** Monitors of strangers that wait at silent sites. */
const strangers = (count: number, networks: number, changes: Partial<LookTurn> = {}) =>
  Array.from({ length: count }, (_, at) =>
    turnOf(`stranger${at}`, {
      network: `network ${at % networks}`,
      block: `block ${at % networks}`,
      ...changes,
    }),
  );

test("behind 5,000 silent ones of 500 networks a proof is looked for within 60 s", () => {
  const honest = turnOf("honest");
  const began = play([...strangers(5_000, 500), honest], 60);
  expect(began).toBeLessThanOrEqual(60 - LOOK_S);
});

test("behind 5,000 of one block it is next", () => {
  const one = strangers(5_000, 500, { block: "block" });
  expect(play([...one, turnOf("honest")], 10)).toBe(0);
});

test("a visitor who waits is served within 62 s beside 500 networks that wait too", () => {
  const asked = strangers(500, 500, { isAsked: true });
  const all = [...asked, ...strangers(5_000, 500), turnOf("honest", { isAsked: true })];
  expect(play(all, 70)).toBeLessThanOrEqual(62);
  // Once they have had their turn, it is next.
  const served = (key: string): number | undefined => (key.includes("honest") ? undefined : 1);
  const running = asked.slice(0, 31);
  expect(chooseLook(all.slice(31), running, served)?.id).toBe("honest");
});

test("a network that has a look leaves places for those that have none", () => {
  const mine = { isAsked: true, network: "n", block: "b" };
  const turns = Array.from({ length: 40 }, (_, at) => turnOf(`mine${at}`, mine));
  const running = turns.slice(0, 24);
  expect(chooseLook(turns.slice(24), running, () => undefined)).toBeUndefined();
  expect(
    chooseLook([...turns.slice(24), turnOf("other", { isAsked: true })], running, () => 1)?.id,
  ).toBe("other");
});

test("a host, and a domain, is looked at once at a time", () => {
  const running = [turnOf("a", { hosts: ["x.shop.ru", "new.ru"], domains: ["shop.ru", "new.ru"] })];
  const domain = turnOf("b", { hosts: ["y.shop.ru"], domains: ["shop.ru"] });
  const target = turnOf("c", { hosts: ["mine.ru", "new.ru"], domains: ["mine.ru", "new.ru"] });
  expect(chooseLook([domain, target], running, () => undefined)).toBeUndefined();
  expect(chooseLook([domain, target], [], () => undefined)?.id).toBe("b");
});

test("of equal ones, what was looked at longest ago comes first", () => {
  const turns = [turnOf("new", { lastMs: 2 }), turnOf("old", { lastMs: 1 })];
  expect(chooseLook(turns, [], () => 0)?.id).toBe("old");
});

/** So many looks that run, all alike but for their sites. */
const runningOf = (count: number, changes: Partial<LookTurn>) =>
  Array.from({ length: count }, (_, at) => turnOf(`running${at}`, changes));

test.each<readonly [string, number, Partial<LookTurn>, Partial<LookTurn>]>([
  ["48 by themselves", 48, {}, {}],
  ["8 of a network by themselves", 8, { network: "n" }, { network: "n" }],
  ["24 of a block by themselves", 24, { block: "b" }, { block: "b" }],
  ["32 that are asked for", 32, { isAsked: true }, { isAsked: true }],
  [
    "24 that are asked for, of a network with a look",
    24,
    { isAsked: true, network: "n" },
    { isAsked: true, network: "n" },
  ],
])("there run at most %s", (_, most, running, next) => {
  const turn = turnOf("next", next);
  const beside = (count: number) =>
    chooseLook([turn], runningOf(count, running), () => undefined)?.id;
  expect([beside(most - 1), beside(most)]).toEqual(["next", undefined]);
});

test("looks that are asked for take no place of those that run by themselves", () => {
  const running = [...runningOf(48, {}), ...runningOf(31, { isAsked: true })];
  expect(chooseLook([turnOf("b", { isAsked: true })], running, () => 1)?.id).toBe("b");
  const asked = runningOf(32, { isAsked: true });
  expect(chooseLook([turnOf("b")], asked, () => 1)?.id).toBe("b");
});

test("a monitor is looked at once at a time, whatever its hosts", () => {
  const running = [turnOf("a", { hosts: ["old.ru"], domains: ["old.ru"] })];
  expect(chooseLook([turnOf("a")], running, () => 1)).toBeUndefined();
});

test.each<readonly [string, Partial<LookTurn>, Partial<LookTurn>]>([
  ["what a visitor waits for", { isAsked: true, lastMs: 9, network: "2", block: "2" }, {}],
  ["the block that was served longest ago", { block: "1", network: "9" }, { block: "2" }],
  ["the network that was served longest ago", { network: "1", lastMs: 9 }, { network: "2" }],
  ["a block that was never served", { block: "never", network: "9" }, { block: "1" }],
  ["what was never looked at", { lastMs: never }, {}],
])("first comes %s", (_, first, second) => {
  const same = { network: "0", block: "0", lastMs: 5 };
  const turns = [turnOf("first", { ...same, ...first }), turnOf("second", { ...same, ...second })];
  const servedAt = (key: string) => (key === "never" ? undefined : Number(key));
  expect(chooseLook(turns, [], servedAt)?.id).toBe("first");
  expect(chooseLook(turns.toReversed(), [], servedAt)?.id).toBe("first");
});

/** A line whose looks end when the test says so. */
function openLine() {
  const began: string[] = [];
  const ends = new Map<string, (found: string | Error) => void>();
  const line = createLookLine<string>((id) => {
    began.push(id);
    return new Promise((resolve, reject) => {
      ends.set(id, (found) => (found instanceof Error ? reject(found) : resolve(found)));
    });
  });
  return { line, began, end: (id: string, found: string | Error) => ends.get(id)?.(found) };
}

describe("a line of looks", () => {
  const same = { hosts: ["x.ru"], domains: ["x.ru"] };

  test("begins one when the one before at its host has ended", async () => {
    const { line, began, end } = openLine();
    const [one, two] = ["one", "two"].map((id) => line.ask(turnOf(id, { ...same, isAsked: true })));
    expect([began, line.asked()]).toEqual([["one"], 1]);
    end("one", "found");
    expect(await one).toBe("found");
    expect([began, line.asked()]).toEqual([["one", "two"], 0]);
    end("two", new Error("it failed"));
    expect(await two).toBeUndefined();
  });

  test("serves the blocks in turn", async () => {
    const { line, began, end } = openLine();
    const due = ["a1", "a2", "b1", "b2"].map((id) =>
      turnOf(id, { ...same, block: id.slice(0, 1), network: "n" }),
    );
    line.setDue(due);
    for (const id of ["a1", "b1", "a2"]) {
      end(id, "");
      await new Promise(setImmediate);
    }
    expect(began).toEqual(["a1", "b1", "a2", "b2"]);
  });

  test("finds what runs and what a visitor waits for, not what is only due", async () => {
    const { line, end } = openLine();
    line.setDue([turnOf("runs", same), turnOf("due", same)]);
    const asked = line.ask(turnOf("asked", { ...same, isAsked: true }));
    expect(["runs", "due", "asked", "x"].map((id) => line.find(id) !== undefined)).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(line.find("asked")).toBe(asked);
    end("runs", "");
    await new Promise(setImmediate);
    expect(line.find("runs")).toBeUndefined();
  });

  test("forgets what was due before", async () => {
    const { line, began, end } = openLine();
    line.setDue([turnOf("a", same), turnOf("b", same)]);
    line.setDue([turnOf("c", same)]);
    end("a", "");
    await new Promise(setImmediate);
    expect(began).toEqual(["a", "c"]);
  });

  test("is idle when what runs has ended, without beginning what is due", async () => {
    const { line, began, end } = openLine();
    line.setDue([turnOf("a", same), turnOf("b", same)]);
    let isIdle = false;
    const idle = line.idle().then(() => (isIdle = true));
    await new Promise(setImmediate);
    expect(isIdle).toBe(false);
    end("a", "");
    await idle;
    expect(began).toEqual(["a"]);
  });
});
