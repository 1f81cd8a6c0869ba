import type * as z from "zod";
import { findPairProblems } from "../api/list.ts";
import { type ServerClock, findFuture } from "../http/freshness.ts";
import { show } from "../api/parse-json.ts";
import {
  COUNT,
  FLAG,
  findInEach,
  findProblems,
  listOf,
  objectOf,
  oneOf,
  repeatedOf,
  SECONDS,
  SLUG_TEXT,
  TEXT,
} from "../api/schema.ts";
import { CHANGED_CODES, SCOPES } from "../api/specification.ts";

const CHANGE = objectOf({
  seq: COUNT,
  id: TEXT,
  slug: SLUG_TEXT,
  at: SECONDS,
  before: oneOf(CHANGED_CODES),
  code: oneOf(CHANGED_CODES),
  color: TEXT,
  scope: oneOf(SCOPES),
  surge: FLAG,
});

const CHANGES = objectOf({ next: COUNT, changes: listOf(CHANGE) });

/** The problems of the document of the changes. Source: docs/open-data.md, "Changes". */
export function findChangesProblems(value: unknown, clock: ServerClock): readonly string[] {
  return findProblems(CHANGES, value, ({ next, changes }) => [
    ...findInEach("changes", changes, (change) => findChangeProblems(change, clock)),
    ...repeatedOf(changes.map(({ id }) => id)).map(
      (id) => `the id ${show(id)} occurs more than once`,
    ),
    ...findGaps([...changes.map(({ seq }) => seq), next]),
  ]);
}

function findChangeProblems(change: z.infer<typeof CHANGE>, clock: ServerClock): readonly string[] {
  const { seq, id, slug, at, before, code } = change;
  const expected = `${slug}.${at}.${code}`;
  return [
    ...(seq === 0 ? ["seq is 0, the first one is 1"] : []),
    ...(id === expected ? [] : [`id is ${show(id)}, not ${expected}`]),
    ...(before === code ? [`before and code are both ${show(code)}`] : []),
    ...findFuture("at", at, clock),
    ...findPairProblems(change),
  ];
}

/** The numbers ascend by one, and `next`, the last of them, is the one after the last change; the first one of all is 1. */
function findGaps(numbers: readonly number[]): readonly string[] {
  const gap = numbers.findIndex((seq, index) => index > 0 && seq !== (numbers[index - 1] ?? 0) + 1);
  if (gap > 0) return [`${numbers[gap]} follows seq ${numbers[gap - 1]}`];
  return numbers.at(-1) === 0 ? ["next is 0, the first number is 1"] : [];
}
