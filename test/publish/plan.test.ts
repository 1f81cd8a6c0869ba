import { describe, expect, test } from "vitest";
import type { PublishedObject } from "../../src/model/publication.ts";
import { isMassRemoval, planObjects, SUSPICION_MS, taskFor } from "../../src/publish/plan.ts";

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
  test("a new one is to be written where nothing is known to be", () => {
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

  test("a changed one is to be written over the tag that is known", () => {
    expect(plan(CONFIRMED, "new")).toEqual({ ...CONFIRMED, digest: "new", isPublished: false });
  });

  test("one that no document needs any longer is to be removed", () => {
    expect(plan(CONFIRMED, undefined)).toEqual({ ...CONFIRMED, digest: null, isPublished: false });
  });

  test("one that an earlier generation never confirmed is suspect, whatever its bytes", () => {
    const unconfirmed = { ...CONFIRMED, isPublished: false };
    for (const digest of ["d", "new", undefined]) {
      expect(plan(unconfirmed, digest)).toMatchObject({
        isPublished: false,
        suspectUntilMs: NOW_MS + SUSPICION_MS,
      });
    }
  });

  test("one that we wrote in a generation that was overtaken is suspect", () => {
    expect(plan(CONFIRMED, "d", ["k"])).toMatchObject({
      isPublished: false,
      suspectUntilMs: NOW_MS + SUSPICION_MS,
    });
  });

  test("one that was removed is remembered while a writer could bring it back, and what returns there is looked at", () => {
    const removed = { ...CONFIRMED, digest: null, etag: null };
    const suspectUntilMs = NOW_MS + 1;
    expect(plan({ ...removed, suspectUntilMs }, undefined)).toMatchObject({ isPublished: true });
    expect(plan({ ...removed, suspectUntilMs }, "d")).toMatchObject({
      isPublished: false,
      suspectUntilMs,
    });
    expect(plan({ ...removed, suspectUntilMs: NOW_MS }, undefined)).toBeUndefined();
  });

  test("suspicion outlives a generation that confirms", () => {
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
    ["confirmed but suspect", suspect, "look"],
    ["changed and suspect", { ...suspect, isPublished: false }, "look"],
    ["suspect no longer", { ...CONFIRMED, suspectUntilMs: NOW_MS }, "none"],
    ["to be removed", { ...changed, digest: null }, "remove"],
    ["to be removed, and suspect", { ...suspect, digest: null, isPublished: false }, "look"],
    ["removed a moment ago", { ...suspect, digest: null }, "look"],
    ["removed", { ...CONFIRMED, digest: null }, "none"],
  ])("%s", (_, object, task) => {
    expect(taskFor(object, false, NOW_MS)).toBe(task);
  });

  test("an audit looks at what is confirmed and at what is not known, and writes what changed without a look", () => {
    expect(taskFor(CONFIRMED, true, NOW_MS)).toBe("look");
    expect(taskFor({ ...changed, etag: null }, true, NOW_MS)).toBe("look");
    expect(taskFor(changed, true, NOW_MS)).toBe("write");
  });
});

describe("a mass removal", () => {
  const objects = (kept: number, gone: number): Map<string, PublishedObject> =>
    new Map(
      Array.from({ length: kept + gone }, (_, at): [string, PublishedObject] => [
        `k${at}`,
        at < kept ? CONFIRMED : { ...CONFIRMED, digest: null, isPublished: false },
      ]),
    );
  test.each([
    [100, 0, false],
    [1, 3, false],
    [0, 3, false],
    [96, 4, false],
    [90, 10, false],
    [89, 11, true],
    [1, 4, true],
  ])("of %i kept and %i gone, at a tenth: %s", (kept, gone, expected) => {
    expect(isMassRemoval(objects(kept, gone), 0.1)).toBe(expected);
  });

  test("is never one when everything may go", () => {
    expect(isMassRemoval(objects(0, 100), 1)).toBe(false);
  });
});
