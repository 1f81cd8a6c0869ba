import ora from "ora";
import { type RunEvent, rowOfEvent } from "../../model/run-event.ts";
import { describeClock } from "../../store/store-clock.ts";
import { describeResult } from "../output/outcome-text.ts";
import type { Log } from "../../setup/log.ts";
import { describeConnectivity } from "../output/runner-text.ts";

/** Logs for people: a progress line on a terminal, and sentences for important events. */
export function createPrettyLog(stderr: NodeJS.WriteStream): Log {
  // No progress line on a terminal of unknown width: a pseudo-terminal without a size has 0 columns, and the spinner would count an
  // endless number of rows.
  const isLive = stderr.isTTY && stderr.columns > 0;
  const spinner = ora({ stream: stderr, isEnabled: isLive, discardStdin: false });
  let progress: Progress = NOTHING_DONE;
  let lastConnectivity: string | undefined;
  const print = (sentence: string): void => {
    if (isLive) spinner.clear();
    stderr.write(`${sentence}\n`);
  };
  return {
    emit: (event) => {
      progress = updateProgress(progress, event);
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
    refuse: print,
    advise: print,
    close: () => void spinner.stop(),
  };
}

/** Endpoints of a run, and its monitors: how many are `checked`. */
export const NOTHING_DONE = { done: 0, total: 0, failing: 0, waiting: 0, checked: 0, monitors: 0 };

type Progress = Readonly<typeof NOTHING_DONE>;

/** The progress after an event. */
export function updateProgress(before: Progress, event: RunEvent): Progress {
  switch (event.event) {
    case "run-started":
      return { ...NOTHING_DONE, total: event.endpoints };
    case "monitors-started":
      return { ...before, monitors: event.monitors };
    case "monitors-checked":
      return { ...before, checked: event.done };
    case "confirming":
      return event.attempt === 1 ? { ...before, waiting: before.waiting + 1 } : before;
    case "endpoint-measured": {
      const { outcome, attempts } = event.result;
      return {
        ...before,
        done: event.done,
        failing: before.failing + (outcome.kind === "failed" ? 1 : 0),
        waiting: attempts.length > 1 ? Math.max(0, before.waiting - 1) : before.waiting,
      };
    }
    default:
      return before;
  }
}

/** The line of progress, without a line break. */
export function describeProgress(progress: Progress): string {
  const { done, total, failing, waiting, checked, monitors } = progress;
  const confirming =
    waiting === 0 ? "" : `, confirming ${waiting} that changed (takes up to three minutes)`;
  const monitorProgress = monitors === 0 ? "" : `; checked ${checked} of ${monitors} monitors`;
  return `Probed ${done} of ${total} endpoints, ${failing} failing${confirming}${monitorProgress}`;
}

/** The sentence of an event; undefined for events that only change the progress line. */
function toSentence(event: RunEvent, isTerminal: boolean): string | undefined {
  switch (event.event) {
    case "anchors-probed":
      // `offline` has its own event.
      return event.connectivity.state === "offline"
        ? undefined
        : describeConnectivity(event.connectivity);
    case "endpoint-measured":
      return isTerminal && event.result.outcome.kind === "failed"
        ? `  ${event.slug}: ${event.url}: ${describeResult(event.result)}`
        : undefined;
    case "clock-off":
      return `Warning: ${describeClock(event.aheadMs)}. Set the clock (NTP).`;
    default:
      return rowOfEvent(event).sentence?.(event);
  }
}
