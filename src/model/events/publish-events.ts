import type { RequestCounts } from "../store.ts";
import { event, field } from "./event-row.ts";

/* The events of a publish, of the inbox of reports, of the state and of the archive. */

export const PUBLISH_EVENTS = {
  published: event({
    level: "info",
    meaning: "documents were published; up to three times in a run",
    fields: {
      written: field<number>(),
      unchanged: field<number>(),
      removed: field<number>(),
      durationMs: field<number>(),
      requests: field<{ readonly public: RequestCounts; readonly state: RequestCounts }>(
        "`public` and `state`, each with counts of `read` `find` `write` `remove` `list`: of the command so far; of an intake and `watch`, of each publish",
      ),
    },
  }),
  "removals-withheld": event({
    level: "warn",
    meaning: "more documents, or badges of monitors, would go than may go at once: they stay",
    fields: { count: field<number>() },
    sentence: ({ count }) =>
      `Warning: ${count} documents, or badges of monitors, are no longer wanted: too many to remove at once without --force. They stay.`,
  }),
  "badges-postponed": event({
    level: "info",
    meaning:
      "badges, pages or pictures wait for the next publish, because the time for them was over",
    fields: { count: field<number>() },
    sentence: ({ count }) =>
      `${count} badges, pages or pictures of monitors and services wait for the next run: there were too many for this one.`,
  }),
  "site-without-address": event({
    level: "warn",
    meaning:
      "the address of the website is not known; once for each command that publishes pages ([website](../website.md#the-address))",
    fields: {
      assumedUrl: field<string | null>(
        "the address of its published pages, which it keeps; null: it is not published",
      ),
    },
    sentence: ({ assumedUrl }) => {
      const effect =
        assumedUrl === null
          ? "the website is left out, because no address is given: pages, feeds and pictures need it. The API and the badges are published."
          : `the website names ${assumedUrl} as its address, as before, because no address is given.`;
      return `Warning: ${effect} Give --base-url (STATUS_SNAPSHOT_BASE_URL) the address where the store is read, such as https://status.example.`;
    },
  }),
  "reports-deferred": event({
    level: "warn",
    meaning:
      "the inbox, or an object of it, could not be read: these reports are counted later; the services are published",
    fields: { message: field<string>() },
    sentence: ({ message }) => `Warning: reports wait to be counted: ${message}`,
  }),
  "inbox-not-cleared": event({
    level: "warn",
    meaning: "counted objects could not be removed from the inbox; a later publish tries again",
    fields: { message: field<string>() },
    sentence: ({ message }) => `Warning: reports that were counted stay in the inbox: ${message}`,
  }),
  "inbox-damaged": event({
    level: "warn",
    meaning: "an inbox object is invalid; it counts nothing and is removed",
    fields: { message: field<string>() },
    sentence: ({ message }) => `Warning: ${message}`,
  }),
  "archive-sealed": event({
    level: "info",
    meaning: "days that are over were added to the [archive](../open-data.md#archive)",
    fields: { dates: field<readonly string[]>() },
    sentence: ({ dates }) => `Added to the archive: ${dates.join(", ")}.`,
  }),
  "archive-skipped": event({
    level: "info",
    meaning: "the checks of this run are not in the archive",
    fields: {
      reason: field<"slot-taken" | "day-sealed">(
        "`slot-taken`: another run of the same five minutes is; `day-sealed`: its day was over",
      ),
    },
    sentence: ({ reason }) =>
      reason === "slot-taken"
        ? "Another run of the same five minutes is in the archive; this one is left out."
        : "The archive of this day is made; this run is left out.",
  }),
  "archive-deferred": event({
    level: "warn",
    meaning:
      "the archive could not be written or read, or a run in it is damaged; the services are published",
    fields: { message: field<string>() },
    sentence: ({ message }) => `Warning: the archive is behind: ${message}`,
  }),
};
