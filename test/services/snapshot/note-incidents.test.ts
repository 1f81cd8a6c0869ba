import { expect, test } from "vitest";
import {
  type Incidents,
  NO_INCIDENTS,
  NO_VERDICTS,
} from "../../../src/model/service/verdict-change.ts";
import type { VerdictCode } from "../../../src/contract/codes/verdict.ts";
import { noteIncidents, noteVerdicts } from "../../../src/services/snapshot/verdict-log.ts";
import { snapshotOf } from "./snapshot-of.ts";

/** A verdict; with an exclamation mark it is live. */
type Step = Readonly<Record<string, VerdictCode | `${VerdictCode}!`>>;

function noteAll(...steps: readonly Step[]): Incidents {
  let [log, incidents] = [NO_VERDICTS, NO_INCIDENTS];
  for (const [place, step] of steps.entries()) {
    const codes = Object.entries(step).map(([slug, verdict]) => [slug, verdict.replace("!", "")]);
    const { updatedAtMs, services } = snapshotOf(Object.fromEntries(codes));
    const live = services.map((one) => ({
      ...one,
      verdict: { ...one.verdict, live: step[one.slug]?.endsWith("!") ?? false },
    }));
    const snapshot = { updatedAtMs, services: live };
    log = noteVerdicts(log, snapshot, place + 1, () => ({ scope: "none" }));
    incidents = noteIncidents(incidents, snapshot, log, place + 1);
  }
  return incidents;
}

test("an incident begins with a live verdict and ends with one that is not", () => {
  const steps = [{ a: "ok" }, { a: "fail!" }, { a: "fail!" }] as const;
  const begun = [{ atMs: 2, code: "fail" }];
  expect(noteAll(...steps)).toEqual({
    open: [{ slug: "a", steps: begun }],
    past: [],
    changedAtMs: 2,
  });
  expect(noteAll(...steps, { a: "fail_long" })).toEqual({
    open: [],
    past: [{ slug: "a", steps: [...begun, { atMs: 4, code: "fail_long" }] }],
    changedAtMs: 4,
  });
});

test("the end of liveness is noted although the verdict stays", () => {
  const { open, past, changedAtMs } = noteAll({ a: "err!" }, { a: "err!" }, { a: "err" });
  expect([open, changedAtMs]).toEqual([[], 3]);
  expect(past[0]?.steps).toEqual([
    { atMs: 1, code: "err" },
    { atMs: 3, code: "err" },
  ]);
});

test("a pause without data ends no incident", () => {
  const { open, past } = noteAll({ a: "fail!" }, { a: "none" }, { a: "none" }, { a: "fail!" });
  expect(past).toEqual([]);
  expect(open[0]?.steps.map(({ atMs, code }) => [atMs, code])).toEqual([
    [1, "fail"],
    [2, "none"],
    [4, "fail"],
  ]);
});

test("an incident of a service that left the catalogue ends with no data", () => {
  const left = {
    open: [],
    past: [
      {
        slug: "a",
        steps: [
          { atMs: 1, code: "fail" },
          { atMs: 2, code: "none" },
        ],
      },
    ],
    changedAtMs: 2,
  };
  expect(noteAll({ a: "fail!", b: "ok" }, { b: "ok" })).toEqual(left);
  expect(noteAll({ a: "fail!", b: "ok" }, { b: "ok" }, { b: "ok" })).toEqual(left);
  // A pause without data before it has not ended it.
  const paused = noteAll({ a: "fail!", b: "ok" }, { a: "none", b: "ok" }, { b: "ok" });
  expect(paused.past[0]?.steps.map(({ atMs, code }) => [atMs, code])).toEqual([
    [1, "fail"],
    [2, "none"],
    [3, "none"],
  ]);
});

test("a change without liveness is a change of the page", () => {
  expect(noteAll({ a: "ok" }, { a: "slow" }, { a: "slow" }).changedAtMs).toBe(2);
});

test("the fifty last incidents and twenty steps of one are kept", () => {
  const toAndFro = Array.from({ length: 140 }, (_, place): Step => {
    return { a: place % 2 === 0 ? "fail!" : "ok" };
  });
  expect(noteAll(...toAndFro).past).toHaveLength(50);
  const long = Array.from({ length: 50 }, (_, place): Step => {
    return { a: place % 2 === 0 ? "fail!" : "err!" };
  });
  const steps = noteAll(...long).open[0]?.steps ?? [];
  expect(steps.map(({ atMs }) => atMs)).toEqual([
    1,
    ...Array.from({ length: 19 }, (_, place) => place + 32),
  ]);
});

test("open incidents are in the order in which they began", () => {
  const { open } = noteAll(
    { a: "ok", b: "ok", c: "fail!", d: "ok" },
    { a: "ok", b: "fail!", c: "fail!", d: "ok" },
    { a: "fail!", b: "fail!", c: "fail!", d: "fail!" },
  );
  expect(open.map(({ slug }) => slug)).toEqual(["c", "b", "a", "d"]);
});
