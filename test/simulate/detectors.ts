import { MINUTE_MS, SECOND_MS } from "../../src/model/time.ts";

/** Whether a probe of the main endpoint that begins at a time fails. */
export type Ask = (atMs: number) => boolean;

/** The detection rule of another monitoring program for one service. */
export interface Detector {
  readonly isDown: () => boolean;
  /** One round that begins at `atMs`; returns the time of the decision. `isFailing` is the result of the first probe. */
  readonly round: (isFailing: boolean, atMs: number, ask: Ask) => number;
}

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

/** Uptime Kuma with three retries, 60 s apart. Source: louislam/uptime-kuma, server/model/monitor.js. */
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

/** `failures` consecutive failures make it down, `successes` consecutive successes make it up. */
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

/** Down after two consecutive failures, up after one success. */
export function createTwoRuns(): Detector {
  return createThresholds(2, 1);
}

/** Gatus: three failures make it unhealthy, two successes healthy. Source: TwiN/gatus, README, `failure-threshold`. */
export function createGatus(): Detector {
  return createThresholds(3, 2);
}

/** One detector of each kind runs for each service. */
export const OTHERS = {
  "Gatus's rule (3 failures)": createGatus,
  "two runs in a row": createTwoRuns,
  "Uptime Kuma's (3 retries)": createUptimeKuma,
  "Upptime's": createUpptime,
  "one probe": createOneProbe,
} as const satisfies Record<string, () => Detector>;
