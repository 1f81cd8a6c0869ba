import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Returns a function that collects young garbage in some milliseconds. V8 does not count the memory of resvg outside the heap, so a
 * hundred megabytes of unused pixels would stay in memory until the heap is full.
 *
 * V8 exposes its collector only behind a flag, and only in contexts created after it is set. Without it, the function does nothing. Source: https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
export function createYoungCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function"
    ? () => {
        collect({ type: "minor" });
      }
    : () => undefined;
}
