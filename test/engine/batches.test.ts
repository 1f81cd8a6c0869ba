import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  MAX_MESSAGE_BYTES,
  packResults,
  packWork,
  unpackResults,
  unpackWork,
  BATCH_TARGETS,
  planBatches,
} from "../../src/engine/batches.ts";
import { batchIn, resultSubjectOf, workSubjectOf } from "../../src/engine/names.ts";
import { mergeResults } from "../../src/engine/dispatch-ledger.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import { FAILURE_CODES } from "../../src/model/failures.ts";
import type { CheckTarget } from "../../src/monitors/checks/check-target.ts";
import { monitorSchema } from "../../src/monitors/registry/registry-schema.ts";

const RESULT: fc.Arbitrary<CheckResult> = fc.oneof(
  fc.integer({ min: 0, max: 20_000 }).map((totalMs) => ({ kind: "healthy" as const, totalMs })),
  fc.constant({ kind: "healthy" as const }),
  fc.constant({ kind: "healthy" as const, warning: "mixed-addresses" as const, totalMs: 7 }),
  fc.constantFrom(...FAILURE_CODES).map((code) => ({ kind: "failing" as const, code })),
  fc.constantFrom(...FAILURE_CODES).map((code) => ({ kind: "refused" as const, code })),
  fc.constant({ kind: "skipped" as const }),
  fc.constant({ kind: "skipped" as const, isWalled: true as const }),
);

const target = (id: string, more: Partial<CheckTarget> = {}): CheckTarget => ({
  id,
  url: `https://${id}.example/`,
  lastState: "healthy",
  ...more,
});

const HANDLING = { delivery: 2, checkMs: 1_500 };

describe("a batch", () => {
  test("comes back as it was, whatever the results", () => {
    fc.assert(
      fc.property(fc.array(RESULT, { minLength: 1, maxLength: 20 }), (results) => {
        const targets = results.map((_, at) => target(`m${at}`, { wasHealthy: at % 2 === 0 }));
        const { bytes, digest } = packWork(targets);
        const work = unpackWork(bytes);
        expect(work).toEqual({ targets, digest });
        const byId = new Map(results.map((one, at) => [`m${at}`, one]));
        const answer = packResults({ targets, digest }, byId, HANDLING);
        const ids = targets.map(({ id }) => id);
        const { results: entries, ...handling } = unpackResults(answer, ids, digest) ?? {};
        expect([new Map(entries), handling]).toEqual([byId, HANDLING]);
      }),
    );
  });

  test("that is cut, changed or of other work is none", () => {
    const targets = [target("a"), target("b")];
    const { bytes, digest } = packWork(targets);
    const answer = packResults({ targets, digest }, new Map(), HANDLING);
    const ids = ["a", "b"];
    expect(unpackResults(answer, ids, digest)?.results).toHaveLength(2);
    expect(unpackResults(answer, ["a"], digest)).toBeUndefined();
    expect(unpackResults(answer, ids, packWork([target("c")]).digest)).toBeUndefined();
    for (let end = 0; end < bytes.length; end += 1)
      expect(unpackWork(bytes.subarray(0, end))).toBeUndefined();
    for (const text of ["{}", "[]", "null", '{"format":"status-snapshot/work","version":1}'])
      expect(unpackWork(gzipSync(text))).toBeUndefined();
    expect(unpackWork(gzipSync(Buffer.alloc(40_000_000)))).toBeUndefined();
    expect(unpackWork(new Uint8Array(MAX_MESSAGE_BYTES + 1))).toBeUndefined();
  });

  test("takes every monitor that the registry takes", () => {
    const schema = monitorSchema({ refusalOfUrl: () => undefined });
    const monitor = schema.parse({
      id: "x".repeat(64),
      url: `https://example.ru/${"ю".repeat(200)}`,
      expect: Array.from({ length: 500 }, (_, at) => 100 + at),
      timeoutMs: 20_000,
      body: "☕".repeat(1_000),
    });
    const targets = [{ ...monitor, lastState: "failing" as const, wasHealthy: true }];
    expect(unpackWork(packWork(targets).bytes)?.targets[0]).toMatchObject({ id: monitor.id });
  });
});

describe("the plan", () => {
  test("has each target once, hosts whole, and every message fits", () => {
    const texts = fc.string({ unit: "binary", maxLength: 1_000 });
    fc.assert(
      fc.property(
        fc.array(texts, { maxLength: 50 }),
        fc.integer({ min: 1, max: 60 }),
        (bodies, hosts) => {
          const targets = Array.from({ length: 1_500 }, (_, at) =>
            target(`m${at}`, {
              url: `https://h${at % hosts}.example/${at}`,
              ...(bodies.length === 0 ? {} : { body: bodies[at % bodies.length] ?? "" }),
            }),
          );
          const batches = planBatches(targets, 7);
          expect(
            batches
              .flat()
              .map(({ id }) => id)
              .toSorted(),
          ).toEqual(targets.map(({ id }) => id).toSorted());
          for (const batch of batches)
            expect(packWork(batch).bytes.length).toBeLessThan(MAX_MESSAGE_BYTES);
        },
      ),
      { numRuns: 5 },
    );
    const each = Array.from({ length: 2_000 }, (_, at) =>
      target(`m${at}`, { url: `https://h${at % 20}.example/` }),
    );
    const seen = planBatches(each, 1).map((batch) => new Set(batch.map(({ url }) => url)));
    expect(seen.flatMap((urls) => [...urls]).length).toBe(20);
    expect(seen.length).toBe(2_000 / BATCH_TARGETS);
  });

  test("is the same for two publishers of a slot, and another in the next", () => {
    const targets = Array.from({ length: 1_000 }, (_, at) => target(`m${at}`));
    const order = (slot: number, all = targets): readonly string[] =>
      planBatches(all, slot)
        .flat()
        .map(({ id }) => id);
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
    const sick = targets.map((one, at) =>
      at < 10 ? { ...one, lastState: "failing" as const } : one,
    );
    expect(new Set(order(3, sick).slice(-10))).toEqual(
      new Set(targets.slice(0, 10).map(({ id }) => id)),
    );
  });
});

test("a subject names its batch, and nothing else does", () => {
  const name = { vantage: "spb-mobile", cell: "3-10", slot: 5_900_000, number: 12 };
  expect(batchIn(workSubjectOf(name))).toEqual(name);
  expect(batchIn(resultSubjectOf(name))).toEqual(name);
  for (const other of [
    "work.a.0-1.5",
    "work.a.0-1.5.x",
    "other.a.0-1.5.6",
    "work.A.0-1.5.6",
    "work.a.0-1.5.6.7",
  ])
    expect(batchIn(other)).toBeUndefined();
});

test("a monitor fails only if all places that could tell say so", () => {
  const ok = { kind: "healthy", totalMs: 5 } as const;
  const bad = { kind: "failing", code: "tcp-timeout" } as const;
  const skipped = { kind: "skipped" } as const;
  const refused = { kind: "refused", code: "url-refused" } as const;
  expect(mergeResults([bad, ok])).toBe(ok);
  expect(mergeResults([bad, skipped, undefined])).toBe(bad);
  expect(mergeResults([skipped, undefined])).toEqual(skipped);
  expect(mergeResults([refused, bad])).toBe(bad);
  expect(mergeResults([undefined, refused])).toBe(refused);
  expect(mergeResults([])).toEqual(skipped);
});
