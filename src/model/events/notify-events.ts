import { event, field, seconds } from "./event-row.ts";

/* The events of a notifier. */

const MONITOR = field<string>("its id");
const REASON = field<string>("a code of a failure, or the status");
const TRIES = field<number>("in a row");

export const NOTIFY_EVENTS = {
  "notices-sent": event({
    level: "info",
    meaning:
      "a notifier has sent messages to [owners](../monitors/owners.md#alerts), or to [channels](../notify.md#channelsyaml)",
    fields: {
      delivered: field<number>("messages that arrived"),
      failed: field<number>("messages that are tried again"),
      open: field<number>("channels that wait for something"),
      durationMs: field<number>(),
    },
    sentence: ({ delivered, failed, durationMs }) =>
      `Sent: ${delivered} arrived, ${failed} are tried again, in ${seconds(durationMs)}.`,
  }),
  "notice-failed": event({
    level: "info",
    meaning: "a message to an owner did not arrive; it is tried again later",
    fields: { monitor: MONITOR, reason: REASON, tries: TRIES },
    sentence: ({ monitor, reason, tries }) =>
      `A message about ${monitor} did not arrive (${reason}), attempt ${tries}.`,
  }),
  "channel-stopped": event({
    level: "info",
    meaning: "a receiver is gone, or has refused for five days: nothing more is sent to it",
    fields: { monitor: MONITOR },
    sentence: ({ monitor }) => `A channel of ${monitor} is gone: nothing more is sent to it.`,
  }),
  "channel-failed": event({
    level: "warn",
    meaning:
      "a message to a channel of the operator did not arrive; it is tried again until it does",
    fields: {
      channel: field<string>("its id in `channels.yaml`"),
      reason: field<string>("a code of a failure, or the status with the words of the receiver"),
      tries: TRIES,
    },
    sentence: ({ channel, reason, tries }) =>
      `Warning: a message to the channel ${channel} did not arrive (${reason}), attempt ${tries}. It is tried again.`,
  }),
  "push-failed": event({
    level: "info",
    meaning:
      "a message to the browser of a [visitor](../notify.md#visitors-browsers) did not arrive; it is tried again later",
    fields: { reason: REASON, tries: TRIES },
    sentence: ({ reason, tries }) =>
      `A message to a browser did not arrive (${reason}), attempt ${tries}.`,
  }),
  "subscriptions-ended": event({
    level: "info",
    meaning:
      "browsers of visitors are gone, have refused for five days or were not heard of for a year: their records are erased",
    fields: { count: field<number>() },
    sentence: ({ count }) => `${count} browsers are gone: nothing more is sent to them.`,
  }),
  "alerts-paused": event({
    level: "warn",
    meaning: "the list of services is over 15 minutes old: nothing is told until a run that counts",
    fields: { updatedMs: field<number>("time of the last run that counted") },
    sentence: ({ updatedMs }) =>
      `Warning: the last run was at ${new Date(updatedMs).toISOString()}: nothing is told until the next one.`,
  }),
  "changes-missed": event({
    level: "warn",
    meaning: "the notifier was away for so long that changes left the outbox unsent",
    fields: { count: field<number>() },
    sentence: ({ count }) =>
      `Warning: ${count} changes left the outbox before this notifier saw them.`,
  }),
  "notifier-busy": event({
    level: "info",
    meaning: "another notifier with the same ledger is sending",
    fields: {},
    sentence: () => "Another notifier with the same ledger is sending.",
  }),
};
