import { migrateReports } from "./codec-reports-v4.ts";
import type { StateV6 } from "./codec-schema-v6.ts";
import type { StateV1, StateV2, StateV3, StateV4, StateV5 } from "./codec-schema.ts";
import { runEvidenceFromV5 } from "./codec-evidence.ts";
import { isDown } from "./episode.ts";
import { ABSENT, isFailingState, stateOf } from "./track.ts";

/** A state of any version that was ever written. */
export type AnyState = StateV1 | StateV2 | StateV3 | StateV4 | StateV5 | StateV6;

/** The same state in the layout of today. */
export function migrate(wire: AnyState): StateV6 {
  switch (wire.version) {
    case 1:
      return migrate(migrateToV2(wire));
    case 2:
      return migrate(migrateToV3(wire));
    case 3:
      return migrate(migrateToV4(wire));
    case 4:
      return migrate(migrateToV5(wire));
    case 5:
      return migrateToV6(wire);
    case 6:
      return wire;
  }
}

function migrateToV2(wire: StateV1): StateV2 {
  const strip = ABSENT.repeat(wire.history.runs.stepsMs.length);
  const services = wire.history.services.map(([slug, service]) => {
    return [slug, { ...service, lastEpisode: null, strip, days: [] }] as const;
  });
  return { ...wire, version: 2, history: { ...wire.history, services } };
}

/** Nothing is known of the objects but that they are ours: the next publish looks at each. */
function migrateToV3({ ownedKeys, ...wire }: StateV2): StateV3 {
  const unknown = { digest: null, etag: null, isPublished: false, suspectUntilMs: 0 };
  const objects = ownedKeys.map((key) => [key, unknown] as const);
  return {
    ...wire,
    version: 3,
    publication: { generation: 0, marks: [], store: "", objects, auditedAtMs: 0 },
  };
}

/** No monitor was ever checked, and nothing was reported. */
function migrateToV4(wire: StateV3): StateV4 {
  return {
    ...wire,
    version: 4,
    publication: { ...wire.publication, badges: [] },
    monitors: {
      clock: { runs: 0, lastSlot: -1, days: [], recentSlots: [] },
      sequence: 0,
      pending: null,
      shards: [],
    },
    reports: { services: [], evaluatedSlot: -1, folded: [] },
  };
}

/** No verdict is known to have changed, and nobody has said where the website is. */
function migrateToV5(wire: StateV4): StateV5 {
  return {
    ...wire,
    version: 5,
    reports: migrateReports(wire.reports),
    verdicts: { codes: [], changes: [] },
    baseUrl: null,
  };
}

/** An outage has one beginning, that of its first class. What answered in the seven days that are remembered is proven. */
function migrateToV6({ history, ...wire }: StateV5): StateV6 {
  const services = history.services.map(([slug, service]) => {
    return [slug, migrateService(service)] as const;
  });
  return {
    ...wire,
    version: 6,
    history: {
      ...history,
      runs: { ...history.runs, troubled: [] },
      proven: history.endpoints.filter(([, track]) => hasAnswered(track)).map(([url]) => url),
      services,
      held: [],
    },
    lastRun: wire.lastRun === null ? null : runEvidenceFromV5(wire.lastRun),
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
  };
}

function hasAnswered(track: string): boolean {
  return [...track].some((char) => {
    const state = stateOf(char);
    return state !== undefined && !isFailingState(state);
  });
}
