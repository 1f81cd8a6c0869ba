import type { EndpointResult } from "../probe-outcome.ts";
import type { Connectivity, ConnectivityState } from "../service/connectivity.ts";
import type { AnchorPhase } from "../service/evidence.ts";
import type { HoldCause } from "../service/history.ts";
import { event, field, seconds } from "./event-row.ts";
import type { EvidenceRefusal } from "../service/vantage.ts";

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
    meaning:
      "the run is invalid; after `published`, only the part that was not published yet; after `anchors-probed` of the phase `monitors`, only its checks",
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
    meaning:
      "the catalogue was changed to an invalid one; the previous one stays in use. Once for each version of the file",
    fields: { message: field<string>("each problem") },
    sentence: ({ message }) =>
      `Warning: the catalogue has changed and cannot be used; the previous one stays.\n${message}`,
  }),
  "overlay-unused": event({
    level: "warn",
    meaning:
      "entries of the overlay are about services that the catalogue does not have. Once for each command, and for each version of the files",
    fields: { message: field<string>("the entries with their lines") },
    sentence: ({ message }) =>
      `Warning: entries of the catalogue's overlay have no effect.\n${message}`,
  }),
  "truth-ignored": event({
    level: "warn",
    meaning:
      "the truth file cannot be used, so nothing of it counts. Once for each version of the file",
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

/* The events about vantages: those of a run that hears them, and those of a vantage itself. */

export const VANTAGE_EVENTS = {
  "vantages-heard": event({
    level: "info",
    meaning:
      "what the vantages have answered so far; before each publish of a run that has vantages",
    fields: {
      heard: field<readonly string[]>("ids whose answer to one of the last two asks is believed"),
      silent: field<readonly string[]>("the other ids"),
    },
    sentence: ({ silent }) =>
      silent.length === 0
        ? undefined
        : `Vantages that did not answer the last two asks: ${silent.join(", ")}.`,
  }),
  "evidence-refused": event({
    level: "warn",
    meaning: "an answer of a vantage is not believed ([vantages](../services/vantages.md))",
    fields: {
      vantage: field<string>("its id"),
      reason: field<EvidenceRefusal>(
        "`too-large`, `malformed`, `bad-signature`, `other-vantage`, `other-ask` (replayed), `other-endpoints`",
      ),
    },
    sentence: ({ vantage, reason }) =>
      `Warning: the answer of the vantage ${vantage} is not believed (${reason}).`,
  }),
  "exchange-failed": event({
    level: "warn",
    meaning: "the store of `--exchange` failed or was slow: the run goes on without its vantages",
    fields: { message: field<string>() },
    sentence: ({ message }) => `Warning: the run goes on without its vantages: ${message}`,
  }),
  "ask-answered": event({
    level: "info",
    meaning: "a vantage answered an ask",
    fields: {
      ask: field<string>("its id"),
      endpoints: field<number>(),
      failing: field<number>("how many of them failed"),
      connectivity: field<ConnectivityState>("of the vantage itself, as in `anchors-probed`"),
      bytes: field<number>("of the signed answer"),
      durationMs: field<number>(),
    },
    sentence: ({ endpoints, failing, bytes, durationMs, connectivity }) =>
      `Answered: ${endpoints} endpoints, ${failing} of them fail here; ${bytes} bytes, ${seconds(durationMs)}. Connection: ${connectivity}.`,
  }),
  "nothing-asked": event({
    level: "info",
    meaning: "a vantage found nothing to answer",
    fields: {
      isAnswered: field<boolean>("the newest ask has its answer; false: there is no ask"),
    },
    sentence: ({ isAnswered }) =>
      isAnswered ? "The newest ask is answered already." : "Nothing is asked yet.",
  }),
};
