import { randomBytes } from "node:crypto";
import { checkBadges } from "./badges/badge.ts";
import { provokeThrottling } from "./burst.ts";
import { type Client, createVerifyClient } from "./http/client.ts";
import { checkData } from "./data/data.ts";
import { checkListFreshness, readClock } from "./http/freshness.ts";
import { checkConditional } from "./http/conditional.ts";
import { checkAgreement, checkDetails, readDetails } from "./api/details.ts";
import {
  describeExchange,
  describeFailure,
  type Exchange,
  headerOf,
  ORIGIN,
  type Transport,
} from "./http/http-exchange.ts";
import {
  completeChecks,
  type CheckFinding,
  toFinding,
  skip,
  skipGroup,
  type VerifyReport,
} from "./finding.ts";
import { findCorsProblems, checkHeaders } from "./http/headers.ts";
import { checkList, readList } from "./api/list.ts";
import { checkHead, checkOptionsMethod, checkRefusals } from "./http/methods.ts";
import { checkMissing, readMissing } from "./api/not-found.ts";
import { checkPaths } from "./api/paths.ts";
import type { CheckId } from "./api/checks.ts";
import { checkSite } from "./site/check-site.ts";
import { detailPath, LIST_PATH } from "./api/specification.ts";
import { checkEncoding, checkQuery } from "./http/variants.ts";

export interface VerifyOptions {
  /** Expected number of services in the list. */
  readonly expectedServices: number;
  /** Id of a public monitor; without it the badge checks are skipped. */
  readonly badgeId?: string | undefined;
  /** Skips the checks of the website. */
  readonly isApiOnly?: boolean;
  /** Maximum age of `updated`. */
  readonly maxAgeMs: number;
  /** Opens what carries the requests; it is closed at the end. */
  readonly connect: (baseUrl: URL, timeoutMs: number) => Transport;
  /** Bounds one request. */
  readonly timeoutMs: number;
  /** Bounds all checks together. */
  readonly totalMs: number;
  /** Documents that disagree are read again after each of these: a publish or a cache may be the reason. */
  readonly settleWaitsMs: readonly number[];
  /** Called before each of these waits, with the check that waits. */
  readonly onSettle?: (id: CheckId, waitMs: number) => void;
  /** Maximum number of additional requests to provoke a 429; default 0. */
  readonly burstRequests?: number;
  /** The wall clock. */
  readonly wallMs: () => number;
  /** Ends all checks at once; unfinished ones fail or are skipped. */
  readonly signal: AbortSignal;
}

/**
 * Checks a deployment as its clients see it. It sends about 60 requests, one for each service, 25 for open data, 27 for the
 * website and 30 for badges, at most eight at once. Never throws for errors of the network or the server: they fail checks. Source of
 * the checks: docs/verify.md.
 */
export async function verify(baseUrl: URL, options: VerifyOptions): Promise<VerifyReport> {
  const startedMs = performance.now();
  const whole = new AbortController();
  const timer = setTimeout(() => whole.abort("whole-timeout"), options.totalMs);
  const signal = AbortSignal.any([options.signal, whole.signal]);
  const transport = options.connect(baseUrl, options.timeoutMs);
  const client = createVerifyClient(transport, { timeoutMs: options.timeoutMs, signal });
  try {
    const base = baseUrl.href.replace(/\/+$/u, "");
    const { findings, whyMissing } = await checkAll(client, base, options, signal);
    const checks = completeChecks(findings, whyMissing);
    const count = (result: CheckFinding["result"]): number =>
      checks.filter((check) => check.result === result).length;
    return {
      baseUrl: base,
      checkedAtMs: options.wallMs(),
      durationMs: Math.round(performance.now() - startedMs),
      requests: client.tally.requests,
      passed: count("pass"),
      failed: count("fail"),
      skipped: count("skip"),
      checks: checks,
    };
  } finally {
    clearTimeout(timer);
    await transport.close();
  }
}

interface Checked {
  readonly findings: readonly CheckFinding[];
  /** Reason for checks without a finding. */
  readonly whyMissing: string;
}

async function checkAll(
  client: Client,
  base: string,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Checked> {
  const random = randomBytes(6).toString("hex");
  const get = (headers?: Readonly<Record<string, string>>): Promise<Exchange> =>
    client.send({ method: "GET", target: LIST_PATH, ...(headers && { headers }) });
  const lists = await Promise.all([get(), get(ORIGIN)]);
  const list = readList(lists[0]);
  const listFindings = [
    ...checkList(lists, list, options.expectedServices),
    ...checkHeaders("list", lists),
  ];
  const trouble = lists.every((exchange) => exchange.kind === "trouble") ? lists[0] : undefined;
  if (trouble?.kind === "trouble") {
    return { findings: listFindings, whyMissing: describeFailure(trouble.code) };
  }
  const missing = await readMissing(client, `no-such-${random}`);
  const clock = readClock(missing[0], options.wallMs());
  const seen = { list, missing, clock, random };
  const groups = await checkGroups(client, base, seen, options, signal);
  await provokeThrottling(client, options.burstRequests ?? 0);
  return {
    findings: [
      ...listFindings,
      checkListFreshness(list, clock, options.maxAgeMs),
      ...groups.flat(),
      // Last, because they check all responses before.
      toFinding("redirects.none", client.tally.redirects, `${client.tally.requests} requests`),
      checkThrottling(client),
    ],
    whyMissing: "the document or response to check could not be read",
  };
}

/** Results that the other checks need. */
interface Seen {
  readonly list: ReturnType<typeof readList>;
  readonly missing: Awaited<ReturnType<typeof readMissing>>;
  readonly clock: ReturnType<typeof readClock>;
  /** Part of names of which no object exists. */
  readonly random: string;
}

/** Runs the checks that need only the list, concurrently. */
async function checkGroups(
  client: Client,
  base: string,
  { list, missing, clock, random }: Seen,
  options: VerifyOptions,
  signal: AbortSignal,
) {
  const unknown = `no-such-${random}`;
  const slugs = [...list.entries.keys()];
  const [sample] = slugs;
  return await Promise.all([
    checkMissing(client, missing, unknown),
    checkRefusals(client, unknown),
    sample === undefined ? [] : checkServices(client, slugs, list, clock, options, signal),
    sample === undefined ? [] : checkSample(client, detailPath(sample)),
    checkPaths(client, sample ?? unknown),
    options.badgeId === undefined
      ? skipGroup("badge", "give a public monitor with --badge ID")
      : checkBadges(client, options.badgeId, { ...options, signal }),
    options.isApiOnly === true
      ? skipGroup("site", "--api-only was given")
      : checkSite(client, { base, slugs, unknown: `nothing-${random}` }),
    checkData(client, { list, clock }, { ...options, signal }),
    checkOptionsMethod(client).then((finding) => [finding]),
    list.answer === undefined ? [] : checkListVariants(client),
  ]);
}

async function checkServices(
  client: Client,
  slugs: readonly string[],
  list: ReturnType<typeof readList>,
  clock: ReturnType<typeof readClock>,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<readonly CheckFinding[]> {
  const details = await readDetails(client, slugs);
  const all = [...details.exchanges.values(), ...(details.withOrigin ? [details.withOrigin] : [])];
  return [
    ...checkDetails(details, clock),
    ...checkHeaders("detail", all),
    await checkAgreement(client, list, details, { ...options, signal }),
  ];
}

function checkSample(client: Client, target: string): Promise<readonly CheckFinding[]> {
  return Promise.all([
    checkHead(client, "detail.head", target),
    checkConditional(client, "detail.conditional", target),
  ]);
}

function checkListVariants(client: Client): Promise<readonly CheckFinding[]> {
  return Promise.all([
    checkHead(client, "list.head", LIST_PATH),
    checkConditional(client, "list.conditional", LIST_PATH),
    checkEncoding(client),
    checkQuery(client),
  ]);
}

function checkThrottling({ tally }: Client): CheckFinding {
  const [first] = tally.throttled;
  if (first === undefined) return skip("rate-limit", "no response was HTTP 429");
  const problems = tally.throttled.flatMap((answer) => [
    ...findCorsProblems(answer),
    ...(headerOf(answer, "retry-after") === undefined ? ["no Retry-After"] : []),
  ]);
  return toFinding(
    "rate-limit",
    [...new Set(problems)].map((problem) => `${describeExchange(first)}: ${problem}`),
    `${tally.throttled.length} responses were 429`,
  );
}
