import { randomBytes } from "node:crypto";
import { LIST_PATH } from "./api/addresses.ts";
import { checkDetails } from "./api/details.ts";
import { checkList, readList } from "./api/list.ts";
import { checkMissing, checkPaths, checkRefusals, readMissing } from "./api/refusals.ts";
import { checkBadges } from "./badges/badge.ts";
import { checkData } from "./data/data.ts";
import {
  type CheckFinding,
  about,
  completeChecks,
  type Settling,
  skip,
  skipGroup,
  toFinding,
  unless,
} from "./finding.ts";
import {
  type Client,
  createVerifyClient,
  describeExchange,
  describeFailure,
  headerOf,
  MAX_AT_ONCE,
  ORIGIN,
  type Transport,
} from "./http/client.ts";
import { checkListFreshness, readClock } from "./http/freshness.ts";
import { checkHeaders, findCorsProblems } from "./http/headers.ts";
import { checkConditional, checkEncoding, checkHead, checkQuery } from "./http/variants.ts";
import { checkSite } from "./site/check-site.ts";

/** `signal` ends all checks at once; unfinished ones fail or are skipped. */
export interface VerifyOptions extends Settling {
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
  /** For one request, and for all checks together. */
  readonly timeoutMs: number;
  readonly totalMs: number;
  /** Maximum number of additional requests to provoke a 429. */
  readonly burstRequests: number;
  readonly wallMs: () => number;
}

/** The result of `verify`. */
export type VerifyReport = Awaited<ReturnType<typeof verify>>;

/**
 * Checks a deployment as its clients see it, with at most eight requests at once. Errors of the network or the server throw nothing, they
 * fail checks. Source of the checks: docs/verify.md.
 */
export async function verify(baseUrl: URL, options: VerifyOptions) {
  const startedMs = performance.now();
  const whole = new AbortController();
  const timer = setTimeout(() => whole.abort("whole-timeout"), options.totalMs);
  const signal = AbortSignal.any([options.signal, whole.signal]);
  const transport = options.connect(baseUrl, options.timeoutMs);
  const client = createVerifyClient(transport, { timeoutMs: options.timeoutMs, signal });
  try {
    const base = baseUrl.href.replace(/\/+$/u, "");
    const { findings, whyMissing } = await checkAll(client, base, { ...options, signal });
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
      /** Every check, in the order of `CHECKS`. */
      checks,
    };
  } finally {
    clearTimeout(timer);
    await transport.close();
  }
}

/** The findings, and why checks without one were skipped. */
async function checkAll(client: Client, base: string, options: VerifyOptions) {
  const random = randomBytes(6).toString("hex");
  const unknown = `no-such-${random}`;
  const lists = await Promise.all([client.get(LIST_PATH), client.get(LIST_PATH, ORIGIN)]);
  const list = readList(lists[0]);
  const listFindings = [
    ...checkList(lists, list, options.expectedServices),
    ...checkHeaders("list", lists),
  ];
  if (lists[0].kind === "trouble" && lists[1].kind === "trouble")
    return { findings: listFindings, whyMissing: describeFailure(lists[0].code) };
  const missing = await readMissing(client, unknown);
  const clock = readClock(missing[0], options.wallMs());
  const slugs = [...list.entries.keys()];
  const deployment = { client, list, clock, settling: options };
  // What needs only the list.
  const groups = await Promise.all([
    checkMissing(client, missing, unknown),
    checkRefusals(client, unknown),
    checkDetails(deployment),
    checkPaths(client, slugs[0] ?? unknown),
    options.badgeId === undefined
      ? skipGroup("badge", "give a public monitor with --badge ID")
      : checkBadges(client, options.badgeId, options),
    options.isApiOnly === true
      ? skipGroup("site", "--api-only was given")
      : checkSite(client, base, slugs, `nothing-${random}`),
    checkData(deployment),
    list.answer === undefined
      ? []
      : Promise.all([
          checkHead(client, "list.head", LIST_PATH),
          checkConditional(client, "list.conditional", LIST_PATH),
          checkEncoding(client),
          checkQuery(client),
        ]),
  ]);
  await provokeThrottling(client, options.burstRequests);
  return {
    findings: [
      ...listFindings,
      checkListFreshness(list.value, clock, options.maxAgeMs),
      ...groups.flat(),
      // Last, because they check all responses before.
      toFinding("redirects.none", client.tally.redirects, `${client.tally.requests} requests`),
      checkThrottling(client),
    ],
    whyMissing: "the document or response to check could not be read",
  };
}

/**
 * Maximum number of requests to provoke a 429. The shipped fronts allow a burst of 200 and 10 a second, and the other checks have
 * sent about 200 requests before; so at 20 requests a second or more, one of 400 is refused.
 */
export const BURST_REQUESTS = 400;

/** Requests the list until a response is 429, because only that shows the headers of a refusal. */
async function provokeThrottling(client: Client, atMost: number): Promise<void> {
  let left = atMost;
  async function askOn(): Promise<void> {
    while (left > 0 && client.tally.throttled.length === 0) {
      left -= 1;
      const exchange = await client.get(LIST_PATH);
      // The server is unreachable, or the time is over.
      if (exchange.kind === "trouble") return;
    }
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, askOn));
}

function checkThrottling({ tally }: Client): CheckFinding {
  const [first] = tally.throttled;
  if (first === undefined) return skip("rate-limit", "no response was HTTP 429");
  const problems = tally.throttled.flatMap((answer) => [
    ...findCorsProblems(answer),
    ...unless(headerOf(answer, "retry-after") !== undefined, "no Retry-After"),
  ]);
  return toFinding(
    "rate-limit",
    about(describeExchange(first), [...new Set(problems)]),
    `${tally.throttled.length} responses were 429`,
  );
}
