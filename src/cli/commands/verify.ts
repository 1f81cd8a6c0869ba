import type { Log } from "../../setup/log.ts";
import { MINUTE_MS, SECOND_MS } from "../../model/time.ts";
import { renderVerify } from "../output/verify-table.ts";
import { connectSockets } from "../../verify/http/sockets.ts";
import { BURST_REQUESTS, verify } from "../../verify/verify.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Io } from "../../setup/io.ts";
import type { Parsed } from "../../setup/parse-options.ts";

export interface VerifyFlags {
  /** Number of services in the list. */
  readonly expect: string;
  /** Id of a public monitor. */
  readonly badge?: string;
  /** Greatest age of `updated`, in seconds. */
  readonly maxAge?: string;
  /** For one request, in seconds. */
  readonly timeout?: string;
  readonly apiOnly?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

const TOTAL_MS = 2 * MINUTE_MS;
const MAX_AGE_S = "900";
const TIMEOUT_S = "10";

/** At once, in case a publish came between the reads; and after every cache entry has expired. */
const SETTLE_WAITS_MS = [0, 61 * SECOND_MS];

/** `verify`: checks a live deployment against the specification. Exit code 1 if a check fails. Throws `UsageError`. */
export async function verifyCommand(
  baseUrl: string,
  flags: VerifyFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const url = parseBaseUrl(baseUrl);
  const expected = parseCount("--expect", flags.expect, 0);
  const maxAge = parseCount("--max-age", flags.maxAge ?? MAX_AGE_S, 1);
  const timeout = parseCount("--timeout", flags.timeout ?? TIMEOUT_S, 1);
  const badge = parseBadge(flags.badge);
  const problems = [url, expected, maxAge, timeout, badge].flatMap((one) =>
    "problem" in one ? [one.problem] : [],
  );
  if (
    "problem" in url ||
    "problem" in expected ||
    "problem" in maxAge ||
    "problem" in timeout ||
    "problem" in badge
  ) {
    throw new UsageError(problems);
  }
  const report = await verify(url.value, {
    expectedServices: expected.value,
    badgeId: badge.value,
    isApiOnly: flags.apiOnly === true,
    maxAgeMs: maxAge.value * SECOND_MS,
    connect: connectSockets,
    timeoutMs: timeout.value * SECOND_MS,
    totalMs: TOTAL_MS,
    settleWaitsMs: SETTLE_WAITS_MS,
    burstRequests: BURST_REQUESTS,
    onSettle: (id, waitMs) => {
      if (waitMs > 0)
        log.warn(
          `${id}: documents disagree. A cache may be the reason, so they are read again in ${waitMs / SECOND_MS} s.`,
        );
    },
    wallMs: io.wallMs,
    signal: io.stop,
  });
  io.print(
    flags.json === true
      ? JSON.stringify(report, undefined, 2)
      : renderVerify(report, flags.all === true),
  );
  return report.failed === 0 ? 0 : 1;
}

function parseBaseUrl(text: string): Parsed<URL> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url !== undefined &&
    /^https?:$/u.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "";
  if (isBase) return { value: url };
  return {
    problem: `${text}: give the address of the API, without credentials, query or fragment, such as https://status.example.`,
  };
}

function parseCount(option: string, text: string, least: number): Parsed<number> {
  const value = Number(text);
  if (/^\d{1,7}$/u.test(text) && value >= least) return { value };
  return { problem: `${option} ${text}: give a whole number from ${least}.` };
}

/** The limits are those of the registry of monitors. */
function parseBadge(text: string | undefined): Parsed<string | undefined> {
  if (text === undefined || /^[A-Za-z0-9_-]{1,64}$/u.test(text)) return { value: text };
  return { problem: `--badge ${text}: give the id of a monitor, 1–64 of A–Z a–z 0–9 _ -.` };
}
