import type { Corrupt, PassingAnswer } from "./good-deployment.ts";

export const LIST = "/api/v1/status";
export const DETAIL = "/api/v1/status/sberbank";
export const BADGE = "/api/m/my-shop/badge.svg";

type When = (answer: PassingAnswer) => boolean;

export const isList: When = ({ target, status }) => target === LIST && status === 200;
export const isDetail: When = ({ target, status }) => target === DETAIL && status === 200;
export const isBadge: When = ({ target, status }) => target === BADGE && status === 200;
/** Services and monitors that do not exist; what tricky paths get is left alone. */
export const isMissing: When = ({ target, status }) =>
  status === 404 && target.includes("no-such-");
export const isRefused: When = ({ status }) => status === 405;
export const hasOrigin: When = ({ request }) => "origin" in request.headers;

/** Does something to those answers alone. */
export function when(is: When, change: (answer: PassingAnswer) => unknown): Corrupt {
  return (answer) => {
    if (is(answer)) change(answer);
  };
}

/** A JSON object whose fields are about to be broken: anything may stand in each. */
export type Fields = Record<string, unknown>;

/** Edits the JSON of those answers. */
export function editJson(is: When, edit: (document: Fields) => unknown): Corrupt {
  return replaceJson(is, (document) => {
    edit(document);
    return document;
  });
}

/** Puts another JSON value in the place of theirs. */
export function replaceJson(is: When, toOther: (document: Fields) => unknown): Corrupt {
  return when(is, (answer) => {
    answer.body = JSON.stringify(toOther(toFields(JSON.parse(answer.body))));
  });
}

/** Puts another value in the place of the list's entries. */
export function replaceServices(
  toOther: (first: Fields, ...others: readonly Fields[]) => unknown,
): Corrupt {
  return editJson(isList, (list) => {
    const [first = {}, ...others] = servicesOf(list);
    list["services"] = toOther(first, ...others);
  });
}

/** The entries of a list that is still whole. Throws TypeError for any other. */
export function servicesOf({ services }: Fields): readonly Fields[] {
  if (!Array.isArray(services)) throw new TypeError("the list has lost its services");
  return services.map(toFields);
}

function toFields(value: unknown): Fields {
  if (!isFields(value)) throw new TypeError(`${JSON.stringify(value)} has no fields to edit`);
  return value;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Edits the first entry of the list. */
export function editEntry(edit: (entry: Fields) => unknown): Corrupt {
  return replaceServices((first, ...others) => {
    edit(first);
    return [first, ...others];
  });
}

/** Edits the same fields of the first entry and of its detail, so that both agree. */
export function editBoth(edit: (document: Fields) => unknown): Corrupt {
  const entry = editEntry(edit);
  const detail = editJson(isDetail, edit);
  return (answer) => {
    entry(answer);
    detail(answer);
  };
}

/** Removes the header, and puts it back with each of the values. */
export function setHeader(name: string, ...values: readonly string[]) {
  return (answer: PassingAnswer): void => {
    answer.headers = [
      ...answer.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
      ...values.map((value): [string, string] => [name, value]),
    ];
  };
}

/** Turns the answer into another one. */
export function become(status: number, body = '{"error":"x"}') {
  return (answer: PassingAnswer): void => {
    answer.status = status;
    answer.body = body;
  };
}
