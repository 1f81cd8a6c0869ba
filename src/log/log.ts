import type { Emit } from "../model/event.ts";

/** How progress is told: to people, as one JSON line an event, or not at all. */
export const LOG_MODES = ["pretty", "json", "silent"] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** Never throws. */
export function isLogMode(value: unknown): value is LogMode {
  return LOG_MODES.some((mode) => mode === value);
}

/** Where a command tells what it does. Its results go to standard output instead. */
export interface Log {
  readonly emit: Emit;
  /** A sentence for the user that is no event of a run. */
  readonly warn: (sentence: string) => void;
  /** Why a command could not do what it was asked to. Told in every mode. */
  readonly fail: (sentence: string) => void;
  /** What the user has to mend before anything can be done. Told in every mode. */
  readonly refuse: (problem: string) => void;
  /** Leaves the terminal as it was. */
  readonly close: () => void;
}
