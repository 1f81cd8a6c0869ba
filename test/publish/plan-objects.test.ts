import { describe, expect, test } from "vitest";
import type { PublishedObject } from "../../src/model/publication.ts";
import { isTooMany, planObjects, SUSPICION_MS, taskFor } from "../../src/publish/plan-objects.ts";

const NOW_MS = 1_000_000_000;
const CONFIRMED: PublishedObject = { digest: "d", etag: "e", isPublished: true, suspectUntilMs: 0 };

function plan(
  before: PublishedObject | undefined,
  digest: string | undefined,
  touched: readonly string[] = [],
): PublishedObject | undefined {
  return planObjects(
    new Map(before === undefined ? [] : [["k", before]]),
    new Map(digest === undefined ? [] : [["k", digest]]),
    new Set(touched),
    NOW_MS,
  ).get("k");
}

describe("the plan for one object", () => {
  test("a new one is to be created", () => {
    expect(plan(undefined, "d")).toEqual({
      digest: "d",
      etag: null,
      isPublished: false,
      suspectUntilMs: 0,
    });
  });

  test("an unchanged one that was confirmed stays as it is", () => {
    expect(plan(CONFIRMED, "d")).toEqual(CONFIRMED);
  });

  test("a changed one is to be written over the known tag", () => {
    expect(plan(CONFIRMED, "new")).toEqual({ ...CONFIRMED, digest: "new", isPublished: false });
  });

  test("one that is no longer wanted is to be removed", () => {
    expect(plan(CONFIRMED, undefined)).toEqual({ ...CONFIRMED, digest: null, isPublished: false });
  });

  test("one that an earlier generation did not confirm is suspect, whatever its bytes", () => {
    const unconfirmed = { ...CONFIRMED, isPublished: false };
    for (const digest of ["d", "new", undefined]) {
      expect(plan(unconfirmed, digest)).toMatchObject({
        isPublished: false,
        suspectUntilMs: NOW_MS + SUSPICION_MS,
      });
    }
  });

  test("one that this writer wrote in an overtaken generation is suspect", () => {
    expect(plan(CONFIRMED, "d", ["k"])).toMatchObject({
      isPublished: false,
      suspectUntilMs: NOW_MS + SUSPICION_MS,
    });
  });

  test("a removed one is kept, and suspect, while a writer could write it again", () => {
    const removed = { ...CONFIRMED, digest: null, etag: null };
    const suspectUntilMs = NOW_MS + 1;
    expect(plan({ ...removed, suspectUntilMs }, undefined)).toMatchObject({ isPublished: true });
    expect(plan({ ...removed, suspectUntilMs }, "d")).toMatchObject({
      isPublished: false,
      suspectUntilMs,
    });
    expect(plan({ ...removed, suspectUntilMs: NOW_MS }, undefined)).toBeUndefined();
  });

  test("a confirmation does not end the suspicion", () => {
    const suspectUntilMs = NOW_MS + 1;
    expect(plan({ ...CONFIRMED, suspectUntilMs }, "d")).toMatchObject({
      isPublished: true,
      suspectUntilMs,
    });
  });
});

describe("the task for one object", () => {
  const suspect = { ...CONFIRMED, suspectUntilMs: NOW_MS + 1 };
  const changed = { ...CONFIRMED, isPublished: false };
  test.each([
    ["confirmed", CONFIRMED, "none"],
    ["changed", changed, "write"],
    ["new", { ...changed, etag: null }, "write"],
    ["confirmed but suspect", suspect, "check"],
    ["changed and suspect", { ...suspect, isPublished: false }, "check"],
    ["suspect no longer", { ...CONFIRMED, suspectUntilMs: NOW_MS }, "none"],
    ["to be removed", { ...changed, digest: null }, "remove"],
    ["to be removed, and suspect", { ...suspect, digest: null, isPublished: false }, "check"],
    ["removed a moment ago", { ...suspect, digest: null }, "check"],
    ["removed", { ...CONFIRMED, digest: null }, "none"],
  ])("%s", (_, object, task) => {
    expect(taskFor(object, false, NOW_MS)).toBe(task);
  });

  test("an audit checks confirmed and unknown objects, and writes changed ones unchecked", () => {
    expect(taskFor(CONFIRMED, true, NOW_MS)).toBe("check");
    expect(taskFor({ ...changed, etag: null }, true, NOW_MS)).toBe("check");
    expect(taskFor(changed, true, NOW_MS)).toBe("write");
  });
});

describe("a mass removal", () => {
  test.each([
    [100, 0, false],
    [1, 3, false],
    [0, 3, false],
    [96, 4, false],
    [90, 10, false],
    [89, 11, true],
    [1, 4, true],
  ])("of %i kept and %i gone, at a tenth: %s", (kept, gone, expected) => {
    expect(isTooMany(gone, kept + gone, 0.1)).toBe(expected);
  });

  test("does not exist with a limit of 1", () => {
    expect(isTooMany(100, 100, 1)).toBe(false);
  });
});
