import { isIP } from "node:net";
import { isVantageName } from "../../engine/names.ts";
import { readProxies } from "../../http-server/client-address.ts";
import type { Anchor } from "../../model/service/catalogue.ts";
import { isCalendarDate, SECOND_MS } from "../../model/time.ts";
import { createGuard } from "../../probe/network/address-guard.ts";
import { parseLocation } from "../../store/location.ts";
import { readUrl } from "../../yaml/validators.ts";
import { P256_POINT } from "../../model/monitor/visitor.ts";

/*
 * What the text of an option may be, and its value. Without zod, which would take a third of the time of `--help`.
 */

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
function readAs<T>(read: (text: string) => T | undefined, problem: string): Text<T> {
  return (text) => {
    const value = read(text);
    return value === undefined ? { problem } : { value };
  };
}

/** A text without a fault; `faultIn` says what to do about one. */
function without(faultIn: (text: string) => string | undefined, isBare = false): Text<string> {
  return (text) => {
    const problem = faultIn(text);
    return problem === undefined ? { value: text } : { problem, isBare };
  };
}

/** The value of a text, made of that of another kind. */
function mapped<T, Value>(parse: Text<T>, valueOf: (value: T) => Value): Text<Value> {
  return (text) => {
    const read = parse(text);
    return "value" in read ? { value: valueOf(read.value) } : read;
  };
}

const toHref = (text: string): string => new URL(text).href;

/** A text that passes a test. */
function matching(isGood: (text: string) => boolean, problem: string): Text<string> {
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
 * Default of `--confirm`. Its last delay is only for services whose failure is doubtful; delays that the user gives apply to all.
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

function readPort(text: string, least: number): number | undefined {
  const value = Number(text);
  return /^\d{1,5}$/u.test(text) && value >= least && value <= 65_535 ? value : undefined;
}

/** A TCP port, or 0 for any that is free. */
export const PORT: Text<number> = readAs(
  (text) => readPort(text, 0),
  "give a port number up to 65535, 0 for any that is free.",
);

/** A port that a monitor may name. */
export const TARGET_PORT: Text<number> = readAs(
  (text) => readPort(text, 1),
  "give a port number from 1 to 65535.",
);

/** A host name in ASCII. Source: RFC 1123, section 2.1; names with underscores are in use as well. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/iu;
const MAX_HOST_NAME_LENGTH = 253;

/** Address or name of an interface to listen on. Empty text is refused, because Node would listen on every address. */
export const HOST: Text<string> = matching(
  (text) => isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= MAX_HOST_NAME_LENGTH),
  "give an address such as 127.0.0.1 or ::1, or a host name, without a scheme, a port or brackets.",
);

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u;

/** RFC 3339, for example `2026-11-21T12:00:00Z` or with `+03:00`, as milliseconds since the epoch. */
export const TIME: Text<number> = readAs((text) => {
  const atMs = RFC_3339.test(text) ? Date.parse(text.replace(" ", "T").toUpperCase()) : Number.NaN;
  return isCalendarDate(text.slice(0, 10)) && atMs >= 0 ? atMs : undefined;
}, "give a time in RFC 3339 such as 2026-11-21T12:00:00Z.");

export interface DnsServer {
  /** In the format of c-ares: `ADDR`, `ADDR:PORT`, `[ADDR6]:PORT`. */
  readonly server: string;
  readonly isTcp: boolean;
}

const ADDRESS_AND_PORT =
  /^(?:\[(?<bracketed>[^\]]+)\](?::(?<port6>\d{1,5}))?|(?<plain>[^:]+)(?::(?<port4>\d{1,5}))?)$/u;

/** `ADDR[:PORT]`, IPv6 with a port in brackets; the prefix `tcp://` queries over TCP, which fewer middleboxes forge. */
export const RESOLVER: Text<DnsServer> = readAs((text) => {
  const isTcp = text.startsWith("tcp://");
  const server = isTcp ? text.slice("tcp://".length) : text;
  const { bracketed, plain, port6, port4 } = ADDRESS_AND_PORT.exec(server)?.groups ?? {};
  const address = isIP(server) === 0 ? (bracketed ?? plain ?? "") : server;
  const port = readPort(port6 ?? port4 ?? "53", 1);
  return isIP(address) !== 0 && port !== undefined ? { server, isTcp } : undefined;
}, "give the address of a resolver, ADDR[:PORT] or tcp://ADDR[:PORT].");

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

function readHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/u.test(url.protocol) ? url : undefined;
}

function hasCredentials(url: URL | undefined): boolean {
  return url !== undefined && `${url.username}${url.password}` !== "";
}

/** The URL of a website or an API, without credentials, query and fragment; undefined: it is none. */
export function readPlainUrl(text: string): URL | undefined {
  const url = readHttpUrl(text);
  return url !== undefined && `${url.search}${url.hash}` === "" && !hasCredentials(url)
    ? url
    : undefined;
}

/** A base URL without a slash at its end; undefined: it is none. */
function readBaseUrl(text: string): string | undefined {
  return readPlainUrl(text)?.href.replace(/\/+$/u, "");
}

/** URL under which the documents are served, without a slash at its end. */
export const BASE_URL: Text<string> = (text) =>
  // It is published in every page, so credentials would leak.
  hasCredentials(URL.canParse(text) ? new URL(text) : undefined)
    ? { problem: "give a URL without a user name and a password.", isBare: true }
    : readAs(readBaseUrl, "give a URL such as https://status.example.ru.")(text);

/** The address of a website, or of its log of changes. */
export const CHANGES_URL: Text<string> = mapped(
  without(
    (text) =>
      readPlainUrl(text) === undefined
        ? "give the address of the website, or of its changes/v1.json, such as https://status.example."
        : undefined,
    true,
  ),
  toHref,
);

/** The path of a heartbeat may be a secret. */
export const HEARTBEAT_URL: Text<string> = mapped(
  without((text) => {
    const url = readHttpUrl(text);
    if (url === undefined) return "give a complete address that begins with https:// or http://.";
    return hasCredentials(url)
      ? "user and password in the address are not sent. Leave them out."
      : undefined;
  }, true),
  toHref,
);

/** `on` is an empty URL: the website itself; `off` is null; otherwise the base URL of an intake. */
export const REPORTS: Text<string | null> = readAs((text) => {
  if (text === "on") return "";
  return text === "off" ? null : readBaseUrl(text);
}, "give on, off, or a URL such as https://reports.example.ru.");

/** The public half of a key as `notify keygen` prints it; null for `off`: browsers are told no more. */
export const ALERTS_KEY: Text<string | null> = readAs((text) => {
  if (text === "off") return null;
  return P256_POINT.test(text) ? text : undefined;
}, "give the public key that `notify keygen` prints, or off.");

/** A part of the monitors with a publisher and a state of its own. */
export interface Cell {
  /** From 0. */
  readonly number: number;
  /** Number of cells. */
  readonly of: number;
}

/** As many as 12 bits can tell apart. */
const MAX_CELLS = 4_096;

/** `n/K`: cell n, from 0, of K. */
export const CELL: Text<Cell> = readAs((text) => {
  const [, number, of] = /^(\d{1,4})\/(\d{1,4})$/u.exec(text) ?? [];
  const cell = { number: Number(number), of: Number(of) };
  return cell.of >= 1 && cell.of <= MAX_CELLS && cell.number < cell.of ? cell : undefined;
}, `give the number of the cell, from 0, and how many there are, such as 0/10; at most ${MAX_CELLS}.`);

/** The URL of a store; what is wrong with it is told with the URL. */
export const STORE_URL: Text<string> = without((url) => {
  const location = parseLocation(url);
  return location.kind === "unknown" ? location.problem : undefined;
}, true);

/** A listener between two machines could read the URLs of private monitors, and forge results. */
export const ENGINE_URL: Text<string> = without((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["nats:", "tls:"].includes(url.protocol) || url.host === "")
    return "write it like tls://nats.example.ru:4222, on this machine nats://127.0.0.1:4222.";
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(url.hostname);
  if (url.protocol === "nats:" && !isHere) return "to another machine only tls:// is used.";
  return hasCredentials(url)
    ? "give a password or a key as --engine-credentials, not in the URL."
    : undefined;
});

export const VANTAGE_ID: Text<string> = matching(
  (text) => /^[a-z0-9]+(-[a-z0-9]+)*$/u.test(text),
  "write it as in vantages.yaml, such as fra or spb-mobile.",
);

/** The limits are those of the registry of monitors. */
export const MONITOR_ID: Text<string> = matching(
  (text) => /^[A-Za-z0-9_-]{1,64}$/u.test(text),
  "give the id of a monitor, 1–64 of A–Z a–z 0–9 _ -.",
);

/** A place of workers in the subjects of an engine. */
export const ENGINE_PLACE: Text<string> = matching(
  isVantageName,
  "use at most 32 of the letters a–z, digits and hyphens.",
);

/** A host that tells whether a machine is online. Each counts as a network of its own. */
export const ANCHOR: Text<Anchor> = mapped(
  without((text) => {
    const read = readUrl(text);
    return "fault" in read ? read.fault : undefined;
  }),
  (text) => ({ url: toHref(text), scope: "domestic", network: new URL(text).hostname }),
);

export const RANGE: Text<string> = without((text) => {
  try {
    createGuard([text]);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}, true);

/** The address of a proxy, or a range of them. */
export const PROXY: Text<string> = without((text) => {
  const read = readProxies([text]);
  return read.kind === "ok" ? undefined : read.message.slice(`${text}: `.length);
});

/** As in `Origin`. */
export const ORIGIN: Text<string> = matching(
  (text) => URL.canParse(text) && new URL(text).origin === text,
  "write an origin such as https://example.ru, without a path.",
);
