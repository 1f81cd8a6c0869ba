/*
 * Connection events of a server, and requests that cannot reach its application: shared by the listener (`src/http-server`) and
 * the application that counts and answers them (`src/reports/intake`).
 */

/**
 * Why a request did not reach the application: its head is not HTTP, longer than 16 KiB, or not complete in time; its method is
 * unknown to HTTP; or the adapter in front of the application failed.
 */
export type RequestFault =
  | "malformed"
  | "head-too-large"
  | "too-slow"
  | "unknown-method"
  | "internal";

/**
 * Why the server closed a connection before its client was done. `dropped`: at the limit, it had waited longest for its client, and
 * made room for a newer one. `refused`: it was opened at the limit, and no other could be dropped. The limit is the total one or,
 * with `-network`, that of its network. `timed-out`: its request was not complete in time.
 */
export const CONNECTION_CUTS = [
  "dropped",
  "dropped-network",
  "refused",
  "refused-network",
  "timed-out",
] as const;

export type ConnectionCut = (typeof CONNECTION_CUTS)[number];

/** Receives connection events. None of them identifies a client. */
export interface ConnectionObserver {
  /** The number of open connections and its limit; called at the start and after every change. */
  readonly onOpen: (connections: number, limit: number) => void;
  readonly onCut: (reason: ConnectionCut) => void;
  /** The server answered a request instead of the application. */
  readonly onFault: (fault: RequestFault) => void;
}

/** The answer to a request that did not reach the application. `target` is that of the request line, if it was read. */
export type AnswerFault = (fault: RequestFault, target?: string) => Response;

/** The network to whose limit a connection counts; undefined: a trusted proxy, which carries connections of all networks. */
export type NetworkOf = (remoteAddress: string) => string | undefined;
