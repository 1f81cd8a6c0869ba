import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";

/** Whether one probe of the main endpoint, begun at a time, failed. */
export type Ask = (atMs: number) => boolean;

/** A rule of another monitor for one service: what it says after one round, and when. */
export interface Detector {
  readonly isDown: () => boolean;
  /** One round, begun at `atMs`; gives the time at which the rule has spoken. `isFailing` is the first probe's. */
  readonly round: (isFailing: boolean, atMs: number, ask: Ask) => number;
}

/** Down as soon as a probe fails. */
export function createOneProbe(): Detector {
  let isDown = false;
  return {
    isDown: () => isDown,
    round(isFailing, atMs) {
      isDown = isFailing;
      return atMs;
    },
  };
}

/** Upptime: a failing probe is repeated after 1 s and once more after 10 s. Source: upptime/uptime-monitor, src/update.ts. */
export function createUpptime(): Detector {
  let isDown = false;
  return {
    isDown: () => isDown,
    round(isFailing, atMs, ask) {
      const second = atMs + SECOND_MS;
      const third = second + 10 * SECOND_MS;
      isDown = isFailing && ask(second) && ask(third);
      return isFailing ? third : atMs;
    },
  };
}

/** Uptime Kuma with three retries: pending for three more probes, 60 s apart. Source: louislam/uptime-kuma, server/model/monitor.js. */
export function createUptimeKuma(): Detector {
  let isDown = false;
  return {
    isDown: () => isDown,
    round(isFailing, atMs, ask) {
      if (!isFailing || isDown) {
        isDown = isFailing;
        return atMs;
      }
      for (let retry = 1; retry <= 3; retry += 1) {
        if (!ask(atMs + retry * MINUTE_MS)) return atMs + retry * MINUTE_MS;
      }
      isDown = true;
      return atMs + 3 * MINUTE_MS;
    },
  };
}

/** So many failures in a row make it down, so many successes make it up. */
function createThresholds(failures: number, successes: number): Detector {
  let isDown = false;
  let inRow = 0;
  return {
    isDown: () => isDown,
    round(isFailing, atMs) {
      inRow = isFailing === isDown ? 0 : inRow + 1;
      if (inRow >= (isDown ? successes : failures)) {
        isDown = !isDown;
        inRow = 0;
      }
      return atMs;
    },
  };
}

/** Two runs in a row, either way at once. */
export function createTwoRuns(): Detector {
  return createThresholds(2, 1);
}

/** Gatus: three failures make it unhealthy, two successes healthy. Source: TwiN/gatus, README, `failure-threshold`. */
export function createGatus(): Detector {
  return createThresholds(3, 2);
}

/** Of each kind one for each service. */
export const OTHERS = {
  "Gatus's rule (3 failures)": createGatus,
  "two runs in a row": createTwoRuns,
  "Uptime Kuma's (3 retries)": createUptimeKuma,
  "Upptime's": createUpptime,
  "one probe": createOneProbe,
} as const satisfies Record<string, () => Detector>;
