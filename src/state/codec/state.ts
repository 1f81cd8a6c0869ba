import { gzipSync } from "node:zlib";
import type * as z from "zod";
import type { ConnectivityState } from "../../model/service/connectivity.ts";
import type { RunMark, ServiceHistory } from "../../model/service/history.ts";
import type { State } from "../../model/state.ts";
import { fromAccuracyWire, toAccuracyWire } from "./accuracy.ts";
import { inflateJson, MAX_STORED_BYTES, type Reading } from "./inflate-json.ts";
import { fromIncidentsWire, toIncidentsWire } from "./incidents.ts";
import { migrateV5 } from "./migrate-v5.ts";
import { fromMonitorsWire, toMonitorsWire } from "./monitors.ts";
import { fromOwnersWire, toOwnersWire } from "./owners.ts";
import { fromPublicationWire, toPublicationWire } from "./publication.ts";
import { fromReportsWire, misfitOfReports, toReportsWire } from "./reports.ts";
import { ENVELOPE } from "./schema.ts";
import { STATE_V5, type StateV5 } from "./schema-v5.ts";
import { STATE_V6, type StateV6 } from "./schema-v6.ts";
import { sortPairs } from "./sort-pairs.ts";
import { fromVantagesWire, toVantagesWire } from "./vantages.ts";
import { fromVerdictsWire, toVerdictsWire } from "./verdicts.ts";

/** Version of the layout that is written. */
export const STATE_VERSION = 6;

/** Version of the oldest layout that is read. */
const OLDEST_VERSION = 5;

type AnyState = StateV5 | StateV6;

/** A decoded state, or why the bytes are none. `migratedFrom` is the older version that they were in. */
export type DecodedState =
  | { readonly kind: "ok"; readonly state: State; readonly migratedFrom?: number }
  | { readonly kind: "invalid"; readonly message: string };

/** A third of the time of the default level, twice in each run, for 5 % more bytes. Measured: docs/performance.md. */
const GZIP_LEVEL = 4;

/**
 * The state as bytes: gzip over JSON. The order in which maps were filled makes no difference. Throws when the state does not fit
 * its own layout (a NaN, a track of the wrong length): it could not be read back.
 */
export function encodeState(state: State): Uint8Array {
  const wire = STATE_V6.parse(toWire(state));
  const problem = findMisfit(wire);
  if (problem !== undefined) throw new RangeError(`state cannot be stored: ${problem}`);
  const json = JSON.stringify(wire);
  // A state that could not be read back must not be written.
  if (Buffer.byteLength(json) > MAX_STORED_BYTES)
    throw new RangeError("state cannot be stored: over 64 MiB");
  return gzipSync(json, { level: GZIP_LEVEL });
}

/**
 * The state in the bytes; version 5 is migrated. Bytes that are cut short, corrupt, foreign, newer or older give a message that
 * says what to do; the caller must then leave them alone. Never throws.
 */
export function decodeState(bytes: Uint8Array): DecodedState {
  const json = inflateJson(bytes, "the state");
  if ("problem" in json) return invalid(`${json.problem}; ${REMEDY}`);
  const envelope = ENVELOPE.safeParse(json.value);
  if (!envelope.success) {
    return invalid("this is not a state of status-snapshot; name the right place with --state");
  }
  const { version } = envelope.data;
  if (version > STATE_VERSION) return invalid(tooNew(version));
  if (version < OLDEST_VERSION) return invalid(tooOld(version));
  if (version === STATE_VERSION) {
    const wire = readWire(STATE_V6, json.value);
    return "problem" in wire ? invalid(wire.problem) : { kind: "ok", state: fromWire(wire.value) };
  }
  const wire = readWire(STATE_V5, json.value);
  return "problem" in wire
    ? invalid(wire.problem)
    : { kind: "ok", state: fromWire(migrateV5(wire.value)), migratedFrom: version };
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

function tooOld(version: number): string {
  return (
    `the state has layout ${version}, which no release ever wrote (this version reads ${OLDEST_VERSION} and ` +
    `${STATE_VERSION}); move it away to begin with an empty history, or run an earlier commit of status-snapshot once, ` +
    `which converts it`
  );
}

const REMEDY = "restore it from a copy, or move it away to begin with an empty history";

function readWire<T extends AnyState>(schema: z.ZodType<T>, json: unknown): Reading<T> {
  const parsed = schema.safeParse(json);
  const problem = parsed.success ? findMisfit(parsed.data) : describe(parsed.error);
  if (problem !== undefined) return { problem: `the state is damaged: ${problem}; ${REMEDY}` };
  return parsed.success ? { value: parsed.data } : { problem: REMEDY };
}

function describe(error: z.ZodError): string {
  const [first] = error.issues;
  return first === undefined ? "unknown damage" : `${first.path.join(".")}: ${first.message}`;
}

/** What the schema cannot check: lengths that must agree, orders, keys that must be unique. */
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
  const misfit = misfitOfReports(wire.reports);
  if (misfit !== undefined) return misfit;
  for (const pairs of [history.endpoints, history.services, evidence]) {
    if (new Set(pairs.map(([key]) => key)).size < pairs.length) return "a key occurs twice";
  }
  return [
    ...history.endpoints.flatMap(([url, track]) => misfitOfTrack(url, track, stepsMs.length)),
    ...history.services.flatMap(([slug, service]) => {
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
  const { history, evidence, lastRun, monitors, reports, verdicts, baseUrl, siteSettings } = state;
  return {
    format: "status-snapshot/state",
    version: 6,
    history: {
      updatedAtMs: history.updatedAtMs,
      runs: packRuns(history.runs),
      endpoints: sortPairs(history.endpoints),
      proven: [...history.proven].toSorted(),
      services: sortPairs(history.services).map(toServiceWire),
      held: sortPairs(history.held),
    },
    evidence: sortPairs(evidence),
    lastRun,
    publication: toPublicationWire(state.publication),
    monitors: toMonitorsWire(monitors),
    reports: toReportsWire(reports),
    verdicts: toVerdictsWire(verdicts),
    incidents: toIncidentsWire(state.incidents),
    baseUrl,
    siteSettings,
    vantages: toVantagesWire(state.vantages),
    owners: toOwnersWire(state.owners),
    archive: state.archive,
    accuracy: toAccuracyWire(state.accuracy),
  };
}

type ServiceWire = StateV6["history"]["services"][number];

/** Versions before 2026-11-26 counted clean runs, and need the key to read this state. */
function toServiceWire([slug, service]: readonly [string, ServiceHistory]): ServiceWire {
  return [slug, { ...service, cleanRuns: 0 }];
}

function fromServiceWire([slug, wire]: ServiceWire): readonly [string, ServiceHistory] {
  const { cleanRuns: _, ...service } = wire;
  return [slug, service];
}

function fromWire(wire: StateV6): State {
  const { history, evidence, lastRun, monitors, reports, verdicts, baseUrl, siteSettings } = wire;
  return {
    history: {
      updatedAtMs: history.updatedAtMs,
      runs: unpackRuns(history.runs),
      endpoints: new Map(history.endpoints),
      proven: new Set(history.proven),
      services: new Map(history.services.map(fromServiceWire)),
      held: new Map(history.held),
    },
    evidence: new Map(evidence),
    lastRun,
    publication: fromPublicationWire(wire.publication),
    monitors: fromMonitorsWire(monitors),
    reports: fromReportsWire(reports),
    verdicts: fromVerdictsWire(verdicts),
    incidents: fromIncidentsWire(wire.incidents),
    baseUrl,
    siteSettings,
    vantages: fromVantagesWire(wire.vantages),
    owners: fromOwnersWire(wire.owners),
    archive: wire.archive,
    accuracy: fromAccuracyWire(wire.accuracy),
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
