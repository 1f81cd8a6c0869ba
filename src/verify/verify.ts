import { randomBytes } from "node:crypto";
import { judgeBadges } from "./badge.ts";
import { provokeThrottling } from "./burst.ts";
import { type Client, createClient } from "./client.ts";
import { judgeFreshness, readClock } from "./clock.ts";
import { judgeConditional } from "./conditional.ts";
import { judgeAgreement, judgeDetails, readDetails } from "./details.ts";
import { describeExchange, describeTrouble, type Exchange, headerOf, ORIGIN } from "./exchange.ts";
import { completePoints, type Finding, judge, skip, type VerifyReport } from "./finding.ts";
import { findCorsProblems, judgeHeaders } from "./headers.ts";
import { judgeList, readList } from "./list.ts";
import { judgeHead, judgeOptions, judgeRefusals } from "./methods.ts";
import { judgeMissing, readMissing } from "./missing.ts";
import { judgePaths } from "./paths.ts";
import { POINTS } from "./points.ts";
import { judgeSite, skipSite } from "./site.ts";
import { detailPath, LIST_PATH } from "./specification.ts";
import { judgeEncoding, judgeQuery } from "./variants.ts";

export interface VerifyOptions {
  /** How many services the list has. */
  readonly expectedServices: number;
  /** Id of a monitor whose page is public; without one badges are not looked at. */
  readonly badgeId?: string | undefined;
  /** Nobody promises a website: it is not looked at. */
  readonly isApiOnly?: boolean;
  /** How old `updated` may be. */
  readonly maxAgeMs: number;
  /** Bounds one request. */
  readonly timeoutMs: number;
  /** Bounds everything. */
  readonly totalMs: number;
  /** List and details, or badges, that disagree are read again after each of these, since a publish or a cache can come between them. */
  readonly settleWaitsMs: readonly number[];
  /** Told before each of those waits that list and details need. */
  readonly onSettle?: (waitMs: number) => void;
  /** How many requests more may be sent to see a 429; none unless given. */
  readonly burstRequests?: number;
  /** The wall clock. */
  readonly wallMs: () => number;
  /** Ends the check at once; what is not decided by then fails or is skipped. */
  readonly signal: AbortSignal;
}

/**
 * Checks a deployment against the specification as a client would see it, point by point. Reads the list, every detail and
 * some 60 other things, some 20 of the website, some 30 more for badges, at most eight at once. Never throws for what the network or
 * the server does: that is a point which fails. Source of the points: `docs/verify.md`.
 */
export async function verify(baseUrl: URL, options: VerifyOptions): Promise<VerifyReport> {
  const startedMs = performance.now();
  const whole = new AbortController();
  const timer = setTimeout(() => whole.abort("whole-timeout"), options.totalMs);
  const signal = AbortSignal.any([options.signal, whole.signal]);
  const client = createClient(baseUrl, { timeoutMs: options.timeoutMs, signal });
  try {
    const base = baseUrl.href.replace(/\/+$/u, "");
    const { findings, whyMissing } = await judgeAll(client, base, options, signal);
    const points = completePoints(findings, whyMissing);
    const count = (result: Finding["result"]): number =>
      points.filter((point) => point.result === result).length;
    return {
      baseUrl: base,
      checkedAtMs: options.wallMs(),
      durationMs: Math.round(performance.now() - startedMs),
      requests: client.tally.requests,
      passed: count("pass"),
      failed: count("fail"),
      skipped: count("skip"),
      points,
    };
  } finally {
    clearTimeout(timer);
    await client.close();
  }
}

interface Judged {
  readonly findings: readonly Finding[];
  /** Why the other points have no finding. */
  readonly whyMissing: string;
}

async function judgeAll(
  client: Client,
  base: string,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Judged> {
  const random = randomBytes(6).toString("hex");
  const get = (headers?: Readonly<Record<string, string>>): Promise<Exchange> =>
    client.send({ method: "GET", target: LIST_PATH, ...(headers && { headers }) });
  const lists = await Promise.all([get(), get(ORIGIN)]);
  const list = readList(lists[0]);
  const listFindings = [
    ...judgeList(lists, list, options.expectedServices),
    ...judgeHeaders("list", lists),
  ];
  const trouble = lists.every((exchange) => exchange.kind === "trouble") ? lists[0] : undefined;
  if (trouble?.kind === "trouble") {
    return { findings: listFindings, whyMissing: describeTrouble(trouble.code) };
  }
  const missing = await readMissing(client, `no-such-${random}`);
  const clock = readClock(missing[0], options.wallMs());
  const seen = { list, missing, clock, random };
  const groups = await judgeGroups(client, base, seen, options, signal);
  await provokeThrottling(client, options.burstRequests ?? 0);
  return {
    findings: [
      ...listFindings,
      judgeFreshness(list, clock, options.maxAgeMs),
      ...groups.flat(),
      // Last, since they are about every answer that came before.
      judge("redirects.none", client.tally.redirects, `${client.tally.requests} requests`),
      judgeThrottling(client),
    ],
    whyMissing: "what it is about could not be read",
  };
}

/** What the other points rest on. */
interface Seen {
  readonly list: ReturnType<typeof readList>;
  readonly missing: Awaited<ReturnType<typeof readMissing>>;
  readonly clock: ReturnType<typeof readClock>;
  /** Part of names that no object has. */
  readonly random: string;
}

/** All points that need the list and no other one, at once. */
async function judgeGroups(
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
    judgeMissing(client, missing, unknown),
    judgeRefusals(client, unknown),
    sample === undefined ? [] : judgeServices(client, slugs, list, clock, options, signal),
    sample === undefined ? [] : judgeSample(client, detailPath(sample)),
    judgePaths(client, sample ?? unknown),
    options.badgeId === undefined
      ? skipBadge()
      : judgeBadges(client, options.badgeId, { ...options, signal }),
    options.isApiOnly === true
      ? skipSite("--api-only was given")
      : judgeSite(client, { base, slugs, unknown: `nothing-${random}` }),
    judgeOptions(client).then((finding) => [finding]),
    list.answer === undefined ? [] : judgeListVariants(client),
  ]);
}

async function judgeServices(
  client: Client,
  slugs: readonly string[],
  list: ReturnType<typeof readList>,
  clock: ReturnType<typeof readClock>,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const details = await readDetails(client, slugs);
  const all = [...details.exchanges.values(), ...(details.withOrigin ? [details.withOrigin] : [])];
  return [
    ...judgeDetails(details, clock),
    ...judgeHeaders("detail", all),
    await judgeAgreement(client, list, details, { ...options, signal }),
  ];
}

function judgeSample(client: Client, target: string): Promise<readonly Finding[]> {
  return Promise.all([
    judgeHead(client, "detail.head", target),
    judgeConditional(client, "detail.conditional", target),
  ]);
}

function judgeListVariants(client: Client): Promise<readonly Finding[]> {
  return Promise.all([
    judgeHead(client, "list.head", LIST_PATH),
    judgeConditional(client, "list.conditional", LIST_PATH),
    judgeEncoding(client),
    judgeQuery(client),
  ]);
}

function skipBadge(): readonly Finding[] {
  return [...POINTS.keys()]
    .filter((id) => id.startsWith("badge."))
    .map((id) => skip(id, "name a public monitor with --badge ID"));
}

function judgeThrottling({ tally }: Client): Finding {
  const [first] = tally.throttled;
  if (first === undefined) return skip("rate-limit", "no answer was HTTP 429");
  const problems = tally.throttled.flatMap((answer) => [
    ...findCorsProblems(answer),
    ...(headerOf(answer, "retry-after") === undefined ? ["no Retry-After"] : []),
  ]);
  return judge(
    "rate-limit",
    [...new Set(problems)].map((problem) => `${describeExchange(first)}: ${problem}`),
    `${tally.throttled.length} answers were 429, and were waited for`,
  );
}
