import * as z from "zod";
import type { State } from "../../model/state.ts";
import { ACCURACY } from "./accuracy.ts";
import { RUN_EVIDENCE, SERVICE_EVIDENCE } from "./evidence.ts";
import { HISTORY } from "./history.ts";
import { MONITORS } from "./monitors.ts";
import { OWNERS } from "./owners.ts";
import { count, mapOf } from "./parts.ts";
import { PUBLICATION } from "./publication.ts";
import { REPORTS } from "./reports.ts";
import { storedAs } from "./stored.ts";
import { VANTAGES } from "./vantages.ts";
import { INCIDENTS, VERDICTS } from "./verdicts.ts";

const text = z.exactOptional(z.string());
const channelLinks = { telegram: text, max: text };

const siteSettings = z.strictObject({
  reportUrl: z.string().nullable(),
  isSelfService: z.boolean(),
  people: z.strictObject({
    operator: text,
    contact: text,
    source: text,
    wrongVerdict: text,
    addSite: text,
    follow: z.exactOptional(
      z.strictObject({
        ...channelLinks,
        categories: z.exactOptional(z.record(z.string(), z.strictObject(channelLinks))),
      }),
    ),
  }),
  pushKey: z.string().nullable(),
});

const archivePart = z.strictObject({
  date: z.string().regex(/^\d{4}-\d\d(?:-\d\d)?$/u),
  method: z.string(),
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        bytes: count,
        sha256: z.string().regex(/^[0-9a-f]{64}$/u),
        rows: count,
      }),
    )
    .readonly(),
});

/** What was archived. */
export const ARCHIVE = z.strictObject({
  days: z.array(archivePart).readonly(),
  months: z.array(archivePart).readonly(),
  sealedDay: count,
});

const STATE = z.strictObject({
  history: HISTORY,
  lastRun: RUN_EVIDENCE.nullable(),
  siteSettings,
  vantages: VANTAGES,
  owners: OWNERS,
  archive: ARCHIVE,
  accuracy: ACCURACY,
  evidence: mapOf(SERVICE_EVIDENCE),
  publication: PUBLICATION,
  monitors: MONITORS,
  reports: REPORTS,
  verdicts: VERDICTS,
  baseUrl: z.string().nullable(),
  incidents: INCIDENTS,
});

export const { encode: encodeState, decode: decodeState } = storedAs<State>(
  {
    name: "the state",
    format: "status-snapshot/state",
    foreign: "this is not a state of status-snapshot; name the right place with --state",
    remedy: "restore it from a copy, or move it away to begin with an empty history",
  },
  STATE,
);
