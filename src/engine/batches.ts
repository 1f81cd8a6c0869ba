import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { groupBy } from "../model/lists.ts";
import { type CheckResult, MONITOR_WARNINGS } from "../model/monitor/monitor.ts";
import { CHECKED_MONITOR } from "../model/monitor/monitor-schema.ts";
import { FAILURE_CODES } from "../model/failures.ts";
import { type CheckTarget, type HostGroup, hostOfTarget } from "../monitors/checks/check-target.ts";

/** Targets of a batch, unless one host has more. A worker is done with it in some seconds. */
export const BATCH_TARGETS = 500;

/** Of a batch as JSON, before it is packed: well below a message, even of texts that do not pack. */
const BATCH_BYTES = 700_000;

/**
 * Divides the targets into batches, whole hosts together, those that failed last time at the end. The order of the hosts depends on
 * the slot alone: it differs from run to run, so a different part is skipped in each run that has no time left, and two publishers
 * of one slot send the same batches. Pure.
 *
 * @param most targets of a batch, unless one host has more.
 */
export function planBatches(
  targets: readonly CheckTarget[],
  slot: number,
  most: number = BATCH_TARGETS,
): readonly (readonly CheckTarget[])[] {
  const batches: CheckTarget[][] = [];
  let batch: CheckTarget[] = [];
  let bytes = 0;
  const close = (): void => {
    if (batch.length > 0) batches.push(batch);
    batch = [];
    bytes = 0;
  };
  for (const group of inOrder(targets, slot)) {
    if (batch.length > 0 && batch.length + group.length > most) close();
    for (const target of group) {
      const size = sizeOf(target);
      if (bytes + size > BATCH_BYTES) close();
      batch.push(target);
      bytes += size;
    }
  }
  close();
  return batches;
}

/** An upper bound of its JSON, if keys have less than 20 characters and numbers less than 6. */
function sizeOf(target: CheckTarget): number {
  let size = 0;
  for (const value of Object.values(target)) {
    if (typeof value === "string") size += 3 * value.length;
    else if (Array.isArray(value)) size += 6 * value.length;
    size += 30;
  }
  return size;
}

function inOrder(targets: readonly CheckTarget[], slot: number): readonly HostGroup[] {
  const groups = groupBy(
    targets,
    ({ lastState, url }) => `${lastState === "failing" ? "1" : "0"} ${hostOfTarget(url)}`,
  );
  const keyed = [...groups].map(([key, group]) => ({ place: placeOf(key, slot), group }));
  return keyed.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ group }) => group);
}

/** Like a random number, and the same for everybody. */
function placeOf(key: string, slot: number): string {
  return key.charAt(0) + createHash("md5").update(`${slot} ${key}`).digest("hex");
}

/** Largest message that the streams take: the default of a NATS server. */
export const MAX_MESSAGE_BYTES: number = 1024 * 1024;

/** Of a message once it is unpacked: the longest settings of 500 monitors, and some more of one host. */
const MAX_PLAIN_BYTES = 16 * 1024 * 1024;

/** Targets of one batch at most: those of one host stay together, whatever their number, while they fit into a message. */
const MAX_TARGETS = 100_000;

const TARGET = CHECKED_MONITOR.extend({
  lastState: z.enum(["healthy", "failing", "unknown"]),
  wasHealthy: z.exactOptional(z.boolean()),
}) satisfies z.ZodType<CheckTarget>;

/** Leaves out what only the publisher needs. */
const TARGETS = z.array(z.object(TARGET.shape)).min(1).max(MAX_TARGETS);

const WORK = z.strictObject({
  format: z.literal("status-snapshot/work"),
  version: z.literal(1),
  targets: z.array(TARGET).min(1).max(MAX_TARGETS).readonly(),
});

const code = z.enum(FAILURE_CODES);
const warning = z.enum(MONITOR_WARNINGS);
const ms = z.number().min(0).max(1e7);

/** One target: a number is the time of a healthy check, null a skipped one. */
const ENTRY = z.union([
  ms,
  z.null(),
  z.strictObject({ ms: z.exactOptional(ms), warning: z.exactOptional(warning) }),
  z.strictObject({ failing: code }),
  z.strictObject({ refused: code }),
  z.strictObject({ isWalled: z.literal(true) }),
]);

const RESULT = z.strictObject({
  format: z.literal("status-snapshot/results"),
  version: z.literal(1),
  digest: z.string().length(43),
  /** How often the work was handed out, with this time. */
  delivery: z.int().min(1).max(1_000),
  /** How long the worker had it, milliseconds. */
  checkMs: ms,
  /** In the order of the targets. */
  results: z.array(ENTRY).max(MAX_TARGETS).readonly(),
});

/** A batch as it travels, and the digest by which its results name it. Throws if targets do not fit their own layout. */
export function packWork(targets: readonly CheckTarget[]) {
  const wire = { format: "status-snapshot/work", version: 1, targets: TARGETS.parse(targets) };
  const bytes = gzipSync(JSON.stringify(wire), { level: 1 });
  return { bytes, digest: digestOf(bytes) };
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

/** The targets in a message; undefined if it cannot be read. Never throws. */
export function unpackWork(bytes: Uint8Array) {
  const parsed = WORK.safeParse(inflate(bytes));
  return parsed.success ? { targets: parsed.data.targets, digest: digestOf(bytes) } : undefined;
}

/** What a worker says of a batch, besides the results. */
export type Handling = Pick<z.infer<typeof RESULT>, "delivery" | "checkMs">;

/** The results of a batch as they travel. A target without one is skipped. */
export function packResults(
  { targets, digest }: NonNullable<ReturnType<typeof unpackWork>>,
  results: ReadonlyMap<string, CheckResult>,
  handling: Handling,
): Uint8Array {
  const entries = targets.map(({ id }) => toEntry(results.get(id)));
  const head = { format: "status-snapshot/results", version: 1, digest };
  return gzipSync(JSON.stringify({ ...head, ...handling, results: entries }), { level: 1 });
}

/** As JSON, which leaves out what is undefined. */
function toEntry(result: CheckResult | undefined): number | object | null {
  switch (result?.kind) {
    case "healthy": {
      const { totalMs, warning: warned } = result;
      const isPlain = totalMs !== undefined && warned === undefined;
      return isPlain ? totalMs : { ms: totalMs, warning: warned };
    }
    case "failing":
      return { failing: result.code };
    case "refused":
      return { refused: result.code };
    case "skipped":
      return result.isWalled === true ? { isWalled: true } : null;
    case undefined:
      return null;
  }
}

/** The results in a message about a batch with these ids; undefined if it is damaged or about another. Never throws. */
export function unpackResults(bytes: Uint8Array, ids: readonly string[], digest: string) {
  const parsed = RESULT.safeParse(inflate(bytes));
  if (!parsed.success) return undefined;
  const { results, delivery, checkMs } = parsed.data;
  if (parsed.data.digest !== digest || results.length !== ids.length) return undefined;
  const entries = results.map((entry, at) => [ids[at] ?? "", fromEntry(entry)] as const);
  return { results: entries, delivery, checkMs };
}

function fromEntry(entry: z.infer<typeof ENTRY>): CheckResult {
  if (entry === null) return { kind: "skipped" };
  if (typeof entry === "number") return { kind: "healthy", totalMs: entry };
  if ("failing" in entry) return { kind: "failing", code: entry.failing };
  if ("isWalled" in entry) return { kind: "skipped", isWalled: true };
  if ("refused" in entry) return { kind: "refused", code: entry.refused };
  return {
    kind: "healthy",
    ...(entry.ms === undefined ? {} : { totalMs: entry.ms }),
    ...(entry.warning === undefined ? {} : { warning: entry.warning }),
  };
}

/** The JSON in packed bytes; undefined if it is damaged or too large. */
function inflate(bytes: Uint8Array): unknown {
  if (bytes.length > MAX_MESSAGE_BYTES) return undefined;
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_PLAIN_BYTES }).toString("utf8"));
  } catch {
    return undefined;
  }
}
