import { PUBLISH, type CheckRow } from "../check-row.ts";

const MAP =
  "Map the paths of docs/publish/fronts.md in the front, and publish with the current version.";

/** The checks of open data, except those of headers. */
export const DATA_ROWS = {
  "data.reachable": [
    "changes, Statuspage, metrics and accuracy answer 200, with and without Origin; what comes later 200 or 404",
    "decision",
    MAP,
  ],
  "data.json": ["every JSON document of open data is an object in UTF-8", "decision", PUBLISH],
  "data.changes": [
    "changes have numbers without a gap, unique ids, pairs of code and colour, and no time in the future",
    "decision",
    `Check the clock of the runner. ${PUBLISH}`,
  ],
  "data.statuspage": [
    "the documents of Statuspage have its fields, and the indicator fits the open incidents",
    "decision",
    PUBLISH,
  ],
  "data.metrics": [
    "the metrics are OpenMetrics, and exactly one code of each service is 1",
    "decision",
    PUBLISH,
  ],
  "data.agrees": [
    "Statuspage and metrics say of every service what the list says",
    "decision",
    "Check whether two writers publish, and whether caches keep a document for longer than a minute.",
  ],
  "data.accuracy": ["the accuracy has exactly its fields", "decision", PUBLISH],
  "data.history": [
    "the uptimes have every service of the list, and the history of a service its days",
    "decision",
    `${MAP} Check the clock of the runner.`,
  ],
  "data.archive": [
    "the newest files of the archive have the size and digest of its lists, and may be kept for ever",
    "decision",
    `${MAP} Let nothing between store and client change or compress these files.`,
  ],
  "data.shields": [
    "the badges of services as JSON can be drawn by shields.io",
    "decision",
    PUBLISH,
  ],
} as const satisfies Readonly<Record<string, CheckRow>>;
