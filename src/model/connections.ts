/*
 * What a server of ours tells of its connections, and what it cannot hand to an application: shared by what listens
 * (`src/serve`) and what counts and answers (`src/intake`).
 */

/**
 * Why a request never reached the application: its head is no HTTP, longer than 16 KiB, or not complete in time; its method is
 * none that HTTP knows; or the adapter before the application failed.
 */
export type RequestFault =
  | "malformed"
  | "head-too-large"
  | "too-slow"
  | "unknown-method"
  | "internal";

/**
 * Why a connection was closed by us before its client was done. `dropped`: it had waited longest for its client when there was no
 * room for a newer one; `refused`: it came when there was no room, and no other could be dropped. Both either by the limit in all
 * or by that of its network. `timed-out`: its request was not complete in time.
 */
export const CONNECTION_CUTS = [
  "dropped",
  "dropped-network",
  "refused",
  "refused-network",
  "timed-out",
] as const;

export type ConnectionCut = (typeof CONNECTION_CUTS)[number];

/** Told what happens to connections. Nothing in it leads to a client. */
export interface ConnectionObserver {
  /** So many are open now, of so many that may be; told at the start and with every change. */
  readonly onOpen: (connections: number, limit: number) => void;
  readonly onCut: (reason: ConnectionCut) => void;
  /** A request was answered in place of the application. */
  readonly onFault: (fault: RequestFault) => void;
}

/** The answer to a request that never reached the application. The target is the one of the request line, if that was seen. */
export type AnswerFault = (fault: RequestFault, target?: string) => Response;

/** The network that a connection from an address is counted to; undefined: a trusted proxy, which is everybody. */
export type NetworkOf = (remoteAddress: string) => string | undefined;
