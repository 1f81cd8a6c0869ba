import { gunzipSync, gzipSync } from "node:zlib";
import type * as z from "zod";
import type { ConnectivityState } from "../model/connectivity.ts";
import type { RunMark } from "../model/history.ts";
import type { State } from "../model/state.ts";
import { type AnyState, migrate } from "./codec-migrations.ts";
import { fromMonitorsWire, toMonitorsWire } from "./codec-monitors.ts";
import { fromPublicationWire, toPublicationWire } from "./codec-publication.ts";
import { fromReportsWire, misfitOfReports, toReportsWire } from "./codec-reports.ts";
import { ENVELOPE, STATE_V1, STATE_V2, STATE_V3, STATE_V4, STATE_V5 } from "./codec-schema.ts";
import { STATE_V6, type StateV6 } from "./codec-schema-v6.ts";
import { sortPairs } from "./sort-pairs.ts";

/** Version of the layout that is written. */
export const STATE_VERSION = 6;

/** A state is a few megabytes; more can only be a mistake or a decompression bomb. */
const MAX_STATE_BYTES = 64 * 1024 * 1024;

/** What became of the bytes of a state. `migratedFrom` is the older version that they were in. */
export type DecodedState =
  | { readonly kind: "ok"; readonly state: State; readonly migratedFrom?: number }
  | { readonly kind: "invalid"; readonly message: string };

type Reading<T> = { readonly value: T } | { readonly problem: string };

/** A third of the time of the default, twice in each run, for 5 % more bytes. Measured: docs/performance.md. */
const GZIP_LEVEL = 4;

/**
 * The state as bytes: gzip over JSON. The same state gives the same bytes, in whatever order its maps were filled.
 * Throws when the state does not fit its own layout (a NaN, a track of the wrong length): it could not be read back.
 */
export function encodeState(state: State): Uint8Array {
  const wire = STATE_V6.parse(toWire(state));
  const problem = findMisfit(wire);
  if (problem !== undefined) throw new RangeError(`state cannot be stored: ${problem}`);
  const json = JSON.stringify(wire);
  // What could not be read back must not be written.
  if (Buffer.byteLength(json) > MAX_STATE_BYTES)
    throw new RangeError("state cannot be stored: over 64 MiB");
  return gzipSync(json, { level: GZIP_LEVEL });
}

/**
 * The state in the bytes. Older versions are migrated. Anything else (cut short, corrupt, foreign, newer) is
 * told apart in a message that says what to mend; the bytes should then be left alone. Never throws.
 */
export function decodeState(bytes: Uint8Array): DecodedState {
  const text = inflate(bytes);
  if ("problem" in text) return invalid(text.problem);
  const json = parseJson(text.value);
  if ("problem" in json) return invalid(json.problem);
  const envelope = ENVELOPE.safeParse(json.value);
  if (!envelope.success) {
    return invalid("this is not a state of status-snapshot; name the right place with --state");
  }
  const { version } = envelope.data;
  if (version > STATE_VERSION) return invalid(tooNew(version));
  const wire = readVersion(version, json.value);
  if ("problem" in wire) return invalid(wire.problem);
  const state = fromWire(migrate(wire.value));
  return version === STATE_VERSION
    ? { kind: "ok", state }
    : { kind: "ok", state, migratedFrom: version };
}

function readVersion(version: number, json: unknown): Reading<AnyState> {
  switch (version) {
    case 1:
      return readWire(STATE_V1, json);
    case 2:
      return readWire(STATE_V2, json);
    case 3:
      return readWire(STATE_V3, json);
    case 4:
      return readWire(STATE_V4, json);
    case 5:
      return readWire(STATE_V5, json);
    default:
      return readWire(STATE_V6, json);
  }
}

function invalid(message: string): DecodedState {
  return { kind: "invalid", message };
}

function tooNew(version: number): string {
  return (
    `the state was written by a newer version of status-snapshot (layout ${version}; this one reads up to ` +
    `${STATE_VERSION}); upgrade status-snapshot, or name another place with --state`
  );
}

const MEND = "restore it from a copy, or move it away to begin with an empty history";

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function inflate(bytes: Uint8Array): Reading<string> {
  if (bytes.length === 0) return { problem: `the state is empty; ${MEND}` };
  if (bytes.length > MAX_STATE_BYTES) return { problem: `the state is over 64 MiB; ${MEND}` };
  try {
    const plain = isGzip(bytes) ? gunzipSync(bytes, { maxOutputLength: MAX_STATE_BYTES }) : bytes;
    return { value: new TextDecoder("utf-8", { fatal: true }).decode(plain) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { problem: `the state is corrupt or cut short (${why}); ${MEND}` };
  }
}

function parseJson(text: string): Reading<unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return { problem: `the state is corrupt or not ours: it holds no JSON; ${MEND}` };
  }
}

function readWire<T extends AnyState>(schema: z.ZodType<T>, json: unknown): Reading<T> {
  const parsed = schema.safeParse(json);
  const problem = parsed.success ? findMisfit(parsed.data) : describe(parsed.error);
  if (problem !== undefined) return { problem: `the state is damaged: ${problem}; ${MEND}` };
  return parsed.success ? { value: parsed.data } : { problem: MEND };
}

function describe(error: z.ZodError): string {
  const [first] = error.issues;
  return first === undefined ? "unknown damage" : `${first.path.join(".")}: ${first.message}`;
}

/** What the shape alone cannot say: lengths that must agree, orders, keys that must be single. */
function findMisfit(wire: AnyState): string | undefined {
  const { history, evidence } = wire;
  const { stepsMs, congested } = history.runs;
  const troubled = "troubled" in history.runs ? history.runs.troubled.map(([place]) => place) : [];
  if (stepsMs.slice(1).some((step) => step === 0)) return "two runs have the same time";
  for (const places of [congested, troubled]) {
    if (!isAscending(places) || (places.at(-1) ?? -1) >= stepsMs.length) {
      return "the list of congested or troubled runs does not fit the runs";
    }
  }
  const misfit =
    wire.version >= 5 && "verdicts" in wire ? misfitOfReports(wire.reports) : undefined;
  if (misfit !== undefined) return misfit;
  for (const pairs of [history.endpoints, history.services, evidence]) {
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) return "a key occurs twice";
  }
  return [
    ...history.endpoints.flatMap(([url, track]) => misfitOfTrack(url, track, stepsMs.length)),
    ...history.services.flatMap(([slug, service]) => {
      if (!("strip" in service)) return [];
      const isOrdered = isAscending(service.days.map(({ day }) => day));
      const disorder = isOrdered ? [] : [`the days of ${slug} are not in order`];
      return [...misfitOfTrack(slug, service.strip, stepsMs.length), ...disorder];
    }),
  ][0];
}

function misfitOfTrack(name: string, track: string, runs: number): readonly string[] {
  return track.length === runs
    ? []
    : [`the track of ${name} has ${track.length} runs instead of ${runs}`];
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
}

function toWire(state: State): StateV6 {
  const { history, evidence, lastRun, monitors, reports, verdicts, baseUrl } = state;
  return {
    format: "status-snapshot/state",
    version: 6,
    history: {
      updatedAtMs: history.updatedAtMs,
      runs: packRuns(history.runs),
      endpoints: sortPairs(history.endpoints),
      proven: [...history.proven].toSorted(),
      services: sortPairs(history.services),
      held: sortPairs(history.held),
    },
    evidence: sortPairs(evidence),
    lastRun,
    publication: toPublicationWire(state.publication),
    monitors: toMonitorsWire(monitors),
    reports: toReportsWire(reports),
    verdicts: {
      codes: sortPairs(verdicts.codes),
      changes: verdicts.changes.map(({ slug, atMs, before, code }) => [slug, atMs, before, code]),
    },
    baseUrl,
  };
}

function fromWire(wire: StateV6): State {
  const { history, evidence, lastRun, monitors, reports, verdicts, baseUrl } = wire;
  return {
    history: {
      updatedAtMs: history.updatedAtMs,
      runs: unpackRuns(history.runs),
      endpoints: new Map(history.endpoints),
      proven: new Set(history.proven),
      services: new Map(history.services),
      held: new Map(history.held),
    },
    evidence: new Map(evidence),
    lastRun,
    publication: fromPublicationWire(wire.publication),
    monitors: fromMonitorsWire(monitors),
    reports: fromReportsWire(reports),
    verdicts: {
      codes: new Map(verdicts.codes),
      changes: verdicts.changes.map(([slug, atMs, before, code]) => ({ slug, atMs, before, code })),
    },
    baseUrl,
  };
}

function packRuns(runs: readonly RunMark[]): StateV6["history"]["runs"] {
  return {
    stepsMs: runs.map(({ atMs }, index) => atMs - (runs[index - 1]?.atMs ?? 0)),
    congested: runs.flatMap(({ isCongested }, index) => (isCongested ? [index] : [])),
    troubled: runs.flatMap(({ connectivity }, index): (readonly [number, ConnectivityState])[] =>
      connectivity === "fine" ? [] : [[index, connectivity]],
    ),
  };
}

function unpackRuns(wire: StateV6["history"]["runs"]): readonly RunMark[] {
  const congested = new Set(wire.congested);
  const troubled = new Map(wire.troubled);
  let atMs = 0;
  return wire.stepsMs.map((step, index) => {
    atMs += step;
    const connectivity = troubled.get(index) ?? "fine";
    return { atMs, isCongested: congested.has(index), connectivity };
  });
}
