import { FAILURES, type FailureCode } from "../../src/model/failures.ts";
import type { Outcome, Timings } from "../../src/model/probe-outcome.ts";
import { msOfIndex } from "../../src/model/response-level.ts";
import { type Expectation, classifyAnswer } from "../../src/probe/answer/classify-response.ts";
import type { Page } from "./pages.ts";

const URL = "https://simulated.example/";
const TOP_LEVEL = 63;

function timingsOf(totalMs: number): Timings {
  const part = (share: number): number => Math.round(totalMs * share);
  return {
    dnsMs: part(0.05),
    tcpMs: part(0.15),
    tlsMs: part(0.3),
    firstByteMs: part(0.4),
    bodyMs: part(0.1),
    totalMs: Math.round(totalMs),
  };
}

/** One shared outcome for each response level, so that most probes allocate nothing. */
const HEALTHY: readonly Outcome[] = Array.from({ length: TOP_LEVEL + 1 }, (_, level) => ({
  kind: "ok",
  trace: {
    url: URL,
    redirects: 0,
    address: "192.0.2.1",
    httpStatus: 200,
    bodyBytes: 20_000,
    rawBytes: 26_000,
    tlsVerified: true,
    timings: timingsOf(msOfIndex(level)),
  },
}));

/** A healthy answer with the response time of a level, 0 to 63. */
export function healthyAt(level: number): Outcome {
  const found = HEALTHY[Math.max(0, Math.min(TOP_LEVEL, Math.round(level)))];
  if (found === undefined) throw new RangeError(`no level ${level}`);
  return found;
}

/** The answer of a wall. */
export const WALLED: Outcome = {
  kind: "ok",
  trace: {
    url: URL,
    redirects: 0,
    address: "192.0.2.1",
    httpStatus: 403,
    wall: "simulated",
    bodyBytes: 900,
    rawBytes: 6_000,
    tlsVerified: true,
    timings: timingsOf(120),
  },
};

export const DENIED: Outcome = {
  kind: "denied",
  trace: {
    url: URL,
    redirects: 0,
    address: "192.0.2.1",
    httpStatus: 403,
    bodyBytes: 900,
    rawBytes: 6_000,
    tlsVerified: true,
    timings: timingsOf(180),
  },
};

/** Timeouts take as long as the limits of `src/probe/limits.ts`. */
function failed(code: FailureCode, totalMs: number, httpStatus?: number): Outcome {
  const stage = FAILURES[code].stage;
  const isPastTls = stage === "http" || stage === "body";
  const isPastDns = stage !== "dns";
  return {
    kind: "failed",
    stage: stage,
    code,
    ...(code === "http-block-page" || code === "dns-stub-address"
      ? { fingerprint: "simulated" }
      : {}),
    trace: {
      url: URL,
      redirects: 0,
      ...(isPastDns ? { address: "192.0.2.1" } : {}),
      ...(httpStatus === undefined ? {} : { httpStatus }),
      bodyBytes: httpStatus === undefined ? 0 : 500,
      rawBytes: isPastTls ? 5_000 : 0,
      tlsVerified: isPastTls ? true : null,
      timings: { totalMs },
    },
  };
}

/** All failures of the simulated model. */
export const FAILED = {
  "dns-timeout": failed("dns-timeout", 4_000),
  "dns-servfail": failed("dns-servfail", 60),
  "dns-stub": failed("dns-stub-address", 20),
  "tcp-timeout": failed("tcp-timeout", 5_000),
  "tcp-refused": failed("tcp-refused", 30),
  "tcp-unreachable": failed("tcp-unreachable", 40),
  "tcp-reset": failed("tcp-reset", 30),
  "tls-reset": failed("tls-reset", 60),
  "tls-timeout": failed("tls-timeout", 5_100),
  "http-timeout": failed("http-timeout", 8_200),
  "bad-gateway": failed("http-server-error", 150, 502),
  unavailable: failed("http-server-error", 120, 503),
  "cert-expired": failed("cert-expired", 90),
} as const satisfies Record<string, Outcome>;
export type Failure = keyof typeof FAILED;

/** The failure of a probe that receives a complete page with a 200 over verified TLS; undefined if it is healthy. */
export function classifyPage({ contentType, body }: Page, rules: Expectation): Outcome | undefined {
  const headers = { "content-type": contentType };
  const answer = {
    kind: "answer",
    status: 200,
    headers,
    oddities: [],
    body,
    firstByteMs: 90,
    bodyMs: 10,
  } as const;
  const result = classifyAnswer(answer, rules, true, undefined);
  return result.kind === "failed" ? failed(result.code, 140, 200) : undefined;
}
