import { setMaxListeners } from "node:events";
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { parseConnectTo, type ConnectToRules } from "../../src/probe/connect-to.ts";
import { createResolver, type Resolve } from "../../src/probe/dns.ts";
import {
  BLOCKPAGES_FILE,
  compileFingerprints,
  matchStubAddress,
} from "../../src/probe/fingerprints.ts";
import { SERVICE_LIMITS, type ProbeLimits } from "../../src/probe/limits.ts";
import {
  createProbe,
  type Probe,
  type ProbeDependencies,
  type ProbeTarget,
} from "../../src/probe/probe.ts";
import type { FailedOutcome, Outcome, Trace } from "../../src/model/outcome.ts";
import type { Behaviour, DnsBehaviour } from "../world/behaviour.ts";
import { startWorld, type World, type WorldAddresses } from "../world/world.ts";

/** The shipped limits with times that even a slow machine keeps: what answers at all is never too late. */
export const LIMITS: ProbeLimits = {
  ...SERVICE_LIMITS,
  dnsMs: 6_000,
  tcpMs: 60_000,
  tlsMs: 60_000,
  firstByteMs: 60_000,
  stallMs: 60_000,
  totalMs: 120_000,
};

/** Times that a test can wait for, each for a stage that never ends. */
const SHORT = { dnsMs: 400, tcpMs: 300, tlsMs: 400, firstByteMs: 600, stallMs: 400 } as const;

/** Patient limits, but for the stages in which the other side is silent for good. */
export function shortFor(...stages: readonly (keyof typeof SHORT)[]): ProbeLimits {
  return { ...LIMITS, ...Object.fromEntries(stages.map((stage) => [stage, SHORT[stage]])) };
}

/** Below this a connection that is cut has not finished its handshake. */
const HANDSHAKE_BYTES = 1_000;
/** From here on the probe takes silence for a frozen connection, without a head as well. */
const FREEZE_BYTES = 10_000;
/** Sixteen of them take longer than the short time for a head. */
const SLOW_INFORMATIONAL_MS = 100;

/** Short where such a server never says more. */
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

/** A fingerprint of a block page, as it is shipped. */
export interface BlockPageRow {
  readonly id: string;
  readonly where: string;
  readonly pattern: string;
}

export const BLOCK_PAGES: readonly BlockPageRow[] = JSON.parse(
  readFileSync(BLOCKPAGES_FILE, "utf8"),
);
export const FINGERPRINTS = compileFingerprints(BLOCK_PAGES);

/** A signal that nobody gives. */
export const NEVER: AbortSignal = new AbortController().signal;
setMaxListeners(0, NEVER);

export function rulesOf(lines: readonly string[]): ConnectToRules {
  const parsed = parseConnectTo(lines);
  if (parsed.kind === "invalid") throw new Error(parsed.problems.join("\n"));
  return parsed.rules;
}

/** Asks the world's name server. */
export function resolverOf({ dnsPort }: WorldAddresses, timeoutMs: number): Resolve {
  return createResolver([`127.0.0.1:${dnsPort}`], timeoutMs);
}

/** Any name is looked up in the world's name server and connected to on the ports of the world. */
export function dependenciesFor(world: WorldAddresses): ProbeDependencies {
  const publicRoots = createSecureContext({ ca: readFileSync(world.rootCaFile) });
  return {
    resolve: resolverOf(world, LIMITS.dnsMs),
    addressRules: {
      refusalOf: () => undefined,
      stubOf: (address) => matchStubAddress(FINGERPRINTS, address),
    },
    connectTo: rulesOf([`:443::${world.tlsPort}`, `:80::${world.httpPort}`]),
    fingerprints: FINGERPRINTS,
    roots: { contexts: { public: publicRoots, national: publicRoots }, canJudgeNational: false },
    limits: LIMITS,
  };
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

export interface Lab {
  readonly world: World;
  readonly deps: ProbeDependencies;
  /** Gives a new host this behaviour (its name resolves to 127.0.0.1) and probes it once. */
  see(behaviour: Behaviour, options?: SeeOptions): Promise<Outcome>;
  /** Gives a new host such an answer of DNS, its server being healthy, and probes it once. */
  seeDns(dns: DnsBehaviour, options?: SeeOptions): Promise<Outcome>;
  /** Probes a URL as it is. */
  probe(url: string, options?: SeeOptions): Promise<Outcome>;
  /** A name nobody has used, resolving to 127.0.0.1. */
  newHost(behaviour?: Behaviour): string;
  close(): Promise<void>;
}

export async function openLab(): Promise<Lab> {
  const world = await startWorld({
    hasOwnRoot: true,
    dns: { "*": { kind: "answer", addresses: ["127.0.0.1"] } },
  });
  const deps = dependenciesFor(world);
  let hosts = 0;

  function newHost(behaviour: Behaviour = { kind: "page" }): string {
    hosts += 1;
    const host = `h${hosts}.test`;
    world.set(host, behaviour);
    return host;
  }

  function probe(url: string, options: SeeOptions = {}): Promise<Outcome> {
    const once: Probe = createProbe({ ...deps, ...options.deps });
    const target: ProbeTarget = { url, trust: "public", ...options.target };
    return once(target, options.attempt ?? 0, options.signal ?? NEVER);
  }

  function see(behaviour: Behaviour, options: SeeOptions = {}): Promise<Outcome> {
    const host = newHost(behaviour);
    const { scheme = "https", path = "/" } = options;
    // Only these lines send a host whose TCP fails to the port where it does.
    const lines = behaviour.kind.startsWith("tcp-") ? world.connectToLines([host]) : undefined;
    const connectTo = lines === undefined ? deps.connectTo : rulesOf(lines);
    return probe(`${scheme}://${host}${path}`, {
      ...options,
      deps: { connectTo, limits: limitsFor(behaviour, scheme), ...options.deps },
    });
  }

  return {
    world,
    deps,
    newHost,
    probe,
    see,
    seeDns(dns, options = {}) {
      const host = newHost();
      world.setDns(host, dns);
      const isMute = dns.kind === "silent" || dns.kind === "wrong-id";
      const resolve = isMute ? resolverOf(world, SHORT.dnsMs) : deps.resolve;
      return probe(`${options.scheme ?? "https"}://${host}${options.path ?? "/"}`, {
        ...options,
        deps: { resolve, ...options.deps },
      });
    },
    close: () => world.close(),
  };
}

/** In one word: `ok`, `denied`, the code of a failure or the reason of a skip. */
export function wordFor(outcome: Outcome): string {
  if (outcome.kind === "failed") return outcome.code;
  return outcome.kind === "skipped" ? outcome.reason : outcome.kind;
}

/** The trace of an outcome that has one. Throws otherwise. */
export function traceOf(outcome: Outcome): Trace {
  if (outcome.kind === "skipped") throw new Error(`skipped: ${outcome.reason}`);
  return outcome.trace;
}

export function failureOf(outcome: Outcome): FailedOutcome {
  if (outcome.kind !== "failed") throw new Error(`not failed: ${wordFor(outcome)}`);
  return outcome;
}
