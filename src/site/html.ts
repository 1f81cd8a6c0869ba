import type { HtmlEscapedString } from "hono/utils/html";

/** Output of a component: HTML in which all outside input is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A whole page as text. Throws TypeError for an asynchronous component. */
export function renderPage(element: Html): string {
  // An asynchronous component makes its parents asynchronous, whatever their type says.
  const text: unknown = element instanceof Promise ? undefined : element.toString();
  if (typeof text !== "string") throw new TypeError("a component of a page is asynchronous");
  return `<!doctype html>${text}`;
}
