import type { Socket } from "node:net";
import type { FailureCode } from "../model/outcome.ts";
import { findAddresses, type AddressAnswer, type AddressRules } from "./addresses.ts";
import { findConnectTo, type ConnectToRules } from "./connect-to.ts";
import type { Resolve } from "./dns.ts";
import type { ProbeLimits } from "./limits.ts";
import { connectTcp } from "./tcp.ts";

export interface OpenDependencies {
  readonly resolve: Resolve;
  readonly addressRules: AddressRules;
  readonly connectTo: ConnectToRules;
  readonly limits: ProbeLimits;
}

/** What holds for every hop of one probe. */
export interface Effort {
  /** Each attempt of a run begins with another address. */
  readonly attempt: number;
  /** On the clock of `performance.now()`: the end of the whole probe. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Written down while the connection is being opened, so that it is known however that ends. */
export interface OpenNotes {
  address?: string;
  hasRefusedAddresses?: true;
  readonly timings: { dnsMs?: number; tcpMs?: number };
}

export interface Failure {
  readonly kind: "failed";
  readonly code: FailureCode;
  /** Id of the fingerprint that matched. */
  readonly fingerprint?: string;
}

/** It is this machine that cannot: it has no IPv6, or no socket left. That says nothing of the service. */
export interface Unable {
  readonly kind: "skipped";
  readonly reason: "ipv6-unavailable" | "runner-exhausted";
}

interface Opened {
  readonly kind: "opened";
  readonly socket: Socket;
}

interface Opener {
  readonly find: (family: 4 | 6) => Promise<AddressAnswer>;
  readonly connect: (addresses: readonly string[]) => Promise<Opened | Failure | Unable>;
}

/**
 * An open TCP connection to the host of a URL: its addresses one after the other, IPv4 first. IPv6 is asked for only
 * when IPv4 gave nothing, and then its absence, or this machine's lack of it, is no failure of the service.
 */
export async function openConnection(
  url: URL,
  deps: OpenDependencies,
  effort: Effort,
  notes: OpenNotes,
): Promise<Opened | Failure | Unable> {
  const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  const override = findConnectTo(deps.connectTo, url.hostname, port);
  const opener: Opener = {
    find: (family) => lookUp(url.hostname, family, deps, effort, notes),
    connect: (addresses) =>
      connectToAny(addresses, override?.port ?? port, deps.limits, effort, notes),
  };
  if (override?.address !== undefined) return opener.connect([override.address]);
  const found = await opener.find(4);
  if (found.kind === "failed") return found.code === "dns-no-answer" ? openOverIpv6(opener) : found;
  const first = await opener.connect(found.addresses);
  if (first.kind !== "failed") return first;
  const second = await openOverIpv6(opener);
  return second.kind === "opened" ? second : first;
}

async function openOverIpv6(opener: Opener): Promise<Opened | Failure | Unable> {
  const found = await opener.find(6);
  if (found.kind === "failed") return found;
  const result = await opener.connect(found.addresses);
  return result.kind === "failed" && result.code === "tcp-unreachable"
    ? { kind: "skipped", reason: "ipv6-unavailable" }
    : result;
}

async function lookUp(
  host: string,
  family: 4 | 6,
  deps: OpenDependencies,
  effort: Effort,
  notes: OpenNotes,
): Promise<AddressAnswer> {
  const startMs = performance.now();
  const budgetMs = effort.deadlineMs - startMs;
  if (budgetMs <= 0) return { kind: "failed", code: "dns-timeout" };
  const resolve = (name: string, asked: 4 | 6): ReturnType<Resolve> =>
    deps.resolve(name, asked, budgetMs, effort.signal);
  const found = await findAddresses(host, family, resolve, deps.addressRules);
  notes.timings.dnsMs = (notes.timings.dnsMs ?? 0) + elapsedMs(startMs);
  if (found.kind === "addresses" && found.hasRefused) notes.hasRefusedAddresses = true;
  return found;
}

/** The first failure is the one told: later addresses may be there for other networks. */
async function connectToAny(
  addresses: readonly string[],
  port: number,
  limits: ProbeLimits,
  effort: Effort,
  notes: OpenNotes,
): Promise<Opened | Failure | Unable> {
  const startMs = performance.now();
  const first = effort.attempt % addresses.length;
  const inTurn = [...addresses.slice(first), ...addresses.slice(0, first)];
  let failure: Failure | undefined;
  for (const address of inTurn.slice(0, limits.addresses)) {
    const budgetMs = Math.min(limits.tcpMs, effort.deadlineMs - performance.now());
    if (budgetMs <= 0 || effort.signal.aborted) break;
    notes.address ??= address;
    const result = await connectTcp(address, port, budgetMs, effort.signal);
    notes.timings.tcpMs = elapsedMs(startMs);
    if (result.kind === "connected") {
      notes.address = address;
      return { kind: "opened", socket: result.socket };
    }
    if (result.kind === "skipped") return result;
    failure ??= result;
  }
  return failure ?? { kind: "failed", code: "tcp-timeout" };
}

/** Whole milliseconds since an instant of `performance.now()`. */
export function elapsedMs(startMs: number): number {
  return Math.round(performance.now() - startMs);
}
