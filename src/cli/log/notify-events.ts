import type { RunEvent } from "../../model/run-event.ts";
import type { EventRow, FieldOf } from "./event-row.ts";

/* The events of a notifier. */

type NotifyEventName =
  | "notices-sent"
  | "notice-failed"
  | "channel-stopped"
  | "channel-failed"
  | "push-failed"
  | "subscriptions-ended"
  | "alerts-paused"
  | "changes-missed"
  | "notifier-busy";

type NotifyEvent = Extract<RunEvent, { readonly event: NotifyEventName }>;

/** What docs/reference/log-events.md says of them. */
export const NOTIFY_EVENTS: { readonly [Name in NotifyEventName]: EventRow<FieldOf<Name>> } = {
  "notices-sent": {
    level: "info",
    meaning:
      "a notifier has sent messages to [owners](../monitors/owners.md#alerts), or to [channels](../notify.md#channelsyaml)",
    fields: {
      delivered: "messages that arrived",
      failed: "messages that are tried again",
      open: "channels that wait for something",
      durationMs: "",
    },
  },
  "notice-failed": {
    level: "info",
    meaning: "a message to an owner did not arrive; it is tried again later",
    fields: { monitor: "its id", reason: "a code of a failure, or the status", tries: "in a row" },
  },
  "channel-stopped": {
    level: "info",
    meaning: "a receiver is gone, or has refused for five days: nothing more is sent to it",
    fields: { monitor: "its id" },
  },
  "channel-failed": {
    level: "warn",
    meaning:
      "a message to a channel of the operator did not arrive; it is tried again until it does",
    fields: {
      channel: "its id in `channels.yaml`",
      reason: "a code of a failure, or the status with the words of the receiver",
      tries: "in a row",
    },
  },
  "push-failed": {
    level: "info",
    meaning:
      "a message to the browser of a [visitor](../notify.md#visitors-browsers) did not arrive, the first one of a cycle; it is tried again later",
    fields: { reason: "a code of a failure, or the status", tries: "in a row" },
  },
  "subscriptions-ended": {
    level: "info",
    meaning:
      "browsers of visitors are gone, have refused for five days or were not heard of for a year: their records are erased",
    fields: { count: "" },
  },
  "alerts-paused": {
    level: "warn",
    meaning: "the list of services is over 15 minutes old: nothing is told until a run that counts",
    fields: { updatedMs: "time of the last run that counted" },
  },
  "changes-missed": {
    level: "warn",
    meaning: "the notifier was away for so long that changes left the outbox unsent",
    fields: { count: "" },
  },
  "notifier-busy": {
    level: "info",
    meaning: "another notifier with the same ledger is sending",
    fields: {},
  },
};

export function isNotifyEvent(event: RunEvent): event is NotifyEvent {
  return event.event in NOTIFY_EVENTS;
}

/** The sentence of an event of a notifier. */
export function describeNotify(event: NotifyEvent): string {
  switch (event.event) {
    case "notices-sent":
      return `Sent: ${event.delivered} arrived, ${event.failed} are tried again, in ${(event.durationMs / 1000).toFixed(1)} s.`;
    case "notice-failed":
      return `A message about ${event.monitor} did not arrive (${event.reason}), attempt ${event.tries}.`;
    case "channel-stopped":
      return `A channel of ${event.monitor} is gone: nothing more is sent to it.`;
    case "channel-failed":
      return `Warning: a message to the channel ${event.channel} did not arrive (${event.reason}), attempt ${event.tries}. It is tried again.`;
    case "push-failed":
      return `A message to a browser did not arrive (${event.reason}), attempt ${event.tries}.`;
    case "subscriptions-ended":
      return `${event.count} browsers are gone: nothing more is sent to them.`;
    case "alerts-paused":
      return `Warning: the last run was at ${new Date(event.updatedMs).toISOString()}: nothing is told until the next one.`;
    case "changes-missed":
      return `Warning: ${event.count} changes left the outbox before this notifier saw them.`;
    case "notifier-busy":
      return "Another notifier with the same ledger is sending.";
  }
}
