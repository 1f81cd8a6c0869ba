/** A time in UTC to the second: 2026-11-22T10:00:00Z. */
export { toIsoSeconds as formatUtc } from "../../model/time.ts";

/** A time in UTC to the minute, for a column of a table: 2026-11-22 10:00. */
export function formatMinute(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 16).replace("T", " ");
}

/** What is to be said of some texts: those that are false or undefined are left out. */
export function textsOf(...texts: readonly (string | false | undefined)[]): readonly string[] {
  return texts.filter((text) => typeof text === "string");
}

/** A result as JSON for programs, in lines that a person can read as well. */
export function toJsonText(result: unknown): string {
  return JSON.stringify(result, undefined, 2);
}

/** `1 monitor`, `2 monitors`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
