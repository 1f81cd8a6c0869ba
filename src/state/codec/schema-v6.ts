import * as z from "zod";
import { CONNECTIVITY_STATES } from "../../model/service/connectivity.ts";
import { ANCHOR_PHASES } from "../../model/service/evidence.ts";
import { HOLD_CAUSES } from "../../model/service/history.ts";
import { DEFAULT_SITE_SETTINGS } from "../../model/site-settings.ts";
import { ARCHIVE_SCHEMA } from "./archive.ts";
import { INCIDENTS_SCHEMA, NO_INCIDENTS_WIRE } from "./incidents.ts";
import { ACCURACY_SCHEMA, NO_ACCURACY_WIRE } from "./accuracy.ts";
import { NO_OWNERS_WIRE, OWNERS_SCHEMA } from "./owners.ts";
import { NO_VANTAGES_WIRE, VANTAGES_SCHEMA } from "./vantages.ts";
import { VERDICTS_SCHEMA } from "./verdicts.ts";
import { COMMON, FORMAT, OUTCOME, PARTS } from "./schema.ts";

const { instant, duration, count, track, strip, checkClass, failureCode, days, runs, pairsOf } =
  PARTS;

const connectivity = z.strictObject({
  state: z.enum(CONNECTIVITY_STATES),
  unreachable: z.array(z.string()).readonly(),
  lostRatio: z.number().min(0).max(1),
  failingZones: z.array(z.string()).readonly(),
});

/** What the last run saw of the runner itself. */
export const RUN_EVIDENCE_V6 = z.strictObject({
  startedAtMs: instant,
  durationMs: duration,
  validity: z.enum(["valid", "offline"]),
  connectivity,
  isCongested: z.boolean(),
  eventLoopLagMs: duration,
  anchors: z
    .array(
      z.strictObject({
        url: z.string(),
        scope: z.enum(["domestic", "foreign"]),
        network: z.string(),
        rounds: z
          .array(
            z.strictObject({
              phase: z.enum(ANCHOR_PHASES),
              tries: z.array(OUTCOME).readonly(),
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});

const endedSpell = z
  .strictObject({ sinceMs: instant, isSinceExact: z.boolean(), endedAtMs: instant })
  .nullable();

const outage = z.strictObject({
  sinceMs: instant,
  isSinceExact: z.boolean(),
  endedAtMs: instant.nullable(),
  code: failureCode.nullable(),
  failing: count,
  counted: count,
});

const service = z.strictObject({
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  isBlocked: z.boolean(),
  claims: z
    .array(z.strictObject({ url: z.string(), sinceMs: instant }))
    .readonly()
    .default([]),
  checkedAtMs: instant,
  lastOutage: endedSpell,
  lastPartial: endedSpell,
  cleanRuns: count,
  sharedCause: z.string().nullable(),
  /** States that were written before there was a list have none. */
  outages: z.array(outage).readonly().default([]),
  strip,
  days,
});

const text = z.exactOptional(z.string());

const CHANNEL_LINKS = { telegram: text, max: text };
const FOLLOW_LINKS = z.strictObject({
  ...CHANNEL_LINKS,
  categories: z.exactOptional(z.record(z.string(), z.strictObject(CHANNEL_LINKS))),
});

const siteSettings = z.strictObject({
  reportUrl: z.string().nullable(),
  isSelfService: z.boolean().default(false),
  people: z.strictObject({
    operator: text,
    contact: text,
    source: text,
    wrongVerdict: text,
    addSite: text,
    follow: z.exactOptional(FOLLOW_LINKS),
  }),
  pushKey: z.string().nullable().default(null),
});

const heldFailure = z.strictObject({
  cause: z.enum(HOLD_CAUSES),
  checkClass,
  sinceMs: instant,
  isSinceExact: z.boolean(),
  lastAtMs: instant,
  runs: count,
  failingTogether: count,
});

/** Version 6, the one that is written. */
export const STATE_V6 = z.strictObject({
  format: FORMAT,
  version: z.literal(6),
  history: z.strictObject({
    updatedAtMs: instant.nullable(),
    runs: runs.extend({
      /** Places in `stepsMs` of runs whose connectivity was not fine, and what it was. */
      troubled: z.array(z.tuple([count, z.enum(CONNECTIVITY_STATES)]).readonly()).readonly(),
    }),
    endpoints: pairsOf(track),
    proven: z.array(z.string()).readonly(),
    services: pairsOf(service),
    held: pairsOf(heldFailure),
  }),
  lastRun: RUN_EVIDENCE_V6.nullable(),
  siteSettings: siteSettings.default(DEFAULT_SITE_SETTINGS),
  /** States that were written before there were vantages have none. */
  vantages: VANTAGES_SCHEMA.default(NO_VANTAGES_WIRE),
  /** States that were written before owners could add monitors have none. */
  owners: OWNERS_SCHEMA.default(NO_OWNERS_WIRE),
  archive: ARCHIVE_SCHEMA,
  /** States that were written before there was a record of errors have none. */
  accuracy: ACCURACY_SCHEMA.default(NO_ACCURACY_WIRE),
  ...COMMON,
  verdicts: VERDICTS_SCHEMA,
  /** States that were written before there were incidents have none. */
  incidents: INCIDENTS_SCHEMA.default(NO_INCIDENTS_WIRE),
});

export type StateV6 = z.infer<typeof STATE_V6>;
