import ora from "ora";
import type { RunEvent } from "../../model/run-event.ts";
import { describeClock } from "../../store/describe-clock.ts";
import { describeConnectivity } from "../output/connectivity-text.ts";
import { describeResult } from "../output/outcome-text.ts";
import type { Log } from "../../setup/log.ts";
import { describeEngine, isEngineEvent } from "./engine-events.ts";
import { describeNotify, isNotifyEvent } from "./notify-events.ts";
import { describeVantages, isVantageEvent } from "./vantage-events.ts";

/** Logs for people: a progress line on a terminal, and sentences for important events. */
export function createPrettyLog(stderr: NodeJS.WriteStream): Log {
  // No progress line on a terminal of unknown width: a pseudo-terminal without a size has 0 columns, and the spinner would count an
  // endless number of rows.
  const isLive = stderr.isTTY && stderr.columns > 0;
  const spinner = ora({
    stream: stderr,
    isEnabled: isLive,
    discardStdin: false,
  });
  const progress: Progress = { done: 0, total: 0, failing: 0, waiting: 0, checked: 0, monitors: 0 };
  let lastConnectivity: string | undefined;
  const print = (sentence: string): void => {
    if (isLive) spinner.clear();
    stderr.write(`${sentence}\n`);
  };
  return {
    emit: (event) => {
      updateProgress(progress, event);
      const sentence = toSentence(event, isLive);
      // Each round of anchors emits its connectivity; only changes are printed.
      const isKnown = event.event === "anchors-probed" && sentence === lastConnectivity;
      if (event.event === "run-started") lastConnectivity = undefined;
      if (event.event === "anchors-probed") lastConnectivity = sentence;
      if (sentence !== undefined && !isKnown) print(sentence);
      if (!isLive) return;
      if (event.event === "run-started") spinner.start("Probing the anchors");
      else if (event.event === "published" || event.event === "run-stopped") spinner.stop();
      else spinner.text = describeProgress(progress);
    },
    warn: (sentence) => print(`Warning: ${sentence}`),
    fail: (sentence) => print(`Failed: ${sentence}`),
    refuse: (problem) => print(problem),
    advise: print,
    close: () => {
      spinner.stop();
    },
  };
}

interface Progress {
  done: number;
  total: number;
  failing: number;
  waiting: number;
  /** Monitors that are checked. */
  checked: number;
  monitors: number;
}

function updateProgress(progress: Progress, event: RunEvent): void {
  if (event.event === "run-started")
    Object.assign(progress, {
      done: 0,
      total: event.endpoints,
      failing: 0,
      waiting: 0,
      monitors: 0,
    });
  if (event.event === "monitors-started") progress.monitors = event.monitors;
  if (event.event === "monitors-checked") progress.checked = event.done;
  if (event.event === "confirming" && event.attempt === 1) progress.waiting += 1;
  if (event.event !== "endpoint-measured") return;
  progress.done = event.done;
  if (event.result.outcome.kind === "failed") progress.failing += 1;
  if (event.result.attempts.length > 1) progress.waiting = Math.max(0, progress.waiting - 1);
}

function describeProgress({ done, total, failing, waiting, checked, monitors }: Progress): string {
  const confirming =
    waiting === 0 ? "" : `, confirming ${waiting} that changed (takes up to three minutes)`;
  const monitorProgress = monitors === 0 ? "" : `; checked ${checked} of ${monitors} monitors`;
  return `Probed ${done} of ${total} endpoints, ${failing} failing${confirming}${monitorProgress}`;
}

/** Prefixes for events that carry a message. */
const MESSAGE_PREFIX = {
  "archive-deferred": "the archive is behind: ",
  "catalogue-reload-rejected":
    "the catalogue has changed and cannot be used; the previous one stays.\n",
  "inbox-damaged": "",
  "inbox-not-cleared": "reports that were counted stay in the inbox: ",
  "monitors-degraded": "",
  "owner-edits-deferred": "changes by owners wait to be counted: ",
  "overlay-unused": "entries of the catalogue's overlay have no effect.\n",
  "truth-ignored": "the truth file cannot be used, so nothing of it counts.\n",
  "reports-deferred": "reports wait to be counted: ",
} as const satisfies Partial<Record<RunEvent["event"], string>>;

function isMessage(
  event: RunEvent,
): event is Extract<RunEvent, { readonly event: keyof typeof MESSAGE_PREFIX }> {
  return event.event in MESSAGE_PREFIX;
}

/** `offline` has its own event. */
function describeAnchors({
  connectivity,
}: Extract<RunEvent, { readonly event: "anchors-probed" }>): string | undefined {
  return connectivity.state === "offline" ? undefined : describeConnectivity(connectivity);
}

function describeFailing({
  slug,
  url,
  result,
}: Extract<RunEvent, { readonly event: "endpoint-measured" }>): string | undefined {
  return result.outcome.kind === "failed"
    ? `  ${slug}: ${url}: ${describeResult(result)}`
    : undefined;
}

type MonitorsEvent = Extract<
  RunEvent,
  {
    readonly event:
      | "monitors-finished"
      | "monitors-withheld"
      | "monitors-already-counted"
      | "monitors-newly-refused"
      | "monitors-mixed-addresses"
      | "resolver-not-trusted";
  }
>;

function describeMonitors(event: MonitorsEvent): string | undefined {
  switch (event.event) {
    case "monitors-finished":
      return event.skipped === 0
        ? undefined
        : `Warning: ${event.skipped} monitors could not be checked or confirmed in time; for them this run does not count.`;
    case "monitors-withheld":
      return `Warning: ${event.count} monitors are no longer in the registry, too many to remove at once without --force. They keep their history and badges.`;
    case "monitors-already-counted":
      return "Warning: the checks of monitors do not count, because those of a later run are already counted.";
    case "monitors-newly-refused":
      return `Warning: monitors that were healthy lead to addresses, ports or redirects that are not checked, which counts as failing: ${nameSome(event)}. "monitor list" says why; --allow-private and --allow-port permit your own.`;
    case "monitors-mixed-addresses":
      return `Warning: DNS gives public addresses and others for these monitors, and only the public ones are checked: ${nameSome(event)}.`;
    case "resolver-not-trusted":
      return `Warning: the resolver gives addresses that are not public even for ${event.anchors.join(", ")}. So such addresses of monitors do not count in this run (${event.count}). Use another resolver (--dns).`;
  }
}

function nameSome({ count, ids }: { readonly count: number; readonly ids: readonly string[] }) {
  const more = count - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

type ClockEvent = Extract<
  RunEvent,
  { readonly event: "already-folded" | "clock-behind" | "clock-off" }
>;

function describeTime(event: ClockEvent): string {
  switch (event.event) {
    case "already-folded":
      return `A run of ${new Date(event.atMs).toISOString()} or later is already counted; nothing is probed.`;
    case "clock-behind":
      return `Warning: the clock is ${Math.round(event.behindMs / 1000)} s behind the last run. Set the clock (NTP).`;
    case "clock-off":
      return `Warning: ${describeClock(event.aheadMs)}. Set the clock (NTP).`;
  }
}

function describeAddress(assumedUrl: string | null): string {
  const advice =
    "Give --base-url (STATUS_SNAPSHOT_BASE_URL) the address where the store is read, such as https://status.example.";
  return assumedUrl === null
    ? `Warning: the website is left out, because no address is given: pages, feeds and pictures need it. The API and the badges are published. ${advice}`
    : `Warning: the website names ${assumedUrl} as its address, as before, because no address is given. ${advice}`;
}

type ArchiveEvent = Extract<RunEvent, { readonly event: "archive-skipped" | "archive-sealed" }>;

function isArchiveEvent(event: RunEvent): event is ArchiveEvent {
  return event.event === "archive-skipped" || event.event === "archive-sealed";
}

function describeArchive(event: ArchiveEvent): string {
  if (event.event === "archive-sealed") return `Added to the archive: ${event.dates.join(", ")}.`;
  return event.reason === "slot-taken"
    ? "Another run of the same five minutes is in the archive; this one is left out."
    : "The archive of this day is made; this run is left out.";
}

type PublishEvent = Extract<
  RunEvent,
  { readonly event: "removals-withheld" | "badges-postponed" | "site-without-address" }
>;

function describePublish(event: PublishEvent): string {
  switch (event.event) {
    case "removals-withheld":
      return `Warning: ${event.count} documents, or badges of monitors, are no longer wanted: too many to remove at once without --force. They stay.`;
    case "badges-postponed":
      return `${event.count} badges, pages or pictures of monitors and services wait for the next run: there were too many for this one.`;
    case "site-without-address":
      return describeAddress(event.assumedUrl);
  }
}

/** The sentence of an event; undefined for events that only change the progress line. */
function toSentence(event: RunEvent, isTerminal: boolean): string | undefined {
  if (isVantageEvent(event)) return describeVantages(event);
  if (isNotifyEvent(event)) return describeNotify(event);
  if (isEngineEvent(event)) return describeEngine(event);
  if (isArchiveEvent(event)) return describeArchive(event);
  if (isMessage(event)) return `Warning: ${MESSAGE_PREFIX[event.event]}${event.message}`;
  switch (event.event) {
    case "run-offline":
      return `The runner is offline: ${event.unreachable.length} anchors do not answer (${event.unreachable.join(", ")}). Nothing is concluded from what it sees.`;
    case "already-folded":
    case "clock-behind":
    case "clock-off":
      return describeTime(event);
    case "deadline-reached":
      return `Warning: the deadline of the run came before ${event.skipped} endpoints were decided; they are skipped.`;
    case "run-stopped":
      return "Stopped. The published documents are unchanged.";
    case "anchors-probed":
      return describeAnchors(event);
    case "failures-held":
      return `Failures held, not published yet: ${event.slugs.join(", ")} (${event.causes.join(", ")}).`;
    case "endpoint-measured":
      return isTerminal ? describeFailing(event) : undefined;
    case "removals-withheld":
    case "badges-postponed":
    case "site-without-address":
      return describePublish(event);
    case "owners-changed":
      return `Monitors of owners: ${event.changed} new or changed, ${event.erased} erased.`;
    case "catalogue-changed":
      return `The catalogue has changed: ${event.services} services.`;
    case "monitors-finished":
    case "monitors-withheld":
    case "monitors-already-counted":
    case "monitors-newly-refused":
    case "monitors-mixed-addresses":
    case "resolver-not-trusted":
      return describeMonitors(event);
    case "run-started":
    case "monitors-started":
    case "monitors-checked":
    case "confirming":
    case "published":
    case "run-finished":
      return undefined;
  }
}
