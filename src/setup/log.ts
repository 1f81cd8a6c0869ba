import { error, warn, field } from "../model/events/event-row.ts";
import type { Emit } from "../model/run-event.ts";

/** Sentences for people, one JSON line per event, also of the level `debug`, or errors only. */
export const LOG_MODES = ["pretty", "json", "debug", "silent"] as const;
export type LogMode = (typeof LOG_MODES)[number];

/** The progress of a command. Its results go to standard output. */
export interface Log {
  readonly emit: Emit;
  /** Logs a warning that is not an event of a run. */
  readonly warn: (sentence: string) => void;
  /** Logs why a command failed, in every mode. */
  readonly fail: (sentence: string) => void;
  /** Logs what the user has to fix first, in every mode. */
  readonly refuse: (problem: string) => void;
  /** Says what to do next, where a person reads. */
  readonly advise: (sentences: string) => void;
  /** Restores the terminal. */
  readonly close: () => void;
}

const fields = { message: field<string>() };

/** What the JSON log writes of the sentences of a command. */
export const SENTENCE_EVENTS = {
  warning: warn(
    "a sentence, such as a failed heartbeat, an ignored entry of the registry, reports that wait to be published, an intake whose store is down",
    fields,
  ),
  failed: error("why the command ends with 1", fields),
  refused: error("one problem for the user to fix; the command ends with 2", fields),
};
