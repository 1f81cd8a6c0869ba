import { faultInHostName, MAX_URL_CHARACTERS } from "../model/host-name.ts";
import { faultInVisibility } from "./visible-text.ts";

/** Control characters, line and paragraph separators, and bidirectional overrides. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069\p{Surrogate}]/u;

const MAX_NAME = 120;

/** What is wrong with a one-line text of at most `maxLength` characters, or undefined. Never throws. */
export function faultInText(text: string, maxLength: number): string | undefined {
  if (text.trim() === "") return "is empty; write something here.";
  if (CONTROLS.test(text)) {
    return "contains a control character, a line break or a bidirectional override; remove it.";
  }
  const length = [...text.trim()].length;
  return length > maxLength ? `is ${length} characters long; use at most ${maxLength}.` : undefined;
}

/** A display name as it is stored: trimmed and in NFC. Source: docs/services/catalogue.md, "Names". Never throws. */
export function normaliseName(name: string): string {
  return name.trim().normalize("NFC");
}

/**
 * What is wrong with a display name, or undefined: it has 1 to `maxLength` characters after normalisation and no fault in
 * visibility.
 * Never throws.
 */
export function faultInName(name: string, maxLength: number = MAX_NAME): string | undefined {
  const normalised = normaliseName(name);
  return faultInText(normalised, maxLength) ?? faultInVisibility(normalised);
}

/**
 * The normal form of a URL that can be probed, or the fault in it. Checks only the text: scheme, credentials, fragment, host.
 * Never throws.
 */
export function readUrl(text: string): { readonly href: string } | { readonly fault: string } {
  if (text.length > MAX_URL_CHARACTERS)
    return { fault: `is over ${MAX_URL_CHARACTERS} characters long; shorten it.` };
  if (!/^https?:\/\/[^/?#]/i.test(text)) {
    return { fault: "not an absolute http or https URL; write it like https://example.ru/." };
  }
  if (/[\s\\]/.test(text) || !URL.canParse(text)) {
    return { fault: "not a valid URL; check its host, port and characters." };
  }
  if (/^https?:\/\/[^/?#]*@/i.test(text)) {
    return { fault: "a URL may not carry credentials; remove everything before the @." };
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
