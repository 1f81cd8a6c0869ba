import type { RunEvent } from "../../model/run-event.ts";
import type { EventRow, FieldOf } from "./event-row.ts";
import { ENGINE_EVENTS } from "./engine-events.ts";
import { NOTIFY_EVENTS } from "./notify-events.ts";
import { OPEN_DATA_EVENTS } from "./open-data-events.ts";
import { VANTAGE_EVENTS } from "./vantage-events.ts";

/* Levels of all log events, and what docs/reference/log-events.md says of them: `npm run reference` writes it from these tables. */

/** Every event of a run, with every field. */
export const RUN_EVENTS: { readonly [Name in RunEvent["event"]]: EventRow<FieldOf<Name>> } = {
  "run-started": {
    level: "info",
    meaning: "a run begins",
    fields: { atMs: "the time of the run", services: "", endpoints: "" },
  },
  "anchors-probed": {
    level: "info",
    meaning: "a round of anchors ended",
    fields: {
      phase: "`start`, `middle`, `end`, or `monitors` after their checks",
      connectivity:
        "the result of all rounds so far, of `monitors` that round alone: `state` (`fine` `lossy` `abroad-cut` `half` `offline`), `unreachable` (URLs), `lostRatio` (0–1), `failingZones`",
    },
  },
  confirming: {
    level: "info",
    meaning: "a changed endpoint is probed again after the wait",
    fields: { slug: "", url: "", attempt: "", waitMs: "" },
  },
  "endpoint-measured": {
    level: "info",
    meaning: "an endpoint is decided",
    fields: {
      slug: "",
      url: "",
      result: "the outcome, with every attempt",
      done: "endpoints decided so far",
      total: "",
    },
  },
  "monitors-started": {
    level: "info",
    meaning: "the checks of monitors begin",
    fields: { monitors: "their number" },
  },
  "monitors-checked": { level: "info", meaning: "progress", fields: { done: "", total: "" } },
  "monitors-degraded": {
    level: "warn",
    meaning:
      "a thread crashed or did not start, and its checks are skipped; or the registry could not be read, or has new mistakes",
    fields: { message: "" },
  },
  "monitors-finished": {
    level: "info",
    meaning:
      "the checks ended. Refused and skipped count neither as up nor as down; a refusal of a monitor that was healthy is failing",
    fields: { healthy: "", failing: "", refused: "", skipped: "", durationMs: "" },
  },
  "monitors-newly-refused": {
    level: "warn",
    meaning:
      "monitors that were healthy are now [refused](../monitors/uptime.md#refusals), which counts as failing. Only in the run in which it begins",
    fields: { count: "", ids: "the first five" },
  },
  "monitors-mixed-addresses": {
    level: "warn",
    meaning:
      "DNS gives public and other addresses for these monitors. Only in the run in which it begins",
    fields: { count: "", ids: "the first five" },
  },
  "resolver-not-trusted": {
    level: "warn",
    meaning: "the resolver gives no public address for domestic anchors",
    fields: {
      anchors: "those anchors",
      count: "monitors with such addresses, which are skipped in this run",
    },
  },
  "deadline-reached": {
    level: "warn",
    meaning: "endpoints were not decided in time",
    fields: { skipped: "their number" },
  },
  "run-offline": {
    level: "error",
    meaning:
      "the run is invalid; after `published`, only the part that was not published yet; after `anchors-probed` of the phase `monitors`, only its checks",
    fields: { unreachable: "URLs of anchors" },
  },
  "failures-held": {
    level: "warn",
    meaning:
      "new failures that do not count yet; what was published of these services stays ([verdicts](../services/verdicts.md#held-failures))",
    fields: { slugs: "", causes: "" },
  },
  ...VANTAGE_EVENTS,
  ...NOTIFY_EVENTS,
  ...ENGINE_EVENTS,
  ...OPEN_DATA_EVENTS,
  "run-stopped": {
    level: "warn",
    meaning: "a signal stopped the run; only what was published was folded",
    fields: {},
  },
  "clock-behind": {
    level: "warn",
    meaning: "the clock is behind the last run, or another run overtook this one",
    fields: { behindMs: "" },
  },
  "clock-off": {
    level: "warn",
    meaning: "the clock differs from the store's; once for each command",
    fields: { aheadMs: "negative if the clock is behind" },
  },
  "already-folded": {
    level: "warn",
    meaning: "a replay: nothing is probed",
    fields: { atMs: "" },
  },
  published: {
    level: "info",
    meaning:
      "documents were published: once in a run, once more if services had to be confirmed, and once more with monitors; once for each publish of an intake",
    fields: {
      written: "",
      unchanged: "",
      removed: "",
      durationMs: "",
      requests:
        "`public` and `state`, each with counts of `read` `find` `write` `remove` `list`: of the whole command so far; of an intake and `watch`, of each publish",
    },
  },
  "removals-withheld": {
    level: "warn",
    meaning: "too many documents, or monitors with badges, would be removed at once",
    fields: { count: "" },
  },
  "monitors-already-counted": {
    level: "warn",
    meaning: "the checks do not count: a run of this or a later slot has counted",
    fields: {},
  },
  "reports-deferred": {
    level: "warn",
    meaning:
      "the inbox, or an object of it, could not be read: these reports are counted later; the services are published",
    fields: { message: "" },
  },
  "owner-edits-deferred": {
    level: "warn",
    meaning:
      "the inbox of owners' changes could not be read or cleaned up: a later generation counts them; the services are published",
    fields: { message: "" },
  },
  "inbox-not-cleared": {
    level: "warn",
    meaning: "counted objects could not be removed from the inbox; a later publish tries again",
    fields: { message: "" },
  },
  "owners-changed": {
    level: "info",
    meaning: "edits of owners were counted",
    fields: { changed: "records that are new or changed", erased: "records that are gone" },
  },
  "catalogue-changed": {
    level: "info",
    meaning: "a new catalogue is in use",
    fields: { services: "" },
  },
  "catalogue-reload-rejected": {
    level: "warn",
    meaning:
      "the catalogue was changed to an invalid one; the previous one stays in use. Once for each version of the file",
    fields: { message: "each problem" },
  },
  "overlay-unused": {
    level: "warn",
    meaning:
      "entries of the overlay are about services that the catalogue does not have. Once for each command, and for each version of the files",
    fields: { message: "the entries with their lines" },
  },
  "inbox-damaged": {
    level: "warn",
    meaning: "an inbox object is invalid; it counts nothing and is removed",
    fields: { message: "" },
  },
  "badges-postponed": {
    level: "info",
    meaning:
      "groups (badges, pages or pictures of a monitor or service) wait for the next publish, because the 20 s, or the 2 s for pictures, were over",
    fields: { count: "" },
  },
  "site-without-address": {
    level: "warn",
    meaning:
      "the address of the website is not known; once for each command that publishes pages ([website](../website.md#the-address))",
    fields: {
      assumedUrl: "the address of its published pages, which it keeps; null: it is not published",
    },
  },
  "monitors-withheld": {
    level: "warn",
    meaning: "monitors are no longer in the registry, too many to remove at once",
    fields: { count: "" },
  },
  "run-finished": {
    level: "info",
    meaning: "a run ended",
    fields: { updatedAtMs: "", durationMs: "" },
  },
};

/** Events of `Log` that are sentences of a command. */
export const SENTENCE_EVENTS = {
  warning: {
    level: "warn",
    meaning:
      "a sentence: a failed heartbeat, an ignored entry of the registry, a warning of Node, `serve` of an empty store, reports that wait to be published, an intake whose store is down or accepts reports again, whose journal is full or damaged, settings of probes that could not be read again, a wait of `verify`",
    fields: { message: "" },
  },
  failed: {
    level: "error",
    meaning: "why the command ends with 1",
    fields: { message: "" },
  },
  refused: {
    level: "error",
    meaning: "one problem for the user to fix; the command ends with 2",
    fields: { message: "" },
  },
} as const satisfies Readonly<Record<string, EventRow<"message">>>;
