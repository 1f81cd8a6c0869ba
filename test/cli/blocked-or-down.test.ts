import pLimit from "p-limit";
import { describe, expect, test, type TestContext } from "vitest";
import { isFull } from "../depth.ts";
import { isInstalled } from "../probe/browser/harness.ts";
import { BY_CLIENT, type Case, CASES, DIFFERING, isQuick, THROTTLED } from "./situations.ts";
import { type HomeName, HOMES, openWorld, type Published, type Situation } from "./world.ts";

/* Labelled cases with real commands, sockets, TLS and DNS in every place. Most of the time they wait for what is silent. */

describe.runIf(isFull).concurrent("blocked or down", () => {
  test("is right in every case with two home lines", async (context) => {
    const differing = DIFFERING.filter(([{ filter }]) => isInstalled || filter === undefined);
    const published = await play(context, [...CASES, ...situationsOf(differing)], HOMES);
    expectRight(CASES, published);
    expectPublished(differing, published);
  });

  test.for<[string, readonly HomeName[]]>([
    ["without other places in Moscow", []],
    ["with one home line", ["mgts"]],
  ])("is right %s", async ([, homes], context) => {
    const cases = CASES.filter(isQuick);
    expectRight(cases, await play(context, cases, homes));
  });

  test("says that a throttled line is slow", async (context) => {
    expectPublished(THROTTLED, await play(context, situationsOf(THROTTLED), []));
  });

  test.runIf(isInstalled)(
    "is right where a filter drops browsers, or programs",
    async (context) => {
      expectPublished(BY_CLIENT, await play(context, situationsOf(BY_CLIENT), []));
    },
  );
});

type Labelled = readonly (readonly [Situation, Published])[];

function situationsOf(labelled: Labelled): readonly Situation[] {
  return labelled.map(([situation]) => situation);
}

/** Five worlds at once are so many processes that a place on a slow machine finds itself offline. */
const atOnce = pLimit(3);

async function play(
  { onTestFinished }: TestContext,
  situations: readonly Situation[],
  homes: readonly HomeName[],
) {
  return await atOnce(async () => {
    const world = await openWorld(situations, homes);
    onTestFinished(() => world.close());
    return await world.play();
  });
}

function expectPublished(labelled: Labelled, published: ReadonlyMap<string, Published>): void {
  for (const [{ name }, expected] of labelled)
    expect({ name, ...published.get(name) }).toEqual({ name, ...expected });
}

/** Blocking is claimed where it is, and nowhere else; nothing that fails is green. */
function expectRight(cases: readonly Case[], published: ReadonlyMap<string, Published>): void {
  const codes = cases.map(({ name }) => [name, published.get(name)?.code] as const);
  const expected = cases.map(({ name, isBlocked }) => [name, isBlocked] as const);
  expect(codes.map(([name, code]) => [name, code === "restricted_fail"])).toEqual(expected);
  expect(codes.filter(([, code]) => code === "ok")).toEqual([]);
}
