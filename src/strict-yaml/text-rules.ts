import { faultInHostName } from "../model/host-name.ts";
import { faultInVisibility } from "./visible-text.ts";

/** Control characters, line and paragraph separators, and marks that reorder text on the screen. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\p{Surrogate}]/u;

const LONGEST_NAME = 120;
const LONGEST_URL = 2_048;

/** What is wrong with a one-line text of at most `longest` characters, or undefined. Never throws. */
export function faultInText(text: string, longest: number): string | undefined {
  if (text.trim() === "") return "is empty; write something here.";
  if (CONTROLS.test(text)) {
    return "holds a control character, a line break or a bidirectional override; remove it.";
  }
  const length = [...text.trim()].length;
  return length > longest ? `is ${length} characters long; use at most ${longest}.` : undefined;
}

/**
 * A display name as it is kept: trimmed and in NFC. Source: docs/catalogue.md, "Names". Never throws.
 */
export function normaliseName(name: string): string {
  return name.trim().normalize("NFC");
}

/**
 * What is wrong with a display name (1–120 characters once normalised, or another length, all of them seen), or undefined.
 * Never throws.
 */
export function faultInName(name: string, longest: number = LONGEST_NAME): string | undefined {
  const normalised = normaliseName(name);
  return faultInText(normalised, longest) ?? faultInVisibility(normalised);
}

/**
 * The normal form of an address that can be probed, or the fault in it. Only what the text alone
 * shows is judged: scheme, credentials, fragment, host. Never throws.
 */
export function readUrl(text: string): { readonly href: string } | { readonly fault: string } {
  if (text.length > LONGEST_URL)
    return { fault: `is over ${LONGEST_URL} characters long; shorten it.` };
  if (!/^https?:\/\/[^/?#]/i.test(text)) {
    return { fault: "not an absolute http or https URL; write it like https://example.ru/." };
  }
  if (/[\s\\]/.test(text) || !URL.canParse(text)) {
    return { fault: "not a valid URL; check its host, port and characters." };
  }
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    return { fault: "a URL may not carry credentials; remove what stands before the @." };
  }
  if (text.includes("#")) {
    return { fault: "a fragment is never sent to a server; remove the # and what follows." };
  }
  const { hostname, href } = new URL(text);
  const fault = faultInHostName(hostname);
  return fault === undefined ? { href } : { fault: `${fault}.` };
}

/** Whether `YYYY-MM-DD` names a day of the Gregorian calendar. Never throws. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1];
  return days !== undefined && day >= 1 && day <= days;
}
