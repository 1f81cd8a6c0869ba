import { isIP } from "node:net";
import { isLogMode, LOG_MODES, type LogMode } from "./log.ts";
import { SECOND_MS } from "../model/time.ts";
import { type Line, LINES } from "../model/service/vantage.ts";
import { UsageError } from "./errors.ts";

/** A value, or a sentence on what to fix. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** Collects the problems of several settings, so that a user sees all of them at once. */
export interface ProblemCollector {
  /** The value; undefined if there is a problem, which is added. */
  readonly unwrap: <T>(parsed: Parsed<T>) => T | undefined;
  readonly addProblem: (problem: string) => void;
  /** Throws one `UsageError` with every problem; returns if there is none. */
  readonly throwIfAny: () => void;
}

export function collectProblems(): ProblemCollector {
  const problems: string[] = [];
  return {
    unwrap(parsed) {
      if ("value" in parsed) return parsed.value;
      problems.push(parsed.problem);
      return undefined;
    },
    addProblem: (problem) => void problems.push(problem),
    throwIfAny() {
      if (problems.length > 0) throw new UsageError(problems);
    },
  };
}

/** `parse` applied to an option that may be absent. */
export function ifGiven<T>(
  text: string | undefined,
  parse: (text: string) => Parsed<T>,
): Parsed<T | undefined> {
  return text === undefined ? { value: undefined } : parse(text);
}

const MAX_CONCURRENCY = 1_024;

/** One day. Timers overflow above 24 days and would fire at once. */
const MAX_SECONDS = 86_400;

/** `N` at once, 1–1,024. */
export function parseConcurrency(option: string, text: string): Parsed<number> {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= 1 && value <= MAX_CONCURRENCY) return { value };
  return { problem: `${option} ${text}: give a whole number from 1 to ${MAX_CONCURRENCY}.` };
}

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
export function parseConfirm(text: string): Parsed<Confirmation> {
  if (text === "none") return { value: { confirmDelaysMs: [] } };
  const seconds = text.split(",").map((part) => readSeconds(part) ?? Number.NaN);
  const isAscending = seconds.every((value, index) => value > (seconds[index - 1] ?? 0));
  const delaysMs = seconds.map((value) => value * SECOND_MS);
  const doubtDelayMs = text === DEFAULT_CONFIRM ? delaysMs.pop() : undefined;
  if (isAscending)
    return {
      value: {
        confirmDelaysMs: delaysMs,
        ...(doubtDelayMs === undefined ? {} : { doubtDelayMs }),
      },
    };
  return { problem: `--confirm ${text}: give ascending seconds such as 20,60,100, or none.` };
}

/** `SECONDS`, more than 0 and at most a day. */
export function parseDeadline(text: string): Parsed<number> {
  const seconds = readSeconds(text);
  if (seconds !== undefined && seconds > 0) return { value: seconds * SECOND_MS };
  return { problem: `--deadline ${text}: give a number of seconds such as 240, at most a day.` };
}

/** The line of a machine. */
export function parseLine(text: string): Parsed<Line> {
  const line = LINES.find((one) => one === text);
  return line === undefined
    ? { problem: `--line ${text}: give one of ${LINES.join(", ")}.` }
    : { value: line };
}

/** `SECONDS` between two rounds, from 0 to a day. */
export function parsePause(text: string): Parsed<number> {
  const seconds = readSeconds(text);
  if (seconds !== undefined) return { value: seconds * SECOND_MS };
  return { problem: `--pause ${text}: give a number of seconds such as 60, at most a day.` };
}

/** `SECONDS` between runs, from 1 to a day. */
export function parseEvery(text: string): Parsed<number> {
  const seconds = readSeconds(text);
  if (seconds !== undefined && seconds >= 1) return { value: seconds * SECOND_MS };
  return { problem: `--every ${text}: give a number of seconds such as 300, from 1 to a day.` };
}

/** Decimal seconds up to a day; undefined for anything else. */
function readSeconds(text: string): number | undefined {
  const value = Number(text);
  return /^\d+(\.\d+)?$/u.test(text) && value <= MAX_SECONDS ? value : undefined;
}

/** A TCP port, or 0 for any that is free. */
export function parsePort(text: string, option = "--port"): Parsed<number> {
  const value = Number(text);
  if (/^\d{1,5}$/u.test(text) && value <= 65_535) return { value };
  return { problem: `${option} ${text}: give a port number up to 65535, 0 for any that is free.` };
}

/** A host name in ASCII. Source: RFC 1123, section 2.1; names with underscores are in use as well. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/iu;
const MAX_HOST_NAME_LENGTH = 253;

/** Address or name of an interface to listen on. Empty text is refused, because Node would listen on every address. */
export function parseHost(text: string): Parsed<string> {
  if (isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= MAX_HOST_NAME_LENGTH))
    return { value: text };
  return {
    problem: `--host ${text}: give an address such as 127.0.0.1 or ::1, or a host name, without a scheme, a port or brackets.`,
  };
}

/** One of the modes of the log. */
export function parseLogMode(text: string): Parsed<LogMode> {
  if (isLogMode(text)) return { value: text };
  return { problem: `--log ${text}: give one of ${LOG_MODES.join(", ")}.` };
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u;

/** RFC 3339, for example `2026-11-21T12:00:00Z` or with `+03:00`. */
export function parseAt(text: string): Parsed<number> {
  const atMs = RFC_3339.test(text) ? Date.parse(text.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (!Number.isNaN(atMs) && isRealDay(text) && atMs >= 0) return { value: atMs };
  return { problem: `--at ${text}: give a time in RFC 3339 such as 2026-11-21T12:00:00Z.` };
}

/** `Date.parse` reads 31 February as 3 March. */
function isRealDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number);
  return day !== undefined && day <= new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
}

export interface DnsServer {
  /** In the format of c-ares: `ADDR`, `ADDR:PORT`, `[ADDR6]:PORT`. */
  readonly server: string;
  readonly isTcp: boolean;
}

/** `ADDR[:PORT]`, IPv6 with a port in brackets; the prefix `tcp://` queries over TCP, which fewer middleboxes forge. */
export function parseDns(text: string): Parsed<DnsServer> {
  const isTcp = text.startsWith("tcp://");
  const server = isTcp ? text.slice("tcp://".length) : text;
  const match =
    /^(?:\[(?<bracketed>[^\]]+)\](?::(?<port6>\d{1,5}))?|(?<plain>[^:]+)(?::(?<port4>\d{1,5}))?)$/u.exec(
      server,
    );
  const address =
    isIP(server) === 0 ? (match?.groups?.["bracketed"] ?? match?.groups?.["plain"] ?? "") : server;
  const port = Number(match?.groups?.["port6"] ?? match?.groups?.["port4"] ?? 53);
  if (isIP(address) !== 0 && port >= 1 && port <= 65_535) return { value: { server, isTcp } };
  return {
    problem: `--dns ${text}: give the address of a resolver, ADDR[:PORT] or tcp://ADDR[:PORT].`,
  };
}

/** A month is only complete with all its days, and it takes a while to be over. */
const MIN_KEPT_DAYS = 40;

/** `forever`, or a number of days. */
export function parseKeepArchive(text: string): Parsed<{ readonly days?: number }> {
  if (text === "forever") return { value: {} };
  const days = Number(text);
  if (Number.isInteger(days) && days >= MIN_KEPT_DAYS) return { value: { days } };
  return {
    problem: `--keep-archive ${text}: give forever, or a number of days from ${MIN_KEPT_DAYS}.`,
  };
}

/** `SHARE`, 0–1; `--force` makes it 1. */
export function parseRemovalShare(text: string, isForced: boolean): Parsed<number> {
  const value = Number(text);
  if (!/^\d+(\.\d+)?$/u.test(text) || value > 1) {
    return { problem: `--max-removals ${text}: give a share from 0 to 1 such as 0.2.` };
  }
  return { value: isForced ? 1 : value };
}

/** `URL` under which the documents are served; the result has no trailing slash. */
export function parseBaseUrl(text: string): Parsed<string> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // It is published in every page, so credentials would leak; the message does not repeat them either.
  if (url !== undefined && `${url.username}${url.password}` !== "")
    return { problem: "--base-url: give a URL without a user name and a password." };
  if (url !== undefined && /^https?:$/u.test(url.protocol) && `${url.search}${url.hash}` === "") {
    return { value: url.href.replace(/\/+$/u, "") };
  }
  return { problem: `--base-url ${text}: give a URL such as https://status.example.ru.` };
}
