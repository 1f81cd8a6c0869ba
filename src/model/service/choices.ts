/* Closed lists that the command line offers as well. Without zod, which would take a third of the time of `--help`. */

/** The choices of a report. Append only: the state stores indices into this list. */
export const SYMPTOMS = ["does-not-open", "slow", "login", "payments", "app", "other"] as const;
export type Symptom = (typeof SYMPTOMS)[number];

/** Of whom an address is: of a data centre, which some owners refuse, or of a subscriber. */
export const LINES = ["hosting", "home", "office", "mobile"] as const;
export type Line = (typeof LINES)[number];
