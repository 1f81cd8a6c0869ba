import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { Trust } from "../../model/service/catalogue.ts";
import { withoutBrackets } from "../../model/host-name.ts";
import type { FailureCode } from "../../model/failures.ts";
import type { Timings, Trace } from "../../model/probe-outcome.ts";
import { isCoded } from "../answer/answer-text.ts";
import type { ProbeLimits } from "../limits.ts";
import { type ConnectToRules, findConnectTo, portOf } from "./connect-to.ts";
import { type AddressAnswer, type AddressRules, findAddresses, type Resolve } from "./dns.ts";
import { exchange, type Connection, type HttpRequest, type HttpResponse } from "./http.ts";
import { connectTcp, type TcpResult } from "./tcp.ts";
import { hashKey, secure, type TlsResult, type TrustRoots } from "./tls.ts";

/** The certificate at an address, of a stranger; undefined if it cannot be had. Never rejects. */
export type FetchIssuer = (
  url: string,
  signal: AbortSignal,
) => Promise<X509Certificate | undefined>;

export interface HopDependencies {
  readonly resolve: Resolve;
  readonly addressRules: AddressRules;
  readonly connectTo: ConnectToRules;
  readonly limits: ProbeLimits;
  readonly roots: TrustRoots;
  /** @default none, which some walls refuse */
  readonly userAgent?: string;
  /** Absent: a chain without an intermediate is not completed. */
  readonly fetchIssuer?: FetchIssuer;
}

/** One request to one URL: by which means, within which bounds, and what is seen of it. */
export interface Hop {
  readonly url: URL;
  readonly trust: Trust;
  readonly asksKey?: true;
  readonly deps: HopDependencies;
  /** Each attempt of a run begins with another address. */
  readonly attempt: number;
  /** On the clock of `performance.now()`: the end of the whole probe. */
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  readonly notes: RequestTrace;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** What is known of one hop, filled in while it runs, so that a failure leaves a trace too. */
export interface RequestTrace extends Mutable<
  Omit<Trace, "url" | "redirects" | "rawBytes" | "timings">
> {
  socket?: Socket;
  readonly timings: Mutable<Omit<Timings, "totalMs">>;
}

/** An empty trace for a new hop, with the facts that carry over from the hop before. */
export function startNotes({
  hasRefusedAddresses,
  oddities,
}: Partial<RequestTrace> = {}): RequestTrace {
  return {
    tlsVerified: null,
    bodyBytes: 0,
    timings: {},
    ...(hasRefusedAddresses === undefined ? {} : { hasRefusedAddresses }),
    ...(oddities === undefined ? {} : { oddities }),
  };
}

/** The hop of a request that belongs to no probe. */
export function onlyHop(
  url: URL,
  deps: HopDependencies,
  signal: AbortSignal,
  deadlineMs: number = performance.now() + deps.limits.totalMs,
): Hop {
  return { url, trust: "public", deps, attempt: 0, deadlineMs, signal, notes: startNotes() };
}

export interface Failure {
  readonly kind: "failed";
  readonly code: FailureCode;
  readonly fingerprint?: string;
}

/** This machine has no IPv6 or no socket left, which proves nothing about the service. */
export interface Unable {
  readonly kind: "skipped";
  readonly reason: "ipv6-unavailable" | "runner-exhausted";
}

export type SendRequest = typeof sendRequest;

/** One request, a GET unless another is given, over its own connection, which is closed before this resolves. */
export async function sendRequest(
  hop: Hop,
  { method, headers, ...body }: HttpRequest = { method: "GET", headers: {} },
): Promise<HttpResponse | Failure | Unable> {
  const { url, deps, deadlineMs, notes } = hop;
  const connection = await openStream(hop);
  if ("kind" in connection) return connection;
  notes.socket = connection.raw;
  const named = deps.userAgent === undefined ? {} : { "user-agent": deps.userAgent };
  const request = { method, headers: { ...named, ...headers }, ...body };
  const answer = await exchange(url, connection, deps.limits, deadlineMs, request);
  if (answer.kind === "failed") return answer;
  notes.httpStatus = answer.status;
  noteOddities(notes, answer.oddities);
  if (isCoded(answer)) noteOddities(notes, ["coding-unasked"]);
  notes.bodyBytes = answer.body.length;
  notes.timings.firstByteMs = Math.round(answer.firstByteMs);
  notes.timings.bodyMs = Math.round(answer.bodyMs);
  return answer;
}

function noteOddities(notes: RequestTrace, found: NonNullable<Trace["oddities"]>): void {
  if (found.length > 0) notes.oddities = [...new Set([...(notes.oddities ?? []), ...found])];
}

/** Connects to the server of a URL, with TLS for https. The caller destroys the connection. */
export async function openStream(hop: Hop): Promise<Connection | Failure | Unable> {
  const { url, deps, notes } = hop;
  const opened = await openConnection(hop);
  if (opened.kind !== "connected") return opened;
  const raw = opened.socket;
  // Also of a handshake that fails.
  notes.socket = raw;
  if (url.protocol !== "https:") return { stream: raw, raw };
  const first = await secureConnection(raw, hop, deps.roots);
  if (!("issuerUrl" in first) || first.issuerUrl === undefined) return first;
  return (await completeChain(hop, first.issuerUrl)) ?? first;
}

async function secureConnection(
  raw: Socket,
  { url, trust, asksKey, deps, deadlineMs, notes }: Hop,
  roots: TrustRoots,
): Promise<Connection | Extract<TlsResult, { kind: "failed" }>> {
  const startMs = performance.now();
  const budgetMs = Math.max(1, Math.min(deps.limits.tlsMs, deadlineMs - startMs));
  const result = await secure(raw, withoutBrackets(url.hostname), trust, roots, budgetMs);
  notes.timings.tlsMs = elapsedMs(startMs);
  if (result.certExpiresAtMs !== undefined) notes.certExpiresAtMs = result.certExpiresAtMs;
  if (result.kind === "failed") {
    if (result.certKey !== undefined) notes.certKey = result.certKey;
    notes.tlsVerified = result.code.startsWith("cert-") ? false : null;
    return result;
  }
  notes.tlsVerified = result.isVerified;
  const certKey = asksKey === true ? hashKey(result.leaf) : undefined;
  if (certKey !== undefined) notes.certKey = certKey;
  if (result.isNationalIssuer) notes.isNationalIssuer = true;
  return { stream: result.socket, raw };
}

/** A second connection, with the certificate that the server should have sent. Undefined if it is missing, or does not help. */
async function completeChain(hop: Hop, issuerUrl: string): Promise<Connection | undefined> {
  const { trust, deps, signal, notes } = hop;
  const issuer = await deps.fetchIssuer?.(issuerUrl, signal);
  const context = issuer && deps.roots.extend(trust, issuer);
  if (context === undefined) return undefined;
  const opened = await openConnection(hop);
  if (opened.kind !== "connected") return undefined;
  const roots = { ...deps.roots, contexts: { public: context, national: context } };
  const connection = await secureConnection(opened.socket, hop, roots);
  if ("kind" in connection) return undefined;
  noteOddities(notes, ["chain-incomplete"]);
  return connection;
}

type Opening = Extract<TcpResult, { kind: "connected" }> | Failure | Unable;

/** Failures of a lookup that hold for the other family as well: a name server out of reach, an address of a filter. */
const FAILURES_OF_BOTH: ReadonlySet<FailureCode> = new Set([
  "dns-server-unreachable",
  "dns-stub-address",
  "dns-special-address",
]);

/**
 * Opens a TCP connection to the host of a URL. Its addresses are tried in turn, IPv4 first. IPv6 is looked up only if IPv4
 * failed, in DNS or later; a missing IPv6 address, or no IPv6 on this machine, is then not a failure of the service.
 */
export async function openConnection(hop: Hop): Promise<Opening> {
  const { url, deps, notes } = hop;
  const override = findConnectTo(deps.connectTo, url.hostname, portOf(url));
  const port = override?.port ?? portOf(url);
  if (override?.address !== undefined) return connectToAny([override.address], port, hop);
  const found = await lookUp(4, hop);
  const first = found.kind === "failed" ? found : await connectToAny(found.addresses, port, hop);
  if (first.kind !== "failed") return first;
  if (found.kind === "failed" && FAILURES_OF_BOTH.has(first.code)) return first;
  const second = await openOverIpv6(port, hop);
  // A name may have no A record.
  if (first.code === "dns-no-answer") return second;
  if (second.kind !== "connected") return first;
  noteOddities(notes, ["ipv4-fails"]);
  return second;
}

async function openOverIpv6(port: number, hop: Hop): Promise<Opening> {
  const found = await lookUp(6, hop);
  if (found.kind === "failed") return found;
  const result = await connectToAny(found.addresses, port, hop);
  return result.kind === "failed" && result.code === "tcp-unreachable"
    ? { kind: "skipped", reason: "ipv6-unavailable" }
    : result;
}

async function lookUp(
  family: 4 | 6,
  { url, deps, deadlineMs, signal, notes }: Hop,
): Promise<AddressAnswer> {
  const startMs = performance.now();
  const budgetMs = deadlineMs - startMs;
  if (budgetMs <= 0) return { kind: "failed", code: "dns-timeout" };
  const { hostname } = url;
  const resolve = () => deps.resolve(hostname, family, budgetMs, signal);
  const found = await findAddresses(hostname, family, resolve, deps.addressRules);
  notes.timings.dnsMs = (notes.timings.dnsMs ?? 0) + elapsedMs(startMs);
  if (found.kind === "addresses" && found.hasRefused) notes.hasRefusedAddresses = true;
  return found;
}

/** Reports the first failure, because later addresses may be meant for other networks. */
async function connectToAny(
  addresses: readonly string[],
  port: number,
  { deps, attempt, deadlineMs, signal, notes }: Hop,
): Promise<Opening> {
  const startMs = performance.now();
  const first = attempt % addresses.length;
  const inTurn = [...addresses.slice(first), ...addresses.slice(0, first)];
  let failure: Failure | undefined;
  for (const address of inTurn.slice(0, deps.limits.addresses)) {
    const budgetMs = Math.min(deps.limits.tcpMs, deadlineMs - performance.now());
    if (budgetMs <= 0 || signal.aborted) break;
    notes.address ??= address;
    const result = await connectTcp(address, port, budgetMs, signal);
    notes.timings.tcpMs = elapsedMs(startMs);
    if (result.kind === "connected") notes.address = address;
    if (result.kind !== "failed") return result;
    failure ??= result;
  }
  return failure ?? { kind: "failed", code: "tcp-timeout" };
}

/** Whole milliseconds since a time of `performance.now()`. */
export function elapsedMs(startMs: number): number {
  return Math.round(performance.now() - startMs);
}
