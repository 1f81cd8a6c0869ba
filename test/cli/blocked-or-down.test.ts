import { afterEach, describe, expect, test } from "vitest";
import { isFull } from "../depth.ts";
import { isInstalled } from "../probe/browser/harness.ts";
import { BY_CLIENT, type Case, CASES, DIFFERING } from "./situations.ts";
import { openWorld, type Published, type World } from "./world.ts";

/* Labelled cases with real commands, sockets, TLS and DNS in every place. */

let world: World | undefined;
afterEach(() => world?.close());

describe.runIf(isFull)("blocked or down", () => {
  test("is right in every case with two home lines", async () => {
    world = await openWorld([...CASES, ...DIFFERING.map(([situation]) => situation)], true);
    const published = await world.play();
    expectRight(CASES, published);
    for (const [{ name }, expected] of DIFFERING)
      expect({ name, ...published.get(name) }).toEqual({ name, ...expected });
  });

  test.runIf(isInstalled)("is right where a filter drops browsers, or programs", async () => {
    world = await openWorld(
      BY_CLIENT.map(([situation]) => situation),
      false,
    );
    const published = await world.play();
    for (const [{ name }, expected] of BY_CLIENT)
      expect({ name, ...published.get(name) }).toEqual({ name, ...expected });
  });

  test("is right without other places in Moscow", async () => {
    const cases = CASES.filter(({ name }) => !name.includes("silen"));
    world = await openWorld(cases, false);
    expectRight(cases, await world.play());
  });
});

/** Blocking is claimed where it is, and nowhere else; nothing that fails is green. */
function expectRight(cases: readonly Case[], published: ReadonlyMap<string, Published>): void {
  const codes = cases.map(({ name }) => [name, published.get(name)?.code] as const);
  const expected = cases.map(({ name, isBlocked }) => [name, isBlocked] as const);
  expect(codes.map(([name, code]) => [name, code === "restricted_fail"])).toEqual(expected);
  expect(codes.filter(([, code]) => code === "ok")).toEqual([]);
}
