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

/** Edits the JSON of those answers. */
export function editJson(is: When, edit: (document: Document) => unknown): Corrupt {
  return replaceJson(is, (document) => {
    edit(document);
    return document;
  });
}

/** Puts another JSON value in the place of theirs. */
export function replaceJson(is: When, toOther: (document: Document) => unknown): Corrupt {
  return when(is, (answer) => {
    answer.body = JSON.stringify(toOther(JSON.parse(answer.body)));
  });
}

/** A document whose types are about to be broken. */
// oxlint-disable-next-line typescript/no-explicit-any -- corrupting wants no types
type Document = any;

/** Edits the first entry of the list. */
export function editEntry(edit: (entry: Document) => unknown): Corrupt {
  return editJson(isList, (list) => edit(list.services[0]));
}

/** Edits the same fields of the first entry and of its detail, so that both agree. */
export function editBoth(edit: (document: Document) => unknown): Corrupt {
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
