import { DEFAULT_SITE_SETTINGS } from "../../model/site-settings.ts";
import { type Connectivity, FINE } from "../../model/service/connectivity.ts";
import type { RunEvidence } from "../../model/service/evidence.ts";
import type { Outcome } from "../../model/probe-outcome.ts";
import { isDown } from "../../services/history/episodes.ts";
import { isFailingState, stateOf } from "../../services/history/sample-codes.ts";
import type { StateV5 } from "./schema-v5.ts";
import type { StateV6 } from "./schema-v6.ts";
import { NO_ARCHIVE } from "../../model/service/archive.ts";
import { NO_INCIDENTS_WIRE } from "./incidents.ts";
import { NO_ACCURACY_WIRE } from "./accuracy.ts";
import { NO_OWNERS_WIRE } from "./owners.ts";
import { NO_VANTAGES_WIRE } from "./vantages.ts";

/**
 * A state of version 5 in the layout of version 6. An outage has one beginning, that of its first class. An endpoint that answered
 * in the seven days of history counts as proven.
 */
export function migrateV5({ history, ...wire }: StateV5): StateV6 {
  const services = history.services.map(([slug, service]) => {
    return [slug, migrateService(service)] as const;
  });
  return {
    ...wire,
    version: 6,
    verdicts: { ...wire.verdicts, next: null },
    incidents: NO_INCIDENTS_WIRE,
    siteSettings: DEFAULT_SITE_SETTINGS,
    vantages: NO_VANTAGES_WIRE,
    owners: NO_OWNERS_WIRE,
    archive: NO_ARCHIVE,
    accuracy: NO_ACCURACY_WIRE,
    history: {
      ...history,
      runs: { ...history.runs, troubled: [] },
      proven: history.endpoints.filter(([, track]) => hasAnswered(track)).map(([url]) => url),
      services,
      held: [],
    },
    lastRun: wire.lastRun === null ? null : migrateRunEvidence(wire.lastRun),
  };
}

type ServiceV5 = StateV5["history"]["services"][number][1];
type ServiceV6 = StateV6["history"]["services"][number][1];

function migrateService({ downSinceMs, lastEpisode, ...service }: ServiceV5): ServiceV6 {
  const { checkClass, sinceMs } = service;
  return {
    ...service,
    sinceMs: isDown(checkClass) ? (downSinceMs ?? sinceMs) : sinceMs,
    lastOutage:
      lastEpisode === null
        ? null
        : {
            sinceMs: lastEpisode.downSinceMs,
            isSinceExact: lastEpisode.isSinceExact,
            endedAtMs: lastEpisode.endedAtMs,
          },
    lastPartial: null,
    cleanRuns: 0,
    sharedCause: null,
    claims: [],
    outages: [],
  };
}

function hasAnswered(track: string): boolean {
  return [...track].some((char) => {
    const state = stateOf(char);
    return state !== undefined && !isFailingState(state);
  });
}

export type RunEvidenceV5 = NonNullable<StateV5["lastRun"]>;

/** Version 5 had no networks, so each anchor counts as one of its own. The connectivity is the one that the run concluded. */
export function migrateRunEvidence(old: RunEvidenceV5): RunEvidence {
  const { startedAtMs, durationMs, validity, isCongested, eventLoopLagMs } = old;
  return {
    startedAtMs,
    durationMs,
    validity,
    connectivity: migrateConnectivity(old),
    isCongested,
    eventLoopLagMs,
    anchors: old.anchors.map(({ url, scope, before, after }) => ({
      url,
      scope,
      network: url,
      rounds: [
        { phase: "start", tries: [before] },
        ...(after === undefined ? [] : [{ phase: "end" as const, tries: [after] }]),
      ],
    })),
  };
}

function migrateConnectivity({
  validity,
  isForeignPathDown,
  anchors,
}: RunEvidenceV5): Connectivity {
  const lost = anchors.filter(({ before, after }) => isLost(before) || isLost(after));
  const tries = anchors.flatMap(({ before, after }) => [before, ...(after ? [after] : [])]);
  const state = validity === "offline" ? "offline" : isForeignPathDown ? "abroad-cut" : "fine";
  return {
    ...FINE,
    state,
    unreachable: lost.map(({ url }) => url),
    lostRatio: tries.length === 0 ? 0 : tries.filter(isLost).length / tries.length,
  };
}

function isLost(outcome: Outcome | undefined): boolean {
  if (outcome?.kind !== "failed") return false;
  return outcome.trace.httpStatus === undefined && outcome.trace.redirects === 0;
}
