import type { Socket } from "node:net";
import type { Trust } from "../model/catalogue.ts";
import { exchange, type Connection, type HttpAnswer } from "./http.ts";
import {
  elapsedMs,
  openConnection,
  type Effort,
  type Failure,
  type Unable,
  type OpenDependencies,
  type OpenNotes,
} from "./open-connection.ts";
import { secure, type TrustRoots } from "./tls.ts";

export interface HopDependencies extends OpenDependencies {
  readonly roots: TrustRoots;
}

/** What is seen of one hop while it is under way: whatever ends it, this much is known. */
export interface HopNotes extends OpenNotes {
  socket?: Socket;
  tlsVerified: boolean | null;
  isNationalIssuer?: true;
  certExpiresAtMs?: number;
  httpStatus?: number;
  bodyBytes: number;
  readonly timings: {
    dnsMs?: number;
    tcpMs?: number;
    tlsMs?: number;
    firstByteMs?: number;
    bodyMs?: number;
  };
}

/** The notes of a hop that has seen nothing yet, with what stays true from the hop before. */
export function startNotes({ hasRefusedAddresses }: Partial<HopNotes> = {}): HopNotes {
  const notes: HopNotes = { tlsVerified: null, bodyBytes: 0, timings: {} };
  return hasRefusedAddresses === undefined ? notes : { ...notes, hasRefusedAddresses };
}

/** One GET of one URL over a connection of its own, which is closed by the time this resolves. */
export async function makeHop(
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: Effort,
  notes: HopNotes,
): Promise<HttpAnswer | Failure | Unable> {
  const opened = await openConnection(url, deps, effort, notes);
  if (opened.kind !== "opened") return opened;
  const raw = opened.socket;
  notes.socket = raw;
  const connection =
    url.protocol === "https:"
      ? await secureConnection(raw, url, trust, deps, effort, notes)
      : { stream: raw, raw };
  if ("kind" in connection) return connection;
  const answer = await exchange(url, connection, deps.limits, effort.deadlineMs);
  if (answer.kind === "failed") return answer;
  notes.httpStatus = answer.status;
  notes.bodyBytes = answer.body.length;
  notes.timings.firstByteMs = Math.round(answer.firstByteMs);
  notes.timings.bodyMs = Math.round(answer.bodyMs);
  return answer;
}

async function secureConnection(
  raw: Socket,
  url: URL,
  trust: Trust,
  deps: HopDependencies,
  effort: Effort,
  notes: HopNotes,
): Promise<Connection | Failure> {
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
