import { isIP } from "node:net";
import { SECOND_MS } from "../model/time.ts";

/** A value, or the sentence that says what to mend. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

const MAX_CONCURRENCY = 1_024;

/** `N`: probes under way at once, 1–1,024. */
export function parseConcurrency(text: string): Parsed<number> {
  const value = Number(text);
  if (/^\d+$/u.test(text) && value >= 1 && value <= MAX_CONCURRENCY) return { value };
  return { problem: `--concurrency ${text}: give a whole number from 1 to ${MAX_CONCURRENCY}.` };
}

/** `SECONDS,…` ascending, or `none`. */
export function parseConfirm(text: string): Parsed<readonly number[]> {
  if (text === "none") return { value: [] };
  const seconds = text
    .split(",")
    .map((part) => (/^\d+(\.\d+)?$/u.test(part) ? Number(part) : Number.NaN));
  const isAscending = seconds.every((value, index) => value > (seconds[index - 1] ?? 0));
  if (isAscending) return { value: seconds.map((value) => value * SECOND_MS) };
  return { problem: `--confirm ${text}: give ascending seconds such as 20,60,100, or none.` };
}

/** `SECONDS`, more than 0. */
export function parseDeadline(text: string): Parsed<number> {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/u.test(text) && value > 0 && value <= 86_400)
    return { value: value * SECOND_MS };
  return { problem: `--deadline ${text}: give a number of seconds such as 240.` };
}

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/u;

/** RFC 3339, for example `2026-11-21T12:00:00Z` or with `+03:00`. */
export function parseAt(text: string): Parsed<number> {
  const atMs = RFC_3339.test(text) ? Date.parse(text.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (!Number.isNaN(atMs) && isRealDay(text) && atMs >= 0) return { value: atMs };
  return { problem: `--at ${text}: give a time in RFC 3339 such as 2026-11-21T12:00:00Z.` };
}

/** `Date.parse` takes 31 February for 3 March. */
function isRealDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number);
  return day !== undefined && day <= new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
}

export interface DnsServer {
  /** As c-ares takes it: `ADDR`, `ADDR:PORT`, `[ADDR6]:PORT`. */
  readonly server: string;
  readonly isTcp: boolean;
}

/** `ADDR[:PORT]`, IPv6 with a port in brackets; `tcp://` before it asks over TCP, which fewer middleboxes forge. */
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
