import { setMaxListeners } from "node:events";

/** Calls a function at an abort, until what is returned is called. Hundreds of requests may listen to one signal, which is no leak. */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  setMaxListeners(0, signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}
