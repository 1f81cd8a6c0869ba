import type { RunEvent } from "../../model/run-event.ts";
import type { EventRow, FieldOf } from "./event-row.ts";

/* The events about vantages: those of a run that hears them, and those of a vantage itself. */

type VantageEventName =
  | "vantages-heard"
  | "evidence-refused"
  | "exchange-failed"
  | "ask-answered"
  | "nothing-asked";

type VantageEvent = Extract<RunEvent, { readonly event: VantageEventName }>;

/** What docs/reference/log-events.md says of them. */
export const VANTAGE_EVENTS: { readonly [Name in VantageEventName]: EventRow<FieldOf<Name>> } = {
  "vantages-heard": {
    level: "info",
    meaning:
      "what the vantages have answered so far; before each publish of a run that has vantages",
    fields: {
      heard: "ids whose answer to one of the last two asks is believed",
      silent: "the other ids",
    },
  },
  "evidence-refused": {
    level: "warn",
    meaning: "an answer of a vantage is not believed ([vantages](../services/vantages.md))",
    fields: {
      vantage: "its id",
      reason:
        "`too-large`, `malformed`, `bad-signature`, `other-vantage`, `other-ask` (replayed), `other-endpoints`",
    },
  },
  "exchange-failed": {
    level: "warn",
    meaning: "the store of `--exchange` failed or was slow: the run goes on without its vantages",
    fields: { message: "" },
  },
  "ask-answered": {
    level: "info",
    meaning: "a vantage answered an ask",
    fields: {
      ask: "its id",
      endpoints: "",
      failing: "how many of them failed",
      connectivity: "of the vantage itself, as in `anchors-probed`",
      bytes: "of the signed answer",
      durationMs: "",
    },
  },
  "nothing-asked": {
    level: "info",
    meaning: "a vantage found nothing to answer",
    fields: { isAnswered: "the newest ask has its answer; false: there is no ask" },
  },
};

export function isVantageEvent(event: RunEvent): event is VantageEvent {
  return event.event in VANTAGE_EVENTS;
}

/** The sentence of an event about vantages; undefined if there is nothing to say. */
export function describeVantages(event: VantageEvent): string | undefined {
  switch (event.event) {
    case "vantages-heard":
      return event.silent.length === 0
        ? undefined
        : `Vantages that did not answer the last two asks: ${event.silent.join(", ")}.`;
    case "evidence-refused":
      return `Warning: the answer of the vantage ${event.vantage} is not believed (${event.reason}).`;
    case "exchange-failed":
      return `Warning: the run goes on without its vantages: ${event.message}`;
    case "ask-answered":
      return `Answered: ${event.endpoints} endpoints, ${event.failing} of them fail here; ${event.bytes} bytes, ${(event.durationMs / 1000).toFixed(1)} s. Connection: ${event.connectivity}.`;
    case "nothing-asked":
      return event.isAnswered ? "The newest ask is answered already." : "Nothing is asked yet.";
  }
}
