import { editJson, type Fields, firstOf, when } from "./corrupt.ts";
import type { Corrupt, PassingAnswer } from "../good-deployment.ts";

export const SUMMARY = "/api/v2/summary.json";
export const UNRESOLVED = "/api/v2/incidents/unresolved.json";
export const METRICS = "/metrics";
export const ACCURACY = "/accuracy/v1.json";
export const OPERATORS = "/operators/v1.json";
export const UPTIMES = "/history/v1/index.json";
export const OUTAGES = "/outages/v1/index.json";
export const HISTORY = "/history/v1/sberbank.json";
export const INDEX = "/archive/v1/index.json";
export const PACKAGE = "/archive/v1/datapackage.json";

export const nowS = (): number => Math.floor(Date.now() / 1_000);
export const tomorrow = (): string => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Whether a response is a document that was found. */
export const isAt =
  (target: string) =>
  (answer: PassingAnswer): boolean =>
    answer.target === target && answer.status === 200;

/** Edits a document. */
export const edit = (target: string, change: (document: Fields) => unknown): Corrupt =>
  editJson(isAt(target), change);
/** Edits the first object in a field of a document. */
export const editFirst = (
  target: string,
  list: string,
  change: (entry: Fields) => unknown,
): Corrupt => edit(target, (document) => change(firstOf(document, list)));
/** Replaces a text in the body of a response. Throws RangeError if it is not found. */
export const replace = (target: string, before: string | RegExp, after: string): Corrupt =>
  when(isAt(target), (answer) => {
    const body = answer.body.replace(before, after);
    if (body === answer.body) throw new RangeError(`${target} has no ${String(before)}`);
    answer.body = body;
  });
