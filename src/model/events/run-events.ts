import type { EndpointResult } from "../probe-outcome.ts";
import type { Connectivity } from "../service/connectivity.ts";
import type { AnchorPhase } from "../service/evidence.ts";
import type { HoldCause } from "../service/history.ts";
import { event, field } from "./event-row.ts";

/* The events of a run about its clock, its anchors and the services. */

export const RUN_EVENTS = {
  "run-started": event({
    level: "info",
    meaning: "a run begins",
    fields: {
      atMs: field<number>("the time of the run"),
      services: field<number>(),
      endpoints: field<number>(),
    },
  }),
  "anchors-probed": event({
    level: "info",
    meaning: "a round of anchors ended",
    fields: {
      phase: field<AnchorPhase>("`start`, `middle`, `end`, or `monitors` after their checks"),
      connectivity: field<Connectivity>(
        "the result of all rounds so far, of `monitors` that round alone: `state` (`fine` `lossy` `abroad-cut` `half` `offline`), `unreachable` (URLs), `lostRatio` (0–1), `failingZones`",
      ),
    },
  }),
  confirming: event({
    level: "info",
    meaning: "a changed endpoint is probed again after the wait",
    fields: {
      slug: field<string>(),
      url: field<string>(),
      attempt: field<number>(),
      waitMs: field<number>(),
    },
  }),
  "endpoint-measured": event({
    level: "info",
    meaning: "an endpoint is decided",
    fields: {
      slug: field<string>(),
      url: field<string>(),
      result: field<EndpointResult>("the outcome, with every attempt"),
      done: field<number>("endpoints decided so far"),
      total: field<number>(),
    },
  }),
  "deadline-reached": event({
    level: "warn",
    meaning: "endpoints were not decided in time",
    fields: { skipped: field<number>("their number") },
    sentence: ({ skipped }) =>
      `Warning: the deadline of the run came before ${skipped} endpoints were decided; they are skipped.`,
  }),
  "run-offline": event({
    level: "error",
    meaning: "the run is invalid, or what of it was not published yet",
    fields: { unreachable: field<readonly string[]>("URLs of anchors") },
    sentence: ({ unreachable }) =>
      `The runner is offline: ${unreachable.length} anchors do not answer (${unreachable.join(", ")}). Nothing is concluded from what it sees.`,
  }),
  "failures-held": event({
    level: "warn",
    meaning:
      "new failures that do not count yet; what was published of these services stays ([verdicts](../services/verdicts.md#held-failures))",
    fields: { slugs: field<readonly string[]>(), causes: field<readonly HoldCause[]>() },
    sentence: ({ slugs, causes }) =>
      `Failures held, not published yet: ${slugs.join(", ")} (${causes.join(", ")}).`,
  }),
  "run-stopped": event({
    level: "warn",
    meaning: "a signal stopped the run; only what was published was folded",
    fields: {},
    sentence: () => "Stopped. The published documents are unchanged.",
  }),
  "clock-behind": event({
    level: "warn",
    meaning: "the clock is behind the last run, or another run overtook this one",
    fields: { behindMs: field<number>() },
    sentence: ({ behindMs }) =>
      `Warning: the clock is ${Math.round(behindMs / 1000)} s behind the last run. Set the clock (NTP).`,
  }),
  "clock-off": event({
    level: "warn",
    meaning: "the clock differs from the store's; once for each command",
    fields: { aheadMs: field<number>("negative if the clock is behind") },
  }),
  "already-folded": event({
    level: "warn",
    meaning: "a replay: nothing is probed",
    fields: { atMs: field<number>() },
    sentence: ({ atMs }) =>
      `A run of ${new Date(atMs).toISOString()} or later is already counted; nothing is probed.`,
  }),
  "catalogue-changed": event({
    level: "info",
    meaning: "a new catalogue is in use",
    fields: { services: field<number>() },
    sentence: ({ services }) => `The catalogue has changed: ${services} services.`,
  }),
  "catalogue-reload-rejected": event({
    level: "warn",
    meaning: "the catalogue was changed to an invalid one; the previous one stays in use",
    fields: { message: field<string>("each problem") },
    sentence: ({ message }) =>
      `Warning: the catalogue has changed and cannot be used; the previous one stays.\n${message}`,
  }),
  "overlay-unused": event({
    level: "warn",
    meaning: "entries of the overlay are about services that the catalogue does not have",
    fields: { message: field<string>("the entries with their lines") },
    sentence: ({ message }) =>
      `Warning: entries of the catalogue's overlay have no effect.\n${message}`,
  }),
  "truth-ignored": event({
    level: "warn",
    meaning: "the truth file cannot be used, so nothing of it counts",
    fields: { message: field<string>("each problem") },
    sentence: ({ message }) =>
      `Warning: the truth file cannot be used, so nothing of it counts.\n${message}`,
  }),
  "run-finished": event({
    level: "info",
    meaning: "a run ended",
    fields: { updatedAtMs: field<number>(), durationMs: field<number>() },
  }),
};
