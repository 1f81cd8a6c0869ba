import { debug, info, warn, field, seconds } from "./event-row.ts";

/* The events about monitors and their owners, and about the workers of an engine. */

const FIRST_IDS = field<readonly string[]>("the first five");

export const MONITOR_EVENTS = {
  "monitors-started": debug("the checks of monitors begin", {
    monitors: field<number>("their number"),
  }),
  "monitors-checked": debug("progress", { done: field<number>(), total: field<number>() }),
  "monitors-degraded": warn(
    "a thread crashed or did not start, and its checks are skipped; or the registry could not be read, or has new mistakes",
    { message: field<string>() },
    ({ message }) => `Warning: ${message}`,
  ),
  "monitors-finished": info(
    "the checks ended. Refused and skipped count neither as up nor as down",
    {
      healthy: field<number>(),
      failing: field<number>(),
      refused: field<number>(),
      skipped: field<number>(),
      durationMs: field<number>(),
    },
    ({ skipped }) =>
      skipped === 0
        ? undefined
        : `Warning: ${skipped} monitors could not be checked or confirmed in time; for them this run does not count.`,
  ),
  "monitors-newly-refused": warn(
    "monitors that were healthy are now [refused](../monitors/uptime.md#refusals). Only in the run in which it begins",
    { count: field<number>(), ids: FIRST_IDS },
    (monitors) =>
      `Warning: monitors that were healthy lead to addresses, ports or redirects that are not checked, which counts as failing: ${nameSome(monitors)}. "monitor list" says why; --allow-private and --allow-port permit your own.`,
  ),
  "monitors-mixed-addresses": warn(
    "DNS gives public and other addresses for these monitors. Only in the run in which it begins",
    { count: field<number>(), ids: FIRST_IDS },
    (monitors) =>
      `Warning: DNS gives public addresses and others for these monitors, and only the public ones are checked: ${nameSome(monitors)}.`,
  ),
  "resolver-not-trusted": warn(
    "the resolver gives no public address for domestic anchors",
    {
      anchors: field<readonly string[]>("those anchors"),
      count: field<number>("monitors with such addresses, which are skipped in this run"),
    },
    ({ anchors, count }) =>
      `Warning: the resolver gives addresses that are not public even for ${anchors.join(", ")}. So such addresses of monitors do not count in this run (${count}). Use another resolver (--dns).`,
  ),
  "monitors-already-counted": warn(
    "the checks do not count: a run of this or a later slot has counted",
    {},
    () =>
      "Warning: the checks of monitors do not count, because those of a later run are already counted.",
  ),
  "monitors-withheld": warn(
    "more monitors left the registry than may go at once: they stay",
    { count: field<number>() },
    ({ count }) =>
      `Warning: ${count} monitors are no longer in the registry, too many to remove at once without --force. They keep their history and badges.`,
  ),
  "owners-changed": info(
    "edits of owners were counted",
    {
      changed: field<number>("records that are new or changed"),
      erased: field<number>("records that are gone"),
    },
    ({ changed, erased }) => `Monitors of owners: ${changed} new or changed, ${erased} erased.`,
  ),
  "owner-edits-deferred": warn(
    "the inbox of owners' changes could not be read or cleaned up: a later generation counts them; the services are published",
    { message: field<string>() },
    ({ message }) => `Warning: changes by owners wait to be counted: ${message}`,
  ),
  "engine-done": info(
    "the checks of monitors by [workers](../scaling.md) ended; what is not answered is skipped",
    {
      batches: field<number>("sent, for all vantages together"),
      answered: field<number>(),
      redelivered: field<number>("answered ones that were handed out more than once"),
      returned: field<number>("times that a worker gave a batch back"),
      dropped: field<number>("answers that were late, repeated, of other work, or broken"),
      lagMs: field<number>("longest wait of an answered batch"),
      durationMs: field<number>("from the first batch to the last answer"),
    },
    ({ answered, batches, redelivered, dropped, durationMs, lagMs }) =>
      `Workers: ${answered} of ${batches} batches answered, ${redelivered} after a second delivery, ${dropped} answers dropped, ${seconds(durationMs)}, lag ${seconds(lagMs)}.`,
  ),
  "batch-ended": info(
    "a worker is done with a batch of monitors",
    {
      kind: field<"answered" | "refused" | "returned">(
        "`answered`, `refused` (not a batch of this vantage, or broken), `returned` (it is delivered again)",
      ),
      batch: field<string | null>("cell, slot and number; null if the subject names none"),
      isRedelivered: field<boolean>("another delivery of it was not acknowledged"),
      targets: field<number | undefined>(),
      failing: field<number | undefined>(),
      reason: field<string | undefined>("why it was returned"),
    },
    ({ kind, batch, targets = 0, failing = 0, reason = "" }) => {
      if (kind === "answered") return `Batch ${batch ?? ""}: ${targets} monitors, ${failing} fail.`;
      return kind === "refused"
        ? `Warning: a batch was refused (${batch ?? "its subject names none"}).`
        : `Warning: the batch ${batch ?? ""} goes back: ${reason}.`;
    },
  ),
};

function nameSome({ count, ids }: { readonly count: number; readonly ids: readonly string[] }) {
  const more = count - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
