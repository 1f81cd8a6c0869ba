import { setMaxListeners } from "node:events";
import { connect, type Socket } from "node:net";
import type { FailureCode } from "../../model/failures.ts";

export type TcpResult =
  | { readonly kind: "connected"; readonly socket: Socket }
  | { readonly kind: "failed"; readonly code: Extract<FailureCode, `tcp-${string}`> }
  /** This machine had no socket left, which proves nothing about the service. */
  | { readonly kind: "skipped"; readonly reason: "runner-exhausted" };

/** Limits on open files, of the process or the system, and on buffers. Source: socket(2), connect(2). */
const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"]);

const CODES: Readonly<Record<string, Extract<FailureCode, `tcp-${string}`>>> = {
  ECONNREFUSED: "tcp-refused",
  ECONNRESET: "tcp-reset",
  ETIMEDOUT: "tcp-timeout",
  ENETUNREACH: "tcp-unreachable",
  EHOSTUNREACH: "tcp-unreachable",
  ENETDOWN: "tcp-unreachable",
  EHOSTDOWN: "tcp-unreachable",
  // Without a route for the address family, the kernel finds no source address.
  EADDRNOTAVAIL: "tcp-unreachable",
  EAFNOSUPPORT: "tcp-unreachable",
};

/**
 * Opens a connection to exactly this address. Node's "happy eyeballs" is off: it limits each attempt except the last to 250 ms, so that
 * distant hosts seem dead (nodejs/node#54359). An abort ends the attempt, and later destroys the open connection.
 */
export function connectTcp(
  address: string,
  port: number,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<TcpResult> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true, autoSelectFamily: false });
    const abort = (): void => {
      socket.destroy();
      settle({ kind: "failed", code: "tcp-timeout" });
    };
    socket.once("close", onAbort(signal, abort));
    const settle = (result: TcpResult): void => {
      clearTimeout(timer);
      socket.off("connect", onConnect).off("error", onError);
      // The next stage has its own error listeners. Without this one, an error in between would be unhandled.
      socket.on("error", ignore);
      if (result.kind !== "connected") socket.destroy();
      resolve(result);
    };
    const onConnect = (): void => settle({ kind: "connected", socket });
    const onError = (error: Error): void => settle(connectionFailure(error));
    const timer = setTimeout(() => settle({ kind: "failed", code: "tcp-timeout" }), timeoutMs);
    socket.once("connect", onConnect);
    socket.once("error", onError);
  });
}

/** What an error of a connection that was not open yet says. */
export function connectionFailure({ code = "" }: NodeJS.ErrnoException): TcpResult {
  if (EXHAUSTED.has(code)) return { kind: "skipped", reason: "runner-exhausted" };
  return { kind: "failed", code: CODES[code] ?? "tcp-error" };
}

function ignore(): void {}

/** Calls a function at an abort, or soon after one, until what is returned is called. Hundreds may listen to one signal, and none leaks. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
  if (signal.aborted) queueMicrotask(listener);
  return () => signal.removeEventListener("abort", listener);
}
