import * as ids from "../../model/ids.ts";
import { type Cell, SLOT_COUNT } from "../registry/cell.ts";
import { P256_POINT } from "../../model/monitor/push-keys.ts";
import { isVantageName } from "../../engine/names.ts";
import { isCalendarDate, SECOND_MS } from "../../model/time.ts";

/* What the text of an option may be, and its value. Without zod, which would take a third of the time of `--help`. */

/** The value of a text, or what is wrong with it. */
type Reading<T> =
  | { readonly value: T }
  | {
      /** Follows the option and the text: `--port x: give …`. */
      readonly problem: string;
      /** It follows the option alone, because the text is in the message, or may be a secret. */
      readonly isBare?: boolean;
    };

export type Text<T> = (text: string) => Reading<T>;

/** A text that `read` understands. @param problem refuses any other, for which `read` returns undefined. */
export function readAs<T>(read: (text: string) => T | undefined, problem: string): Text<T> {
  return (text) => {
    const value = read(text);
    return value === undefined ? { problem } : { value };
  };
}

/** A text without a fault; `faultIn` says what to do about one. */
export function without(
  faultIn: (text: string) => string | undefined,
  isBare = false,
): Text<string> {
  return (text) => {
    const problem = faultIn(text);
    return problem === undefined ? { value: text } : { problem, isBare };
  };
}

/** A text that passes a test. */
export function matching(isGood: (text: string) => boolean, problem: string): Text<string> {
  return readAs((text) => (isGood(text) ? text : undefined), problem);
}

const MAX_DIGITS = 9_999_999;

/** Decimal digits, within bounds that the message names. @param unit what the value is counted in, such as `SECOND_MS`. */
export function wholeNumber(least: number, most = MAX_DIGITS, unit = 1): Text<number> {
  const range = most === MAX_DIGITS ? `${least}` : `${least} to ${most}`;
  return readAs((text) => {
    const value = Number(text);
    return /^\d{1,7}$/u.test(text) && value >= least && value <= most ? value * unit : undefined;
  }, `give a whole number from ${range}.`);
}

export const TEXT: Text<string> = (value) => ({ value });

export const AT_ONCE: Text<number> = wholeNumber(1, 1_024);

/** Timers overflow above 24 days and would fire at once. */
const MAX_SECONDS = 86_400;

/** Decimal seconds up to a day; undefined for anything else. */
function readSeconds(text: string): number | undefined {
  const value = Number(text);
  return /^\d+(\.\d+)?$/u.test(text) && value <= MAX_SECONDS ? value : undefined;
}

/** Decimal seconds, as milliseconds. */
export function seconds(isGood: (value: number) => boolean, sentence: string): Text<number> {
  return readAs((text) => {
    const value = readSeconds(text);
    return value !== undefined && isGood(value) ? value * SECOND_MS : undefined;
  }, sentence);
}

/** Seconds between two rounds of a command that runs until it is stopped. */
export const PERIOD: Text<number> = seconds(
  (value) => value >= 1,
  "give a number of seconds such as 300, from 1 to a day.",
);

/**
 * Default of `confirm`. Its last delay is only for services whose failure is doubtful; delays that the user gives apply to all.
 * Source: docs/probe/measurement.md, "Confirmation".
 */
export const DEFAULT_CONFIRM = "20,60,100,160";

/** Delays after the first attempt at which a change is probed again. */
export interface Confirmation {
  readonly confirmDelaysMs: readonly number[];
  /** One more, only for services whose failure is doubtful. */
  readonly doubtDelayMs?: number;
}

/** `SECONDS,…` ascending, or `none`. */
export const CONFIRMATION: Text<Confirmation> = readAs((text) => {
  if (text === "none") return { confirmDelaysMs: [] };
  const given = text.split(",").map((part) => readSeconds(part) ?? Number.NaN);
  if (!given.every((value, index) => value > (given[index - 1] ?? 0))) return undefined;
  const delaysMs = given.map((value) => value * SECOND_MS);
  const doubtDelayMs = text === DEFAULT_CONFIRM ? delaysMs.pop() : undefined;
  return { confirmDelaysMs: delaysMs, ...(doubtDelayMs === undefined ? {} : { doubtDelayMs }) };
}, "give ascending seconds such as 20,60,100, or none.");

/** One of a few words. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  sentence = `give one of ${words.join(", ")}.`,
): Text<Word> {
  return readAs((text) => words.find((word) => word === text), sentence);
}

export const SWITCH: Text<boolean> = readAs(
  (text) => (text === "on" || text === "off" ? text === "on" : undefined),
  "give on or off.",
);

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u;

/** RFC 3339, for example `2026-11-21T12:00:00Z` or with `+03:00`, as milliseconds since the epoch. */
export const TIME: Text<number> = readAs((text) => {
  const atMs = RFC_3339.test(text) ? Date.parse(text.replace(" ", "T").toUpperCase()) : Number.NaN;
  return isCalendarDate(text.slice(0, 10)) && atMs >= 0 ? atMs : undefined;
}, "give a time in RFC 3339 such as 2026-11-21T12:00:00Z.");

/** A month is only complete with all its days, and it takes a while to be over. */
const MIN_KEPT_DAYS = 40;

/** `forever`, or a number of days. */
export const KEPT_DAYS: Text<number | "forever"> = readAs((text) => {
  if (text === "forever") return text;
  const days = Number(text);
  return Number.isInteger(days) && days >= MIN_KEPT_DAYS ? days : undefined;
}, `give forever, or a number of days from ${MIN_KEPT_DAYS}.`);

export const SHARE: Text<number> = readAs(
  (text) => (/^\d+(\.\d+)?$/u.test(text) && Number(text) <= 1 ? Number(text) : undefined),
  "give a share from 0 to 1 such as 0.2.",
);

/** The public half of a key as `notify keygen` prints it; null for `off`: browsers are told no more. */
export const ALERTS_KEY: Text<string | null> = readAs((text) => {
  if (text === "off") return null;
  return P256_POINT.test(text) ? text : undefined;
}, "give the public key that `notify keygen` prints, or off.");

/** `n/K`: cell n, from 0, of K. */
export const CELL: Text<Cell> = readAs((text) => {
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/u.exec(text) ?? [];
  const cell = { number: Number(number), of: Number(of) };
  return cell.of >= 1 && cell.of <= SLOT_COUNT && cell.number < cell.of ? cell : undefined;
}, `give the number of the cell, from 0, and how many there are, such as 0/10; at most ${SLOT_COUNT}.`);

export const VANTAGE_ID: Text<string> = matching(
  (text) => ids.SLUG_FORM.test(text),
  "write it as in vantages.yaml, such as fra or spb-mobile.",
);

/** The limits are those of the registry of monitors. */
export const MONITOR_ID: Text<string> = matching(
  (text) => ids.MONITOR_ID.test(text),
  "give the id of a monitor, 1–64 of A–Z a–z 0–9 _ -.",
);

/** A place of workers in the subjects of an engine. */
export const ENGINE_PLACE: Text<string> = matching(
  isVantageName,
  "use at most 32 of the letters a–z, digits and hyphens.",
);
