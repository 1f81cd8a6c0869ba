import type { EndpointResult } from "../probe-outcome.ts";
import type { Connectivity, ConnectivityState } from "../service/connectivity.ts";
import type { AnchorPhase } from "../service/evidence.ts";
import type { HoldCause } from "../service/history.ts";
import { debug, error, info, warn, field, quietIf, seconds } from "./event-row.ts";
import type { EvidenceRefusal } from "../service/vantage.ts";

/* The events of a run about its clock, its anchors and the services. */

export const RUN_EVENTS = {
  "program-started": info(
    "the first line of `run`, `watch`, `intake`, `vantage`, `notify` and `worker`",
    {
      version: field<string>("with the commit of the build"),
      command: field<string>(),
    },
  ),
  "run-started": info("a run begins", {
    atMs: field<number>("the time of the run"),
    services: field<number>(),
    endpoints: field<number>(),
  }),
  "anchors-probed": quietIf(
    ({ connectivity }) => connectivity.state === "fine",
    info("a round of anchors ended", {
      phase: field<AnchorPhase>("`start`, `middle`, `end`, or `monitors` after their checks"),
      connectivity: field<Connectivity>(
        "the result of all rounds so far, of `monitors` that round alone: `state` (`fine` `lossy` `abroad-cut` `half` `offline`), `unreachable` (URLs), `lostRatio` (0–1), `failingZones`",
      ),
    }),
  ),
  confirming: debug("a changed endpoint is probed again after the wait", {
    slug: field<string>(),
    url: field<string>(),
    attempt: field<number>(),
    waitMs: field<number>(),
  }),
  "endpoint-measured": quietIf(
    // Healthy as before: an endpoint that is first seen, or works again, has its line.
    ({ result, wasHealthy }) => wasHealthy && result.outcome.kind !== "failed",
    info("an endpoint is decided", {
      slug: field<string>(),
      url: field<string>(),
      result: field<EndpointResult>("the outcome, with every attempt"),
      wasHealthy: field<boolean>("in the run before; if it still is, the level is `debug`"),
      done: field<number>("endpoints decided so far"),
      total: field<number>(),
    }),
  ),
  "deadline-reached": warn(
    "endpoints were not decided in time",
    { skipped: field<number>("their number") },
    ({ skipped }) =>
      `Warning: the deadline of the run came before ${skipped} endpoints were decided; they are skipped.`,
  ),
  "run-offline": error(
    "the run is invalid, or what of it was not published yet",
    { unreachable: field<readonly string[]>("URLs of anchors") },
    ({ unreachable }) =>
      `The runner is offline: ${unreachable.length} anchors do not answer (${unreachable.join(", ")}). Nothing is concluded from what it sees.`,
  ),
  "failures-held": warn(
    "new failures that do not count yet; what was published of these services stays ([verdicts](../services/verdicts.md#held-failures))",
    { slugs: field<readonly string[]>(), causes: field<readonly HoldCause[]>() },
    ({ slugs, causes }) =>
      `Failures held, not published yet: ${slugs.join(", ")} (${causes.join(", ")}).`,
  ),
  "run-stopped": warn(
    "a signal stopped the run; only what was published was folded",
    {},
    () => "Stopped. The published documents are unchanged.",
  ),
  "clock-behind": warn(
    "the clock is behind the last run, or another run overtook this one",
    { behindMs: field<number>() },
    ({ behindMs }) =>
      `Warning: the clock is ${Math.round(behindMs / 1000)} s behind the last run. Set the clock (NTP).`,
  ),
  "clock-off": warn("the clock differs from the store's", {
    aheadMs: field<number>("negative if the clock is behind"),
  }),
  "already-folded": warn(
    "a replay: nothing is probed",
    { atMs: field<number>() },
    ({ atMs }) =>
      `A run of ${new Date(atMs).toISOString()} or later is already counted; nothing is probed.`,
  ),
  "catalogue-changed": info(
    "a new catalogue is in use",
    { services: field<number>() },
    ({ services }) => `The catalogue has changed: ${services} services.`,
  ),
  "catalogue-reload-rejected": warn(
    "the catalogue was changed to an invalid one; the previous one stays in use",
    { message: field<string>("each problem") },
    ({ message }) =>
      `Warning: the catalogue has changed and cannot be used; the previous one stays.\n${message}`,
  ),
  "overlay-unused": warn(
    "entries of the overlay are about services that the catalogue does not have",
    { message: field<string>("the entries with their lines") },
    ({ message }) => `Warning: entries of the catalogue's overlay have no effect.\n${message}`,
  ),
  "truth-ignored": warn(
    "the truth file cannot be used, so nothing of it counts",
    { message: field<string>("each problem") },
    ({ message }) => `Warning: the truth file cannot be used, so nothing of it counts.\n${message}`,
  ),
  "run-finished": info("a run ended", {
    updatedAtMs: field<number>(),
    durationMs: field<number>(),
  }),
};

/* The events about vantages: those of a run that hears them, and those of a vantage itself. */

export const VANTAGE_EVENTS = {
  "vantages-heard": info(
    "what the vantages have answered so far; before each publish of a run that has vantages",
    {
      heard: field<readonly string[]>("ids whose answer to one of the last two asks is believed"),
      silent: field<readonly string[]>("the other ids"),
    },
    ({ silent }) =>
      silent.length === 0
        ? undefined
        : `Vantages that did not answer the last two asks: ${silent.join(", ")}.`,
  ),
  "evidence-refused": warn(
    "an answer of a vantage is not believed ([vantages](../services/vantages.md))",
    {
      vantage: field<string>("its id"),
      reason: field<EvidenceRefusal>(
        "`too-large`, `malformed`, `bad-signature`, `other-vantage`, `other-ask` (replayed), `other-endpoints`",
      ),
    },
    ({ vantage, reason }) =>
      `Warning: the answer of the vantage ${vantage} is not believed (${reason}).`,
  ),
  "exchange-failed": warn(
    "the exchange failed or was slow: the run goes on without its vantages",
    { message: field<string>() },
    ({ message }) => `Warning: the run goes on without its vantages: ${message}`,
  ),
  "ask-answered": info(
    "a vantage answered an ask",
    {
      ask: field<string>("its id"),
      endpoints: field<number>(),
      failing: field<number>("how many of them failed"),
      connectivity: field<ConnectivityState>("of the vantage itself, as in `anchors-probed`"),
      bytes: field<number>("of the signed answer"),
      durationMs: field<number>(),
    },
    ({ endpoints, failing, bytes, durationMs, connectivity }) =>
      `Answered: ${endpoints} endpoints, ${failing} of them fail here; ${bytes} bytes, ${seconds(durationMs)}. Connection: ${connectivity}.`,
  ),
  "nothing-asked": info(
    "a vantage found nothing to answer",
    {
      isAnswered: field<boolean>("the newest ask has its answer; false: the runner has not asked"),
    },
    ({ isAnswered }) =>
      isAnswered ? "The newest ask is answered already." : "Nothing is asked yet.",
  ),
};
