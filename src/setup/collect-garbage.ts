import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Returns a function that collects young garbage in some milliseconds. V8 does not count the memory of resvg outside the heap, so a
 * hundred megabytes of unused pixels would stay in memory until the heap is full.
 */
export function createYoungCollector(): () => void {
  const collect = exposeCollector();
  return () => collect({ type: "minor" });
}

/** Text after which garbage is collected at first, bytes. */
const FIRST_BYTES = 4 * 1024 * 1024;
/** And later, as a share of all that was parsed: collecting takes as long as what lives is large. */
const SHARE = 0.125;

/**
 * Returns a function that is told how much text was parsed, and now and then collects all garbage. V8 lets a heap grow to twice what
 * lives before it collects: of a registry of a million monitors that is 300 MB of rubbish.
 */
export function createPacedCollector(): (parsedBytes: number) => void {
  let collect: Collect | undefined;
  let [total, since] = [0, 0];
  return (parsedBytes) => {
    total += parsedBytes;
    since += parsedBytes;
    if (since < Math.max(FIRST_BYTES, SHARE * total)) return;
    since = 0;
    collect ??= exposeCollector();
    // Without a type, V8 of Node 20 collects everything; any type means the young alone.
    collect();
  };
}

/**
 * From now on the young heap does not grow. V8 would double it up to 32 MB while a run allocates: the peak is 25 MB higher then, and no run
 * is faster. V8 of Node 20 forgets it when a worker is started. Source: docs/performance.md.
 */
export function stopYoungGrowth(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

type Collect = (options?: { readonly type: "minor" }) => void;

/**
 * V8 exposes its collector only behind a flag, and only in contexts created after it is set. Without it, the function does nothing.
 * Source: https://nodejs.org/api/v8.html#v8setflagsfromstringflags
 */
function exposeCollector(): Collect {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("globalThis.gc");
  setFlagsFromString("--no-expose-gc");
  return typeof collect === "function"
    ? (options) => void (options === undefined ? collect() : collect(options))
    : () => undefined;
}
