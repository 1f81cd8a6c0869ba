import type { ConnectivityState } from "../service/connectivity.ts";
import type { EvidenceRefusal } from "../service/vantage.ts";
import { event, field, seconds } from "./event-row.ts";

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
      isAnswered: field<boolean>("the newest ask has its answer; false: the runner has not asked"),
    },
    sentence: ({ isAnswered }) =>
      isAnswered ? "The newest ask is answered already." : "Nothing is asked yet.",
  }),
};
