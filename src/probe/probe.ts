import type { Socket } from "node:net";
import type { Endpoint } from "../model/catalogue.ts";
import {
  FAILURES,
  type FailureCode,
  type Outcome,
  type SkipReason,
  type Timings,
  type Trace,
} from "../model/outcome.ts";
import { findAddresses, type AddressRules } from "./addresses.ts";
import { judgeAnswer, nextHop } from "./classify.ts";
import { findConnectTo, type ConnectToRules } from "./connect-to.ts";
import type { Resolve } from "./dns.ts";
import { matchBody, matchLocationHost, type Fingerprints } from "./fingerprints.ts";
import { exchange, type Connection, type HttpAnswer } from "./http.ts";
import type { ProbeLimits } from "./limits.ts";
import { connectTcp } from "./tcp.ts";
import { secure, type TrustRoots } from "./tls.ts";

/** What is probed: an endpoint, or an anchor, which has no rules of its own. */
export type ProbeTarget = Pick<Endpoint, "url" | "trust" | "expect" | "denied">;

export interface ProbeDependencies {
  readonly resolve: Resolve;
  readonly addressRules: AddressRules;
  readonly connectTo: ConnectToRules;
  readonly fingerprints: Fingerprints;
  readonly roots: TrustRoots;
  readonly limits: ProbeLimits;
}

/**
 * Measures a target once, on fresh connections: DNS → TCP → TLS → HTTP → body, following redirects.
 *
 * @param attempt 0 for the first try of a run; later tries begin with another address if there is one.
 * @param signal ends the probe at once; its reason is the `SkipReason`.
 */
export type Probe = (target: ProbeTarget, attempt: number, signal: AbortSignal) => Promise<Outcome>;

export function createProbe(dependencies: ProbeDependencies): Probe {
  return async (target, attempt, signal) => {
    if (signal.aborted) return { kind: "skipped", reason: reasonOf(signal) };
    const outcome = await new Journey(target, attempt, dependencies, signal).travel();
    // Whatever a probe that was cut short saw last, it is our own doing.
    return signal.aborted ? { kind: "skipped", reason: reasonOf(signal) } : outcome;
  };
}

function reasonOf(signal: AbortSignal): SkipReason {
  return signal.reason === "aborted" ? "aborted" : "deadline";
}

type Failure = { readonly code: FailureCode; readonly fingerprint?: string };
type Opened = { readonly kind: "opened"; readonly raw: Socket };
type Step<T> =
  | T
  | ({ readonly kind: "failed" } & Failure)
  | { readonly kind: "skipped"; readonly reason: SkipReason };

/** One probe under way: the hops of a redirect chain and what was seen of the last of them. */
class Journey {
  readonly #target: ProbeTarget;
  readonly #attempt: number;
  readonly #deps: ProbeDependencies;
  readonly #signal: AbortSignal;
  readonly #startMs = performance.now();
  readonly #deadlineMs: number;
  #url: URL;
  #redirects = 0;
  #isChainVerified = true;
  #raw: Socket | undefined;
  /** Observations of the current hop; each hop begins anew. */
  #seen: { -readonly [K in keyof Trace]?: Trace[K] } = {};
  #timings: { -readonly [K in keyof Timings]?: Timings[K] } = {};

  constructor(target: ProbeTarget, attempt: number, deps: ProbeDependencies, signal: AbortSignal) {
    this.#signal = signal;
    this.#target = target;
    this.#attempt = attempt;
    this.#deps = deps;
    this.#deadlineMs = this.#startMs + deps.limits.totalMs;
    this.#url = new URL(target.url);
  }

  async travel(): Promise<Outcome> {
    const visited = new Set<string>();
    for (;;) {
      visited.add(this.#url.href);
      const answer = await this.#hop();
      if (answer.kind !== "answer") return this.#conclude(answer);
      const next = nextHop(answer, this.#url, this.#target);
      if (next.kind === "final") return this.#judge(answer);
      if (next.kind === "refused")
        return this.#conclude({ kind: "failed", code: "redirect-refused" });
      const blockPage =
        this.#seen.tlsVerified === true
          ? undefined
          : matchLocationHost(this.#deps.fingerprints, next.url);
      if (blockPage !== undefined)
        return this.#conclude({ kind: "failed", code: "http-block-page", fingerprint: blockPage });
      if (visited.has(next.url.href))
        return this.#conclude({ kind: "failed", code: "redirect-loop" });
      if (this.#redirects >= this.#deps.limits.redirects)
        return this.#conclude({ kind: "failed", code: "redirect-too-many" });
      this.#advance(next.url);
    }
  }

  #advance(url: URL): void {
    this.#isChainVerified &&= this.#seen.tlsVerified === true;
    this.#redirects += 1;
    this.#url = url;
    this.#raw = undefined;
    this.#seen = {};
    this.#timings = {};
  }

  #judge(answer: HttpAnswer): Outcome {
    const isAuthentic = this.#seen.tlsVerified === true && this.#isChainVerified;
    // A name reached over an open hop may be anybody's, however well its certificate verifies.
    if (this.#seen.tlsVerified === true && !isAuthentic) this.#seen.tlsVerified = false;
    const blockPage = isAuthentic ? undefined : matchBody(this.#deps.fingerprints, answer.body);
    const judgement = judgeAnswer(answer, this.#target, isAuthentic, blockPage);
    return judgement.kind === "failed"
      ? this.#conclude(judgement)
      : { kind: judgement.kind, trace: this.#trace() };
  }

  #conclude(end: Step<never>): Outcome {
    if (end.kind === "skipped") return end;
    const { code, fingerprint } = end;
    return {
      kind: "failed",
      stage: FAILURES[code],
      code,
      ...(fingerprint === undefined ? {} : { fingerprint }),
      trace: this.#trace(),
    };
  }

  #trace(): Trace {
    return {
      url: this.#url.href,
      redirects: this.#redirects,
      bodyBytes: 0,
      tlsVerified: null,
      ...this.#seen,
      rawBytes: this.#raw?.bytesRead ?? 0,
      timings: { ...this.#timings, totalMs: elapsedMs(this.#startMs) },
    };
  }

  async #hop(): Promise<Step<HttpAnswer>> {
    const opened = await this.#open();
    if (opened.kind !== "opened") return opened;
    const connection =
      this.#url.protocol === "https:" ? await this.#secure(opened.raw) : plain(opened.raw);
    if (connection.kind !== "connection") return connection;
    const answer = await exchange(this.#url, connection, this.#deps.limits, this.#deadlineMs);
    if (answer.kind === "failed") return answer;
    this.#seen.httpStatus = answer.status;
    this.#seen.bodyBytes = answer.body.length;
    this.#timings.firstByteMs = Math.round(answer.firstByteMs);
    this.#timings.bodyMs = Math.round(answer.bodyMs);
    return answer;
  }

  /** An open TCP connection to the host of the current hop. */
  async #open(): Promise<Step<Opened>> {
    const port = Number(this.#url.port) || (this.#url.protocol === "https:" ? 443 : 80);
    const override = findConnectTo(this.#deps.connectTo, this.#url.hostname, port);
    if (override?.address !== undefined) return this.#connect([override.address], override.port);
    const found = await this.#find(4);
    const isV4Absent = found.kind === "failed" && found.code === "dns-no-answer";
    const first =
      found.kind === "failed"
        ? found
        : await this.#connect(found.addresses, override?.port ?? port);
    if (
      first.kind === "opened" ||
      (first.kind === "failed" && FAILURES[first.code] === "dns" && !isV4Absent)
    )
      return first;
    // IPv6 is asked only when IPv4 gave nothing: its absence, or the runner's lack of it, is no failure of the service.
    const found6 = await this.#find(6);
    if (found6.kind === "failed") return isV4Absent ? found6 : first;
    const second = await this.#connect(found6.addresses, override?.port ?? port);
    if (second.kind === "failed" && second.code === "tcp-unreachable") {
      return isV4Absent ? { kind: "skipped", reason: "ipv6-unavailable" } : first;
    }
    return second.kind === "opened" || isV4Absent ? second : first;
  }

  async #find(family: 4 | 6): ReturnType<typeof findAddresses> {
    const startMs = performance.now();
    const found = await findAddresses(
      this.#url.hostname,
      family,
      (host, asked) => this.#deps.resolve(host, asked, this.#signal),
      this.#deps.addressRules,
    );
    this.#timings.dnsMs = (this.#timings.dnsMs ?? 0) + elapsedMs(startMs);
    return found;
  }

  /** Tries the addresses in turn, each attempt of a run beginning with another one. The first failure is the one told. */
  async #connect(addresses: readonly string[], port: number): Promise<Step<Opened>> {
    const start = this.#attempt % addresses.length;
    const ordered = [...addresses.slice(start), ...addresses.slice(0, start)].slice(
      0,
      this.#deps.limits.addresses,
    );
    const startMs = performance.now();
    let failure: Failure = { code: "tcp-timeout" };
    for (const [index, address] of ordered.entries()) {
      const remainingMs = this.#deadlineMs - performance.now();
      if (remainingMs <= 0 || this.#signal.aborted) break;
      const result = await connectTcp(
        address,
        port,
        Math.min(this.#deps.limits.tcpMs, remainingMs),
        this.#signal,
      );
      if (result.kind === "connected") {
        this.#raw = result.socket;
        this.#seen.address = address;
        this.#timings.tcpMs = elapsedMs(startMs);
        return { kind: "opened", raw: result.socket };
      }
      if (index === 0) {
        failure = result;
        this.#seen.address ??= address;
      }
    }
    this.#timings.tcpMs = elapsedMs(startMs);
    return { kind: "failed", ...failure };
  }

  async #secure(raw: Socket): Promise<Step<{ readonly kind: "connection" } & Connection>> {
    const startMs = performance.now();
    const budgetMs = Math.max(1, Math.min(this.#deps.limits.tlsMs, this.#deadlineMs - startMs));
    const host = this.#url.hostname.replace(/^\[|\]$/gu, "");
    const result = await secure(raw, host, this.#target.trust, this.#deps.roots, budgetMs);
    this.#timings.tlsMs = elapsedMs(startMs);
    if (result.certExpiresAtMs !== undefined) this.#seen.certExpiresAtMs = result.certExpiresAtMs;
    if (result.kind === "failed") {
      this.#seen.tlsVerified = result.code.startsWith("cert-") ? false : null;
      return result;
    }
    this.#seen.tlsVerified = result.isVerified;
    return { kind: "connection", stream: result.socket, raw };
  }
}

function plain(raw: Socket): { readonly kind: "connection" } & Connection {
  return { kind: "connection", stream: raw, raw };
}

function elapsedMs(startMs: number): number {
  return Math.round(performance.now() - startMs);
}
