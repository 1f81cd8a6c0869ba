import { findPairProblems } from "../api/field-rules.ts";
import { type ServerClock, isInFuture } from "../http/freshness.ts";
import { type JsonObject, show } from "../api/parse-json.ts";
import {
  COUNT,
  FLAG,
  findListProblems,
  findShapeProblems,
  LIST,
  objectsOf,
  oneOf,
  repeatedOf,
  SECONDS,
  type Shape,
  SLUG_TEXT,
  TEXT,
} from "../api/shape.ts";
import { CHANGED_CODES, SCOPES } from "../api/specification.ts";

const CODE = oneOf(CHANGED_CODES);

const CHANGE: Shape = {
  seq: COUNT,
  id: TEXT,
  slug: SLUG_TEXT,
  at: SECONDS,
  before: CODE,
  code: CODE,
  color: TEXT,
  scope: oneOf(SCOPES),
  surge: FLAG,
};

/** The problems of the document of the changes. Source: docs/open-data.md, "Changes". */
export function findChangesProblems(value: JsonObject, clock: ServerClock): readonly string[] {
  const { next, changes } = value;
  const entries = objectsOf(changes);
  const repeated = repeatedOf(entries.map(({ id }) => id));
  return [
    ...findShapeProblems(value, { next: COUNT, changes: LIST }),
    ...findListProblems(changes, "change", CHANGE, (change) => findChangeProblems(change, clock)),
    ...repeated.map((id) => `the id ${show(id)} occurs more than once`),
    ...findGaps(
      entries.map(({ seq }) => seq),
      next,
    ),
  ];
}

function findChangeProblems(change: JsonObject, clock: ServerClock): readonly string[] {
  const { seq, id, slug, at, before, code } = change;
  const expected = `${String(slug)}.${String(at)}.${String(code)}`;
  return [
    ...(seq === 0 ? ["seq is 0, the first one is 1"] : []),
    ...(id === expected ? [] : [`id is ${show(id)}, not ${expected}`]),
    ...(before === code ? [`before and code are both ${show(code)}`] : []),
    ...(isInFuture(at, clock) ? [`at is ${show(at)}, in the future`] : []),
    ...findPairProblems(change),
  ];
}

/** The numbers ascend by one, and `next` is the one after the last; the first one of all is 1. */
function findGaps(numbers: readonly unknown[], next: unknown): readonly string[] {
  const all = [...numbers, next].map(Number);
  const gap = all.findIndex((seq, index) => index > 0 && seq !== (all[index - 1] ?? 0) + 1);
  if (gap > 0) return [`${show([...numbers, next][gap])} follows seq ${show(numbers[gap - 1])}`];
  return next === 0 ? ["next is 0, the first number is 1"] : [];
}
