import type { HtmlEscapedString } from "hono/utils/html";

/** What a component gives: text of HTML in which everything that came from outside is escaped. */
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

/** A whole page as text. Throws TypeError for a component that waits for something: pages are made of values. */
export function renderPage(element: Html): string {
  // A component that waits makes those around it wait, whatever their type says.
  const text: unknown = element instanceof Promise ? undefined : element.toString();
  if (typeof text !== "string") throw new TypeError("a component of a page waits for something");
  return `<!doctype html>${text}`;
}
