import type { RequestCounts } from "../store.ts";
import { info, warn, field, seconds } from "./event-row.ts";

/* The events of a publish, of the inbox of reports, of the state and of the archive. */

export const PUBLISH_EVENTS = {
  published: info("documents were published; up to three times in a run, four if it seals a day", {
    written: field<number>(),
    unchanged: field<number>(),
    removed: field<number>(),
    durationMs: field<number>(),
    requests: field<{ readonly public: RequestCounts; readonly state: RequestCounts }>(
      "`public` and `state`, each with counts of `read` `find` `write` `remove` `list`: of the command so far; of an intake and `watch`, of each publish",
    ),
  }),
  "removals-withheld": warn(
    "more documents, or badges of monitors, would go than may go at once: they stay",
    { count: field<number>() },
    ({ count }) =>
      `Warning: ${count} documents, or badges of monitors, are no longer wanted: too many to remove at once without --force. They stay.`,
  ),
  "badges-postponed": info(
    "badges, pages or pictures wait for the next publish, because the time for them was over",
    { count: field<number>() },
    ({ count }) =>
      `${count} badges, pages or pictures of monitors and services wait for the next run: there were too many for this one.`,
  ),
  "site-without-address": warn(
    "pages are published, and the address of the website is not known ([website](../website.md#the-address))",
    {
      assumedUrl: field<string | null>(
        "the address of its published pages, which it keeps; null: it is not published",
      ),
    },
    ({ assumedUrl }) => {
      const effect =
        assumedUrl === null
          ? "the website is left out, because no address is given: pages, feeds and pictures need it. The API and the badges are published."
          : `the website names ${assumedUrl} as its address, as before, because no address is given.`;
      return `Warning: ${effect} Give --base-url (STATUS_SNAPSHOT_BASE_URL) the address where the store is read, such as https://status.example.`;
    },
  ),
  "reports-deferred": warn(
    "the inbox, or an object of it, could not be read: these reports are counted later; the services are published",
    { message: field<string>() },
    ({ message }) => `Warning: reports wait to be counted: ${message}`,
  ),
  "inbox-not-cleared": warn(
    "counted objects could not be removed from the inbox; a later publish tries again",
    { message: field<string>() },
    ({ message }) => `Warning: reports that were counted stay in the inbox: ${message}`,
  ),
  "inbox-damaged": warn(
    "an inbox object is invalid; it counts nothing and is removed",
    { message: field<string>() },
    ({ message }) => `Warning: ${message}`,
  ),
  "archive-sealed": info(
    "days that are over were added to the [archive](../open-data.md#archive)",
    { dates: field<readonly string[]>() },
    ({ dates }) => `Added to the archive: ${dates.join(", ")}.`,
  ),
  "archive-skipped": info(
    "the checks of this run are not in the archive",
    {
      reason: field<"slot-taken" | "day-sealed">(
        "`slot-taken`: another run of the same five minutes is; `day-sealed`: its day was over",
      ),
    },
    ({ reason }) =>
      reason === "slot-taken"
        ? "Another run of the same five minutes is in the archive; this one is left out."
        : "The archive of this day is made; this run is left out.",
  ),
  "archive-deferred": warn(
    "the archive could not be written or read, or a run in it is damaged; the services are published",
    { message: field<string>() },
    ({ message }) => `Warning: the archive is behind: ${message}`,
  ),
};

/* The events of a notifier. */

const MONITOR = field<string>("its id");
const REASON = field<string>("a code of a failure, or the status");
const TRIES = field<number>("in a row");

export const NOTIFY_EVENTS = {
  "notices-sent": info(
    "a notifier has sent messages to [owners](../monitors/owners.md#alerts), [visitors](../notify.md#visitors-browsers) or [channels](../notify.md#channelsyaml)",
    {
      delivered: field<number>("messages that arrived"),
      failed: field<number>("messages that are tried again"),
      open: field<number>("channels that wait for something"),
      durationMs: field<number>(),
    },
    ({ delivered, failed, durationMs }) =>
      `Sent: ${delivered} arrived, ${failed} are tried again, in ${seconds(durationMs)}.`,
  ),
  "notice-failed": info(
    "a message to an owner did not arrive; it is tried again later",
    { monitor: MONITOR, reason: REASON, tries: TRIES },
    ({ monitor, reason, tries }) =>
      `A message about ${monitor} did not arrive (${reason}), attempt ${tries}.`,
  ),
  "channel-stopped": info(
    "a receiver is gone, or has refused for five days: nothing more is sent to it",
    { monitor: MONITOR },
    ({ monitor }) => `A channel of ${monitor} is gone: nothing more is sent to it.`,
  ),
  "channel-failed": warn(
    "a message to a channel of the operator did not arrive; it is tried again until it does",
    {
      channel: field<string>("its id in `channels.yaml`"),
      reason: field<string>("a code of a failure, or the status with the words of the receiver"),
      tries: TRIES,
    },
    ({ channel, reason, tries }) =>
      `Warning: a message to the channel ${channel} did not arrive (${reason}), attempt ${tries}. It is tried again.`,
  ),
  "push-failed": info(
    "a message to the browser of a [visitor](../notify.md#visitors-browsers) did not arrive, the first of a look; it is tried again later",
    { reason: REASON, tries: TRIES },
    ({ reason, tries }) => `A message to a browser did not arrive (${reason}), attempt ${tries}.`,
  ),
  "subscriptions-ended": info(
    "browsers of visitors are gone, have refused for five days or were not heard of for a year: their records are erased",
    { count: field<number>() },
    ({ count }) => `${count} browsers are gone: nothing more is sent to them.`,
  ),
  "alerts-paused": warn(
    "the list of services is over 15 minutes old: nothing is told until a run that counts",
    { updatedMs: field<number>("time of the last run that counted") },
    ({ updatedMs }) =>
      `Warning: the last run was at ${new Date(updatedMs).toISOString()}: nothing is told until the next one.`,
  ),
  "changes-missed": warn(
    "the notifier was away for so long that changes left the outbox unsent",
    { count: field<number>() },
    ({ count }) => `Warning: ${count} changes left the outbox before this notifier saw them.`,
  ),
  "notifier-busy": info(
    "another notifier with the same ledger is sending",
    {},
    () => "Another notifier with the same ledger is sending.",
  ),
};
