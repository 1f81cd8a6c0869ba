/** The basis of a check: the API specification, or a decision of this project where the specification says nothing. */
export type CheckSource = "specification" | "decision";

/** A check: what holds if it passes, its basis, and what to fix if it fails. */
export type CheckRow = readonly [title: string, source: CheckSource, fix: string];

/** What to do if the content of a document is wrong. */
export const PUBLISH =
  "Publish again with the current version; nothing else may write these documents.";
