import fc from "fast-check";
import { expect, test } from "vitest";
import { backlogOf, ConnectionPool } from "../../src/http-server/connection-pool.ts";

test("every connection is admitted below the limits", () => {
  const pool = new ConnectionPool<string>({ inAll: 3, perNetwork: 2 });
  for (const name of ["a", "b"]) {
    expect(pool.admit(name, "home")).toEqual({ kind: "admitted" });
  }
  expect(pool.admit("c", "office")).toEqual({ kind: "admitted" });
  expect(pool.size).toBe(3);
});

test("a full pool drops the connection that has waited longest", () => {
  const pool = new ConnectionPool<string>({ inAll: 3, perNetwork: 3 });
  for (const name of ["a", "b", "c"]) pool.admit(name, name);
  for (const name of ["b", "a", "c"]) pool.wait(name);
  const first = { kind: "replacing", dropped: "b", reason: "dropped" };
  expect(pool.admit("d", "d")).toEqual(first);
  // It had a request answered meanwhile, so its wait starts again.
  pool.hold("a");
  pool.wait("a");
  expect(pool.admit("e", "e")).toMatchObject({ dropped: "c" });
  expect(pool.admit("f", "f")).toMatchObject({ dropped: "a" });
  expect(pool.size).toBe(3);
});

test("the newest is refused if all clients wait for a response", () => {
  const pool = new ConnectionPool<string>({ inAll: 2, perNetwork: 2 });
  for (const name of ["a", "b"]) pool.admit(name, name);
  expect(pool.admit("c", "c")).toEqual({ kind: "refused", reason: "refused" });
  pool.wait("a");
  pool.hold("a");
  expect(pool.admit("c", "c")).toEqual({ kind: "refused", reason: "refused" });
  pool.remove("b");
  expect(pool.admit("c", "c")).toEqual({ kind: "admitted" });
});

test("a network at its limit drops one of its own connections", () => {
  const pool = new ConnectionPool<string>({ inAll: 10, perNetwork: 2 });
  pool.admit("old", "quiet");
  pool.wait("old");
  for (const name of ["a", "b"]) pool.admit(name, "busy");
  expect(pool.admit("c", "busy")).toEqual({ kind: "refused", reason: "refused-network" });
  pool.wait("b");
  const own = { kind: "replacing", dropped: "b", reason: "dropped-network" };
  expect(pool.admit("c", "busy")).toEqual(own);
  expect(pool.admit("d", "quiet")).toEqual({ kind: "admitted" });
});

test("a trusted proxy has no limit and is never dropped", () => {
  const pool = new ConnectionPool<string>({ inAll: 4, perNetwork: 1 });
  pool.admit("stranger", "far");
  pool.wait("stranger");
  for (const name of ["p1", "p2", "p3"]) {
    expect(pool.admit(name, undefined)).toEqual({ kind: "admitted" });
    pool.wait(name);
  }
  expect(pool.admit("p4", undefined)).toMatchObject({ dropped: "stranger" });
  expect(pool.admit("p5", undefined)).toEqual({ kind: "refused", reason: "refused" });
});

test("the backlog is half of the pool, at most Node's default", () => {
  const sizes = [1, 2, 3, 4, 40, 1_021, 1_022, 1_024, 10_000];
  expect(sizes.map((inAll) => backlogOf({ inAll, perNetwork: 1 }))).toEqual([
    1, 1, 1, 2, 20, 510, 511, 511, 511,
  ]);
});

/** The model: the same pool as a simple, slow list. */
interface Known {
  readonly id: number;
  readonly network: string | undefined;
  waitsSince?: number;
}

const STEP = fc.record({
  act: fc.constantFrom("admit", "admit", "wait", "hold", "remove"),
  who: fc.nat({ max: 30 }),
  network: fc.constantFrom("a", "b", "c", undefined),
});

test("the pool behaves like the model for any sequence of steps", () => {
  fc.assert(
    fc.property(fc.array(STEP, { maxLength: 200 }), fc.nat({ max: 6 }), (steps, extra) => {
      const limits = { inAll: 3 + extra, perNetwork: 2 };
      const pool = new ConnectionPool<number>(limits);
      let known: Known[] = [];
      for (const [time, { act, who, network }] of steps.entries()) {
        const one = known.find(({ id }) => id === who);
        if (act === "admit") {
          if (one !== undefined) continue;
          const mates = known.filter((other) => other.network === network);
          const isNetworkFull = network !== undefined && mates.length >= limits.perNetwork;
          const isFull = isNetworkFull || known.length >= limits.inAll;
          const [longest] = (isNetworkFull ? mates : known)
            .filter(({ waitsSince }) => waitsSince !== undefined)
            .toSorted((a, b) => Number(a.waitsSince) - Number(b.waitsSince));
          const admission = pool.admit(who, network);
          const suffix = isNetworkFull ? "-network" : "";
          expect(admission.kind).toBe(
            !isFull ? "admitted" : longest === undefined ? "refused" : "replacing",
          );
          if (admission.kind === "refused") expect(admission.reason).toBe(`refused${suffix}`);
          if (admission.kind === "replacing") {
            expect(admission.reason).toBe(`dropped${suffix}`);
            expect(admission.dropped).toBe(longest?.id);
            known = known.filter((other) => other !== longest);
          }
          if (admission.kind !== "refused") known.push({ id: who, network });
        }
        if (act === "wait") pool.wait(who);
        if (act === "wait" && one?.network !== undefined) one.waitsSince = time;
        if (act === "hold") pool.hold(who);
        if (act === "hold") delete one?.waitsSince;
        if (act === "remove") pool.remove(who);
        if (act === "remove") known = known.filter((other) => other !== one);
        expect(pool.size).toBe(known.length);
      }
    }),
  );
});
