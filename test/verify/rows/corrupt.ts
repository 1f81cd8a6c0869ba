import type { Corrupt, PassingAnswer } from "../good-deployment.ts";

export const LIST = "/api/v1/status";
export const DETAIL = "/api/v1/status/sberbank";
export const CHANGES = "/changes/v1.json";
export const BADGE = "/api/m/my-shop/badge.svg";

type When = (answer: PassingAnswer) => boolean;

export const isList: When = ({ target, status }) => target === LIST && status === 200;
export const isDetail: When = ({ target, status }) => target === DETAIL && status === 200;
export const isBadge: When = ({ target, status }) => target === BADGE && status === 200;
export const isChanges: When = ({ target, status }) => target === CHANGES && status === 200;
/** A 404 for an unknown service or monitor, not for an unusual path. */
export const isMissing: When = ({ target, status }) =>
  status === 404 && target.includes("no-such-");
/** A response of the website, not of the API or open data. */
export const isOfSite: When = ({ target }) =>
  !/^\/(?:api\/|changes\/|metrics$|(?:accuracy|operators)\/v1|history\/|archive\/|badge)/u.test(
    target,
  );
export const isRefused: When = ({ status }) => status === 405;
export const hasOrigin: When = ({ request }) => "origin" in request.headers;

/** Changes only matching responses. */
export function when(is: When, change: (answer: PassingAnswer) => unknown): Corrupt {
  return (answer) => {
    if (is(answer)) change(answer);
  };
}

/** A JSON object with mutable fields of any type, so that tests can corrupt them. */
export type Fields = Record<string, unknown>;

/** Edits the JSON of matching responses. */
export function editJson(is: When, edit: (document: Fields) => unknown): Corrupt {
  return replaceJson(is, (document) => {
    edit(document);
    return document;
  });
}

/** Replaces the JSON of matching responses. */
export function replaceJson(is: When, toOther: (document: Fields) => unknown): Corrupt {
  return when(is, (answer) => {
    answer.body = JSON.stringify(toOther(toFields(JSON.parse(answer.body))));
  });
}

/** Replaces the entries of the list. */
export function replaceServices(
  toOther: (first: Fields, ...others: readonly Fields[]) => unknown,
): Corrupt {
  return editJson(isList, (list) => {
    const [first = {}, ...others] = servicesOf(list);
    list["services"] = toOther(first, ...others);
  });
}

/** The entries of the list of services. Throws TypeError if they are not objects in an array. */
export function servicesOf(list: Fields): readonly Fields[] {
  return listOf(list, "services");
}

/** The objects in a field of a document. Throws TypeError if they are not objects in an array. */
export function listOf(document: Fields, name: string): readonly Fields[] {
  const list = document[name];
  if (!Array.isArray(list)) throw new TypeError(`the document has lost its ${name}`);
  return list.map(toFields);
}

/** The first object in a field of a document. Throws TypeError without one. */
export function firstOf(document: Fields, name: string): Fields {
  return toFields(listOf(document, name)[0]);
}

/** The value as an object. Throws TypeError if it is none. */
export function toFields(value: unknown): Fields {
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

/** Edits the first entry and its detail alike, so that both agree. */
export function editBoth(edit: (document: Fields) => unknown): Corrupt {
  const entry = editEntry(edit);
  const detail = editJson(isDetail, edit);
  return (answer) => {
    entry(answer);
    detail(answer);
  };
}

/** Replaces all lines of a header by one line per value. */
export function setHeader(name: string, ...values: readonly string[]) {
  return (answer: PassingAnswer): void => {
    answer.headers = [
      ...answer.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
      ...values.map((value): [string, string] => [name, value]),
    ];
  };
}

/** Replaces status and body of the response. */
export function become(status: number, body = '{"error":"x"}') {
  return (answer: PassingAnswer): void => {
    answer.status = status;
    answer.body = body;
  };
}
