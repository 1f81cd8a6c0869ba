import type { Socket } from "node:net";
import type { FailureCode, Oddity } from "../../model/probe-outcome.ts";
import { findAddresses, type AddressAnswer, type AddressRules } from "./addresses.ts";
import { findConnectTo, type ConnectToRules } from "./connect-to.ts";
import type { Resolve } from "./dns.ts";
import type { ProbeLimits } from "../limits.ts";
import { connectTcp } from "./tcp.ts";

export interface OpenDependencies {
  readonly resolve: Resolve;
  readonly addressRules: AddressRules;
  readonly connectTo: ConnectToRules;
  readonly limits: ProbeLimits;
}

/** Shared by all hops of one probe. */
export interface ProbeBudget {
  /** Each attempt of a run begins with another address. */
  readonly attempt: number;
  /** On the clock of `performance.now()`: the end of the whole probe. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Filled in while the connection is being opened, so that a failure leaves notes too. */
export interface OpenNotes {
  address?: string;
  hasRefusedAddresses?: true;
  oddities?: readonly Oddity[];
  readonly timings: { dnsMs?: number; tcpMs?: number };
}

export interface Failure {
  readonly kind: "failed";
  readonly code: FailureCode;
  /** Id of the matching fingerprint. */
  readonly fingerprint?: string;
}

/** This machine has no IPv6 or no socket left, which proves nothing about the service. */
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

/** Failures of one question to a name server, which say nothing of the other family. An address of a filter is no such failure. */
const FAILURES_OF_A_FAMILY: ReadonlySet<FailureCode> = new Set([
  "dns-no-answer",
  "dns-nxdomain",
  "dns-servfail",
  "dns-refused",
  "dns-timeout",
  "dns-malformed",
]);

/**
 * Opens a TCP connection to the host of a URL. Its addresses are tried in turn, IPv4 first. IPv6 is looked up only if IPv4
 * failed, in DNS or later; a missing IPv6 address, or no IPv6 on this machine, is then not a failure of the service.
 */
export async function openConnection(
  url: URL,
  deps: OpenDependencies,
  effort: ProbeBudget,
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
  const first = found.kind === "failed" ? found : await opener.connect(found.addresses);
  if (first.kind !== "failed") return first;
  if (found.kind === "failed" && !FAILURES_OF_A_FAMILY.has(first.code)) return first;
  const second = await openOverIpv6(opener);
  // A name without an A record is no fault.
  if (first.code === "dns-no-answer") return second;
  if (second.kind !== "opened") return first;
  notes.oddities = [...(notes.oddities ?? []), "ipv4-fails"];
  return second;
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
  effort: ProbeBudget,
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

/** Reports the first failure, because later addresses may be meant for other networks. */
async function connectToAny(
  addresses: readonly string[],
  port: number,
  limits: ProbeLimits,
  effort: ProbeBudget,
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

/** Whole milliseconds since a time of `performance.now()`. */
export function elapsedMs(startMs: number): number {
  return Math.round(performance.now() - startMs);
}
