import { migrateReports } from "./codec-reports-v4.ts";
import type { StateV1, StateV2, StateV3, StateV4, StateV5 } from "./codec-schema.ts";
import { ABSENT } from "./track.ts";

/** A state of any version that was ever written. */
export type AnyState = StateV1 | StateV2 | StateV3 | StateV4 | StateV5;

/** The same state in the layout of today. */
export function migrate(wire: AnyState): StateV5 {
  switch (wire.version) {
    case 1:
      return migrate(migrateToV2(wire));
    case 2:
      return migrate(migrateToV3(wire));
    case 3:
      return migrate(migrateToV4(wire));
    case 4:
      return migrateToV5(wire);
    case 5:
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
