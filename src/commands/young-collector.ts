import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects objects that were made a moment ago and that nothing holds any more. Takes some milliseconds.
 *
 * It is for objects with much memory outside the heap. V8 does not count that of resvg: it collects them when the heap is
 * full, and until then a hundred megabytes of pixels that nobody needs stay in memory.
 *
 * V8 shows its collector to programs only behind a flag, and only to contexts that begin after it. Where it does not,
 * the function does nothing. Source: https://nodejs.org/api/v8.html#v8setflagsfromstringflags
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
