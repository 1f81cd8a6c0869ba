import { describe, expect, test } from "vitest";
import { type Departures, findGone, type Registry } from "../../src/departures.ts";
import { EMPTY_CLOCK } from "../../src/model/uptime.ts";

const KNOWN = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** What becomes of the known monitors, and of the badge of one that was never checked, when at most a fifth may leave by mistake. */
function departuresOf(
  ids: readonly string[],
  registry: Partial<Omit<Registry, "monitors">>,
  removed: readonly string[] = [],
): Omit<Departures, "isKept"> & { readonly kept: readonly string[] } {
  const monitors = ids.map((id) => ({
    id,
    name: id,
    url: `https://${id}.example/`,
    isPublic: true,
  }));
  const { isKept, ...rest } = findGone(
    { monitors, rejectedIds: [], isComplete: true, ...registry },
    0.2,
    { clock: EMPTY_CLOCK, ids: () => KNOWN, recordOf: () => undefined },
    new Set(removed),
  );
  const others = [...KNOWN, "unchecked"].filter((id) => !ids.includes(id));
  return { ...rest, kept: others.filter(isKept) };
}

const without = (...gone: readonly string[]): readonly string[] =>
  KNOWN.filter((id) => !gone.includes(id));

describe("of a registry that is read whole", () => {
  test("who is missing is gone", () => {
    expect(departuresOf(without("a", "b", "c"), {})).toEqual({
      goneIds: ["a", "b", "c"],
      heldBack: 0,
      kept: [],
    });
  });

  test("who is only written wrongly keeps what it has", () => {
    expect(departuresOf(without("a", "b"), { rejectedIds: ["b"] })).toEqual({
      goneIds: ["a"],
      heldBack: 0,
      kept: ["b"],
    });
  });

  test("many missing at once are held back, but for whom somebody took out", () => {
    const few = without("a", "b", "c", "d", "e", "f");
    expect(departuresOf(few, { rejectedIds: ["f"] }, ["a"])).toEqual({
      goneIds: ["a"],
      heldBack: 4,
      kept: ["b", "c", "d", "e", "f"],
    });
  });

  test("who was taken out and is there again stays", () => {
    expect(departuresOf(KNOWN, {}, ["a"])).toEqual({ goneIds: [], heldBack: 0, kept: [] });
    expect(departuresOf(without("a"), { rejectedIds: ["a"] }, ["a"])).toMatchObject({
      goneIds: [],
      kept: ["a"],
    });
  });
});

describe("of a registry that is not read whole", () => {
  const isComplete = false;

  test("nobody who is missing is gone", () => {
    expect(departuresOf([], { isComplete })).toEqual({
      goneIds: [],
      heldBack: 0,
      kept: [...KNOWN, "unchecked"],
    });
  });

  test("who was taken out is gone all the same, unless it stands there wrongly written", () => {
    const few = without("a", "b", "c");
    expect(departuresOf(few, { isComplete, rejectedIds: ["b"] }, ["a", "b", "unchecked"])).toEqual({
      goneIds: ["a"],
      heldBack: 0,
      kept: ["b", "c"],
    });
  });
});
