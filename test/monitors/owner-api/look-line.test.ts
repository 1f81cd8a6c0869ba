import { expect, test } from "vitest";
import { chooseLook, type LookTurn } from "../../../src/monitors/owner-api/look-line.ts";

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

/** Silent looks that all take their whole time: in which second each began. */
function play(waiting: readonly LookTurn[], seconds: number): ReadonlyMap<string, number> {
  const served = new Map<string, number>();
  const left = new Map(waiting.map((turn) => [turn.id, turn]));
  const begun = new Map<string, number>();
  let running: (readonly [turn: LookTurn, untilS: number])[] = [];
  for (let second = 0; second < seconds; second += 1) {
    running = running.filter(([, untilS]) => untilS > second);
    for (;;) {
      const turns = running.map(([turn]) => turn);
      const turn = chooseLook(left.values(), turns, (key) => served.get(key));
      if (turn === undefined) break;
      left.delete(turn.id);
      begun.set(turn.id, second);
      for (const key of [turn.network, turn.block]) served.set(key, begun.size);
      running.push([turn, second + LOOK_S]);
    }
  }
  return begun;
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
  const began = play([...strangers(5_000, 500), honest], 60).get("honest");
  expect(began).toBeLessThanOrEqual(60 - LOOK_S);
});

test("behind 5,000 of one block it is next", () => {
  const one = strangers(5_000, 500, { block: "block" });
  expect(play([...one, turnOf("honest")], 10).get("honest")).toBe(0);
});

test("a visitor who waits is served within 62 s beside 500 networks that wait too", () => {
  const asked = strangers(500, 500, { isAsked: true });
  const all = [...asked, ...strangers(5_000, 500), turnOf("honest", { isAsked: true })];
  expect(play(all, 70).get("honest")).toBeLessThanOrEqual(62);
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
