/** A promise and the function that resolves it; `Promise.withResolvers` is not in Node 20. */
export function createSignal<T>(): readonly [promise: Promise<T>, resolve: (value: T) => void] {
  let resolveIt: ((value: T) => void) | undefined;
  const promise = new Promise<T>((resolve) => {
    resolveIt = resolve;
  });
  return [promise, (value) => resolveIt?.(value)];
}

/** Resolves as soon as a stop is requested. */
export function untilStopped(stop: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

/**
 * The value of a startup step, or `stopped` as soon as a stop is requested: a store or name server that does not answer must not
 * delay the exit. An abandoned step runs on until the process ends. After a stop, a step does not begin. Rejects as the step does.
 *
 * @param undo closes what an abandoned step has opened. Must not throw.
 */
export async function unlessStopped<T>(
  step: () => Promise<T>,
  stop: AbortSignal,
  undo: (value: T) => unknown = () => undefined,
): Promise<T | "stopped"> {
  if (stop.aborted) return "stopped";
  const running = step();
  const settled = new AbortController();
  const [stopped, leave] = createSignal<"stopped">();
  stop.addEventListener("abort", () => leave("stopped"), { once: true, signal: settled.signal });
  const first = await Promise.race([stopped, running]).finally(() => settled.abort());
  // The step can have ended at the same moment.
  if (!stop.aborted) return first;
  running.then(undo).catch(() => undefined);
  return "stopped";
}
