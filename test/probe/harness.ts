import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { parseConnectTo, type ConnectToRules } from "../../src/probe/network/connect-to.ts";
import { createResolver, type Resolve } from "../../src/probe/network/dns.ts";
import { BLOCKPAGES_FILE, compileFingerprints } from "../../src/probe/answer/fingerprints.ts";
import { SERVICE_LIMITS, type ProbeLimits } from "../../src/probe/limits.ts";
import {
  createProbe,
  type Probe,
  type ProbeDependencies,
  type ProbeTarget,
} from "../../src/probe/probe.ts";
import {
  type FailedOutcome,
  OUTCOME,
  type Outcome,
  type Trace,
} from "../../src/model/probe-outcome.ts";
import type { Behaviour, DnsBehaviour } from "../simulated-internet/behaviour.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
  type InternetAddresses,
} from "../simulated-internet/simulated-internet.ts";

/** The shipped limits with longer times, so that even on a slow machine no answer is too late. */
export const LIMITS: ProbeLimits = {
  ...SERVICE_LIMITS,
  dnsMs: 6_000,
  tcpMs: 60_000,
  tlsMs: 60_000,
  firstByteMs: 60_000,
  stallMs: 60_000,
  totalMs: 120_000,
};

/** Short times for stages that never end. */
const SHORT = { dnsMs: 400, tcpMs: 300, tlsMs: 400, firstByteMs: 600, stallMs: 400 } as const;

/** Long limits, except for the stages in which the other side stays silent. */
export function shortFor(...stages: readonly (keyof typeof SHORT)[]): ProbeLimits {
  return {
    ...LIMITS,
    ...Object.fromEntries(stages.map((stage) => [stage, SHORT[stage]])),
  };
}

/** A connection cut before this many bytes has not finished its handshake. */
const HANDSHAKE_BYTES = 1_000;
/** From this many bytes on, the probe takes silence for a frozen connection, even without a head. */
const FREEZE_BYTES = 10_000;
/** Sixteen intervals of this length exceed the short time for a head. */
const SLOW_INFORMATIONAL_MS = 100;

/** Short limits for the stage in which such a server stays silent. */
function limitsFor(behaviour: Behaviour, scheme: "http" | "https"): ProbeLimits {
  const wire = "wire" in behaviour ? behaviour.wire : undefined;
  if (wire?.kind === "cut" && wire.ending === "silence") {
    if (scheme === "http" || wire.afterRawBytes >= FREEZE_BYTES) return shortFor("stallMs");
    return shortFor(wire.afterRawBytes < HANDSHAKE_BYTES ? "tlsMs" : "firstByteMs");
  }
  switch (behaviour.kind) {
    case "tcp-blackhole":
      return shortFor("tcpMs");
    case "tls-silence":
      return shortFor("tlsMs");
    case "http-silence":
    case "headers-drip":
      return shortFor("firstByteMs");
    case "informational-flood":
      return behaviour.intervalMs < SLOW_INFORMATIONAL_MS ? LIMITS : shortFor("firstByteMs");
    case "body-stall":
      return shortFor("stallMs");
    default:
      return LIMITS;
  }
}

/** A shipped fingerprint of a block page. */
export interface BlockPageRow {
  readonly id: string;
  readonly where: string;
  readonly pattern: string;
}

export const BLOCK_PAGES: readonly BlockPageRow[] = JSON.parse(
  readFileSync(BLOCKPAGES_FILE, "utf8"),
);
export const FINGERPRINTS = compileFingerprints(BLOCK_PAGES);

/** A signal that never aborts. */
export const NEVER: AbortSignal = new AbortController().signal;

export function rulesOf(lines: readonly string[]): ConnectToRules {
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.join("\n"));
  return parsed.rules;
}

/** Uses the name server of the simulated internet. */
export function resolverOf({ dnsPort }: InternetAddresses, timeoutMs: number): Resolve {
  return createResolver([`127.0.0.1:${dnsPort}`], timeoutMs);
}

/** Looks up every name in the simulated internet and connects to its ports. */
export function dependenciesFor(internet: InternetAddresses): ProbeDependencies {
  const publicRoots = createSecureContext({ ca: readFileSync(internet.rootCaFile) });
  return {
    resolve: resolverOf(internet, LIMITS.dnsMs),
    addressRules: {
      refusalOf: () => undefined,
      stubOf: (address) => FINGERPRINTS.addresses.get(address),
    },
    connectTo: rulesOf([`:443::${internet.tlsPort}`, `:80::${internet.httpPort}`]),
    fingerprints: FINGERPRINTS,
    roots: {
      contexts: { public: publicRoots, national: publicRoots },
      canJudgeNational: false,
      extend: () => publicRoots,
    },
    limits: LIMITS,
  };
}

/** The outcome. Throws if the state would refuse it: one server could then end all publishing. */
export function storable(outcome: Outcome): Outcome {
  OUTCOME.parse(outcome);
  return outcome;
}

export interface SeeOptions {
  /** Default: `https`. */
  readonly scheme?: "http" | "https";
  readonly path?: string;
  readonly target?: Partial<ProbeTarget>;
  readonly deps?: Partial<ProbeDependencies>;
  readonly signal?: AbortSignal;
  readonly attempt?: number;
}

export interface Harness {
  readonly internet: SimulatedInternet;
  readonly deps: ProbeDependencies;
  /** Creates a host with this behaviour (its name resolves to 127.0.0.1) and probes it once. */
  see(behaviour: Behaviour, options?: SeeOptions): Promise<Outcome>;
  /** Creates a healthy host with this DNS answer and probes it once. */
  seeDns(dns: DnsBehaviour, options?: SeeOptions): Promise<Outcome>;
  /** Probes a URL unchanged. */
  probe(url: string, options?: SeeOptions): Promise<Outcome>;
  /** A new name that resolves to 127.0.0.1. */
  newHost(behaviour?: Behaviour): string;
  close(): Promise<void>;
}

export async function openHarness(): Promise<Harness> {
  const internet = await startSimulatedInternet({
    hasOwnRoot: true,
    dns: { "*": { kind: "answer", addresses: ["127.0.0.1"] } },
  });
  const deps = dependenciesFor(internet);
  let hosts = 0;

  function newHost(behaviour: Behaviour = { kind: "page" }): string {
    hosts += 1;
    const host = `h${hosts}.test`;
    internet.set(host, behaviour);
    return host;
  }

  async function probe(url: string, options: SeeOptions = {}): Promise<Outcome> {
    const once: Probe = createProbe({ ...deps, ...options.deps });
    const target: ProbeTarget = { url, trust: "public", ...options.target };
    return storable(await once(target, options.attempt ?? 0, options.signal ?? NEVER));
  }

  function see(behaviour: Behaviour, options: SeeOptions = {}): Promise<Outcome> {
    const host = newHost(behaviour);
    const { scheme = "https", path = "/" } = options;
    // These lines connect a host whose TCP must fail to a port that fails.
    const lines = behaviour.kind.startsWith("tcp-") ? internet.connectToLines([host]) : undefined;
    const connectTo = lines === undefined ? deps.connectTo : rulesOf(lines);
    return probe(`${scheme}://${host}${path}`, {
      ...options,
      deps: { connectTo, limits: limitsFor(behaviour, scheme), ...options.deps },
    });
  }

  return {
    internet,
    deps,
    newHost,
    probe,
    see,
    seeDns(dns, options = {}) {
      const host = newHost();
      internet.setDns(host, dns);
      const isMute = dns.kind === "silent" || dns.kind === "wrong-id";
      const resolve = isMute ? resolverOf(internet, SHORT.dnsMs) : deps.resolve;
      return probe(`${options.scheme ?? "https"}://${host}${options.path ?? "/"}`, {
        ...options,
        deps: { resolve, ...options.deps },
      });
    },
    close: () => internet.close(),
  };
}

/** The outcome in one word: `ok`, `denied`, the code of a failure or the reason of a skip. */
export function wordFor(outcome: Outcome): string {
  if (outcome.kind === "failed") return outcome.code;
  return outcome.kind === "skipped" ? outcome.reason : outcome.kind;
}

/** The trace of an outcome. Throws if it was skipped. */
export function traceOf(outcome: Outcome): Trace {
  if (outcome.kind === "skipped") throw new Error(`skipped: ${outcome.reason}`);
  return outcome.trace;
}

export function failureOf(outcome: Outcome): FailedOutcome {
  if (outcome.kind !== "failed") throw new Error(`not failed: ${wordFor(outcome)}`);
  return outcome;
}
