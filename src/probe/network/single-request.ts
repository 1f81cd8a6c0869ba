import type { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import type { Trust } from "../../model/service/catalogue.ts";
import type { Oddity } from "../../model/probe-outcome.ts";
import { isCoded } from "../answer/answer-text.ts";
import { exchange, type Connection, type HttpRequest, type HttpResponse } from "./http.ts";
import {
  elapsedMs,
  openConnection,
  type ProbeBudget,
  type Failure,
  type Unable,
  type OpenDependencies,
  type OpenNotes,
} from "./open-connection.ts";
import { secure, type TlsResult, type TrustRoots } from "./tls.ts";

/** The certificate at an address, of a stranger; undefined: there is none that can be had. Never rejects. */
export type FetchIssuer = (
  url: string,
  signal: AbortSignal,
) => Promise<X509Certificate | undefined>;

export interface HopDependencies extends OpenDependencies {
  readonly roots: TrustRoots;
  /** @default none, which some walls refuse */
  readonly userAgent?: string;
  /** Absent: a chain without an intermediate is not completed. */
  readonly fetchIssuer?: FetchIssuer;
}

/** What is known of one hop, filled in while it runs, so that a failure leaves a trace too. */
export interface RequestTrace extends OpenNotes {
  socket?: Socket;
  tlsVerified: boolean | null;
  isNationalIssuer?: true;
  certExpiresAtMs?: number;
  httpStatus?: number;
  wall?: string;
  serverMs?: number;
  bodyBytes: number;
  readonly timings: {
    dnsMs?: number;
    tcpMs?: number;
    tlsMs?: number;
    firstByteMs?: number;
    bodyMs?: number;
  };
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

/** How a probe sends one request. */
export type SendRequest = typeof sendRequest;

/** One request of one URL, a GET unless another is given, over its own connection, which is closed before this resolves. */
export async function sendRequest(
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: ProbeBudget,
  notes: RequestTrace,
  { method, headers, ...body }: HttpRequest = { method: "GET", headers: {} },
): Promise<HttpResponse | Failure | Unable> {
  const connection = await openStream(url, trust, deps, effort, notes);
  if ("kind" in connection) return connection;
  notes.socket = connection.raw;
  const named = deps.userAgent === undefined ? {} : { "user-agent": deps.userAgent };
  const request = { method, headers: { ...named, ...headers }, ...body };
  const answer = await exchange(url, connection, deps.limits, effort.deadlineMs, request);
  if (answer.kind === "failed") return answer;
  notes.httpStatus = answer.status;
  noteOddities(notes, answer);
  notes.bodyBytes = answer.body.length;
  notes.timings.firstByteMs = Math.round(answer.firstByteMs);
  notes.timings.bodyMs = Math.round(answer.bodyMs);
  return answer;
}

function noteOddities(notes: RequestTrace, answer: HttpResponse): void {
  const found: readonly Oddity[] = isCoded(answer)
    ? [...answer.oddities, "coding-unasked"]
    : answer.oddities;
  if (found.length > 0) notes.oddities = [...new Set([...(notes.oddities ?? []), ...found])];
}

async function openStream(
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: ProbeBudget,
  notes: RequestTrace,
): Promise<Connection | Failure | Unable> {
  const opened = await openConnection(url, deps, effort, notes);
  if (opened.kind !== "opened") return opened;
  const raw = opened.socket;
  // Also of a handshake that fails.
  notes.socket = raw;
  if (url.protocol !== "https:") return { stream: raw, raw };
  const first = await secureConnection(raw, url, trust, deps, effort, notes);
  if (!("issuerUrl" in first) || first.issuerUrl === undefined) return first;
  return (await completeChain(url, first.issuerUrl, trust, deps, effort, notes)) ?? first;
}

/** Connects to the server of a URL, with TLS for https, and sends nothing. */
export async function tryConnection(
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: ProbeBudget,
): Promise<{ readonly kind: "connected" } | Failure | Unable> {
  const connection = await openStream(url, trust, deps, effort, startNotes());
  if ("kind" in connection) return connection;
  connection.stream.destroy();
  connection.raw.destroy();
  return { kind: "connected" };
}

async function secureConnection(
  raw: Socket,
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: ProbeBudget,
  notes: RequestTrace,
): Promise<Connection | Extract<TlsResult, { kind: "failed" }>> {
  const startMs = performance.now();
  const budgetMs = Math.max(1, Math.min(deps.limits.tlsMs, effort.deadlineMs - startMs));
  const host = url.hostname.replace(/^\[|\]$/gu, "");
  const result = await secure(raw, host, trust, deps.roots, budgetMs);
  notes.timings.tlsMs = elapsedMs(startMs);
  if (result.certExpiresAtMs !== undefined) notes.certExpiresAtMs = result.certExpiresAtMs;
  if (result.kind === "failed") {
    notes.tlsVerified = result.code.startsWith("cert-") ? false : null;
    return result;
  }
  notes.tlsVerified = result.isVerified;
  if (result.isNationalIssuer) notes.isNationalIssuer = true;
  return { stream: result.socket, raw };
}

/** A second connection, with the certificate that the server should have sent. Undefined: there is none, or it does not help. */
async function completeChain(
  url: URL,
  issuerUrl: string,
  trust: Trust,
  deps: HopDependencies,
  effort: ProbeBudget,
  notes: RequestTrace,
): Promise<Connection | undefined> {
  const issuer = await deps.fetchIssuer?.(issuerUrl, effort.signal);
  const context = issuer && deps.roots.extend(trust, issuer);
  if (context === undefined) return undefined;
  const opened = await openConnection(url, deps, effort, notes);
  if (opened.kind !== "opened") return undefined;
  const roots = { ...deps.roots, contexts: { public: context, national: context } };
  const connection = await secureConnection(
    opened.socket,
    url,
    trust,
    { ...deps, roots },
    effort,
    notes,
  );
  if ("kind" in connection) return undefined;
  notes.oddities = [...(notes.oddities ?? []), "chain-incomplete"];
  return connection;
}
