/** What a rule rests on: the public contract, or what this project decided where the contract says nothing. */
export type Basis = "specification" | "decision";

/** A point: what holds when it passes, what that rests on, and what to look at when it does not. */
export type Row = readonly [title: string, basis: Basis, mend: string];

/** What to do when a document is wrong in itself. */
export const PUBLISH =
  "Run the current version and publish again; nothing else may write these documents.";
