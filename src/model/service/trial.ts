import type { Outcome } from "../probe-outcome.ts";

/** What answered an endpoint. Source: docs/services/catalogue.md, "Trial". */
export const ANSWER_KINDS = [
  "page",
  "wall",
  "refused",
  "silent",
  "dead-name",
  "moved",
  "parked",
  "certificate",
  "error",
  "other",
  "not-tried",
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** What a trial found about an endpoint. */
export interface TrialRow {
  readonly slug: string;
  readonly url: string;
  readonly what: string;
  /** The verdict of the service rests on it. */
  readonly isCritical: boolean;
  /** What answered in each round. */
  readonly kinds: readonly AnswerKind[];
  readonly outcomes: readonly Outcome[];
  /** Of the page that answered last; empty: it had none. */
  readonly title: string;
  /** What a reader of that page sees first. */
  readonly begins: string;
  /** What the catalogue expects, in English. */
  readonly expects: string;
  /** Lines for its entry; empty: none is proposed. */
  readonly proposal: readonly string[];
}

export interface TrialReport {
  /** In the order of the catalogue. */
  readonly rows: readonly TrialRow[];
  /** Slugs of the services of which nothing would be known. */
  readonly unreached: readonly string[];
  /** Services that the overlay changes. */
  readonly changed: number;
}
