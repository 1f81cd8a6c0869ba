import { describe, expect, test } from "vitest";
import {
  type MonitorRemovals,
  findRemoved,
  joinOwned,
  type Registry,
} from "../../src/pipeline/publish/monitor-removals.ts";
import { EMPTY_CLOCK } from "../../src/model/monitor/uptime.ts";

const KNOWN = ["a", "b", "c", "d", "e", "f", "g", "h"];

/**
 * The removals among the known monitors, and whether one that was never checked is kept, if at most a fifth may be removed at once.
 */
function removalsOf(
  ids: readonly string[],
  registry: Partial<Omit<Registry, "monitors">>,
  removed: readonly string[] = [],
): Omit<MonitorRemovals, "isKept"> & { readonly kept: readonly string[] } {
  const monitors = ids.map((id) => ({
    id,
    name: id,
    url: `https://${id}.example/`,
    isPublic: true,
  }));
  const { isKept, ...rest } = findRemoved(
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

describe("with a complete registry", () => {
  test("missing monitors are removed", () => {
    expect(removalsOf(without("a", "b", "c"), {})).toEqual({
      removedIds: ["a", "b", "c"],
      withheldRemovals: 0,
      kept: [],
    });
  });

  test("a monitor with an invalid entry is kept", () => {
    expect(removalsOf(without("a", "b"), { rejectedIds: ["b"] })).toEqual({
      removedIds: ["a"],
      withheldRemovals: 0,
      kept: ["b"],
    });
  });

  test("many missing at once are withheld, except those removed by name", () => {
    const few = without("a", "b", "c", "d", "e", "f");
    expect(removalsOf(few, { rejectedIds: ["f"] }, ["a"])).toEqual({
      removedIds: ["a"],
      withheldRemovals: 4,
      kept: ["b", "c", "d", "e", "f"],
    });
  });

  test("a monitor that was removed by name and is back stays", () => {
    expect(removalsOf(KNOWN, {}, ["a"])).toEqual({
      removedIds: [],
      withheldRemovals: 0,
      kept: [],
    });
    expect(removalsOf(without("a"), { rejectedIds: ["a"] }, ["a"])).toMatchObject({
      removedIds: [],
      kept: ["a"],
    });
  });
});

describe("with an incomplete registry", () => {
  const isComplete = false;

  test("missing monitors are kept", () => {
    expect(removalsOf([], { isComplete })).toEqual({
      removedIds: [],
      withheldRemovals: 0,
      kept: [...KNOWN, "unchecked"],
    });
  });

  test("a monitor removed by name is removed, unless it has an invalid entry", () => {
    const few = without("a", "b", "c");
    expect(removalsOf(few, { isComplete, rejectedIds: ["b"] }, ["a", "b", "unchecked"])).toEqual({
      removedIds: ["a"],
      withheldRemovals: 0,
      kept: ["b", "c"],
    });
  });
});

test("a monitor of the registry takes the place of an owned one with its id", () => {
  const monitorOf = (id: string, name: string) => {
    return { id, name, url: `https://${id}.example/`, isPublic: true };
  };
  const monitors = ["a", "b"].map((id) => monitorOf(id, "of the registry"));
  const registry: Registry = { monitors, rejectedIds: [], isComplete: true };
  const checked = ["b", "c"].map((id) => monitorOf(id, "owned"));
  const owned = { checked, dormantIds: new Set(["a", "d"]) };
  const memory = {};
  const joined = joinOwned(registry, owned, memory);
  expect(joined).toEqual({
    ...registry,
    monitors: [...monitors, monitorOf("c", "owned")],
    dormantIds: new Set(["d"]),
  });
  expect(joinOwned(registry, owned, memory)).toBe(joined);
  expect(joinOwned({ ...registry }, owned, memory)).not.toBe(joined);
  expect(joinOwned(registry, { checked: [], dormantIds: new Set() }, memory)).toBe(registry);
  expect(joinOwned(registry, undefined, memory)).toBe(registry);
});
