import ora from "ora";
import type { RunEvent } from "../model/event.ts";
import { describeClock } from "../render/clock.ts";
import { describeConnectivity } from "../render/connectivity.ts";
import { describeResult } from "../render/words.ts";
import type { Log } from "./log.ts";

/** Progress for people, on standard error: one line that changes on a terminal, sentences for what deserves one. */
export function createPrettyLog(stderr: NodeJS.WriteStream): Log {
  // Only a terminal gets the changing line; the sentences always come. One that does not know its width (a pseudo-terminal
  // without a size has 0 columns) gets none: the spinner would take its line for an endless number of rows.
  const isLive = stderr.isTTY && stderr.columns > 0;
  const spinner = ora({
    stream: stderr,
    isEnabled: isLive,
    discardStdin: false,
  });
  const progress: Progress = { done: 0, total: 0, failing: 0, waiting: 0, checked: 0, monitors: 0 };
  let toldWay: string | undefined;
  const say = (sentence: string): void => {
    if (isLive) spinner.clear();
    stderr.write(`${sentence}\n`);
  };
  return {
    emit: (event) => {
      note(progress, event);
      const sentence = toSentence(event, isLive);
      // Each round tells the state of the way; only news of it deserves a line.
      const isKnown = event.event === "anchors-probed" && sentence === toldWay;
      if (event.event === "run-started") toldWay = undefined;
      if (event.event === "anchors-probed") toldWay = sentence;
      if (sentence !== undefined && !isKnown) say(sentence);
      if (!isLive) return;
      if (event.event === "run-started") spinner.start("Asking the anchors");
      else if (event.event === "published" || event.event === "run-stopped") spinner.stop();
      else spinner.text = describeProgress(progress);
    },
    warn: (sentence) => say(`Warning: ${sentence}`),
    fail: (sentence) => say(`Failed: ${sentence}`),
    refuse: (problem) => say(problem),
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
  /** Of the monitors. */
  checked: number;
  monitors: number;
}

function note(progress: Progress, event: RunEvent): void {
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
  const beside = monitors === 0 ? "" : `; checked ${checked} of ${monitors} monitors`;
  return `Probed ${done} of ${total} endpoints, ${failing} failing${confirming}${beside}`;
}

/** What stands before the message of an event that has one. */
const WHAT_IS_WRONG = {
  "catalogue-kept": "the catalogue has changed and cannot be used; the one before stays.\n",
  "inbox-damaged": "",
  "inbox-not-cleared": "reports that were counted stay in the inbox: ",
  "monitors-disturbed": "",
  "overlay-unused": "entries of the catalogue's overlay do nothing.\n",
  "reports-waiting": "reports wait to be counted: ",
} as const satisfies Partial<Record<RunEvent["event"], string>>;

/** That the runner is offline is an event of its own. */
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

type AboutMonitors = Extract<
  RunEvent,
  {
    readonly event:
      | "monitors-finished"
      | "monitors-held-back"
      | "monitors-already-counted"
      | "monitors-newly-refused"
      | "monitors-mixed-addresses"
      | "resolver-not-trusted";
  }
>;

function describeMonitors(event: AboutMonitors): string | undefined {
  switch (event.event) {
    case "monitors-finished":
      return event.skipped === 0
        ? undefined
        : `Warning: ${event.skipped} monitors could not be checked or confirmed in time; for them this run does not count.`;
    case "monitors-held-back":
      return `Warning: ${event.count} monitors are no longer in the registry, too many to forget at once without --force. They keep their history and badges.`;
    case "monitors-already-counted":
      return "Warning: the checks of monitors do not count: those of a later run are counted already.";
    case "monitors-newly-refused":
      return `Warning: monitors that were healthy lead to addresses, ports or redirects that are not checked, which counts as failing: ${nameSome(event)}. "monitor list" says why; --allow-private and --allow-port open what is yours.`;
    case "monitors-mixed-addresses":
      return `Warning: DNS gives public addresses and others for these monitors, and only the public ones are checked: ${nameSome(event)}.`;
    case "resolver-not-trusted":
      return `Warning: the resolver gives addresses that are not public even for ${event.anchors.join(", ")}. So such addresses of monitors do not count in this run (${event.count}). Ask another resolver (--dns).`;
  }
}

/** The first ids, and how many more there are. */
function nameSome({ count, ids }: { readonly count: number; readonly ids: readonly string[] }) {
  const more = count - ids.length;
  return ids.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

type AboutTime = Extract<
  RunEvent,
  { readonly event: "already-folded" | "clock-behind" | "clock-off" }
>;

function describeTime(event: AboutTime): string {
  switch (event.event) {
    case "already-folded":
      return `A run of ${new Date(event.atMs).toISOString()} or later is counted already; nothing is probed.`;
    case "clock-behind":
      return `Warning: the clock is ${Math.round(event.behindMs / 1000)} s behind the last run. Set the clock (NTP).`;
    case "clock-off":
      return `Warning: ${describeClock(event.aheadMs)}. Set the clock (NTP).`;
  }
}

function describeAddress(assumedUrl: string | null): string {
  const cure =
    "Give --base-url (STATUS_SNAPSHOT_BASE_URL) the address where the store is read, such as https://status.example.";
  return assumedUrl === null
    ? `Warning: the website is left out, for nothing says where it is served: pages, feeds and pictures need their address. The API and the badges are published. ${cure}`
    : `Warning: the website names ${assumedUrl} as its address, as it did before, for nothing says where it is served. ${cure}`;
}

type AboutPublish = Extract<
  RunEvent,
  { readonly event: "removals-held-back" | "badges-postponed" | "site-without-address" }
>;

function describePublish(event: AboutPublish): string {
  switch (event.event) {
    case "removals-held-back":
      return `Warning: ${event.count} documents, or badges of monitors, are no longer wanted: too many to remove at once without --force. They stay.`;
    case "badges-postponed":
      return `${event.count} badges, pages or pictures of monitors and services wait for the next run: there were too many for this one.`;
    case "site-without-address":
      return describeAddress(event.assumedUrl);
  }
}

/** Events that deserve a sentence of their own; the others only move the progress line. */
function toSentence(event: RunEvent, isTerminal: boolean): string | undefined {
  switch (event.event) {
    case "run-offline":
      return `The runner is offline: ${event.unreachable.length} anchors do not answer (${event.unreachable.join(", ")}). Nothing is concluded from what it sees.`;
    case "already-folded":
    case "clock-behind":
    case "clock-off":
      return describeTime(event);
    case "state-migrated":
      return `The state was written by an older version (${event.fromVersion}) and has been brought up to date.`;
    case "deadline-reached":
      return `Warning: the deadline of the run came before ${event.skipped} endpoints were decided; they are skipped.`;
    case "run-stopped":
      return "Stopped. What was published stands.";
    case "anchors-probed":
      return describeAnchors(event);
    case "failures-held":
      return `Not believed yet, what was published stays: ${event.slugs.join(", ")} (${event.causes.join(", ")}).`;
    case "endpoint-measured":
      return isTerminal ? describeFailing(event) : undefined;
    case "removals-held-back":
    case "badges-postponed":
    case "site-without-address":
      return describePublish(event);
    case "catalogue-changed":
      return `The catalogue has changed: ${event.services} services.`;
    case "catalogue-kept":
    case "inbox-damaged":
    case "inbox-not-cleared":
    case "monitors-disturbed":
    case "overlay-unused":
    case "reports-waiting":
      return `Warning: ${WHAT_IS_WRONG[event.event]}${event.message}`;
    case "monitors-finished":
    case "monitors-held-back":
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
