/** Resolves when a stop is asked for. */
export function untilStopped(stop: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener("abort", () => resolve(undefined), { once: true });
  });
}

/**
 * What a step of a start gives, or `stopped` as soon as a stop is asked for: a store or a name server that does not answer must not
 * delay the end. The step that was left alone goes on until the process ends. A step that was not begun before the stop never
 * begins. Rejects as the step does.
 *
 * @param undo closes what a step has opened that was left alone. Must not throw.
 */
export async function unlessStopped<T>(
  step: () => Promise<T>,
  stop: AbortSignal,
  undo: (value: T) => unknown = () => undefined,
): Promise<T | "stopped"> {
  if (stop.aborted) return "stopped";
  const running = step();
  const settled = new AbortController();
  const stopped = new Promise<"stopped">((resolve) => {
    const leave = (): void => resolve("stopped");
    stop.addEventListener("abort", leave, { once: true, signal: settled.signal });
  });
  const first = await Promise.race([stopped, running]).finally(() => settled.abort());
  // The step can have ended in the same moment.
  if (!stop.aborted) return first;
  running.then(undo).catch(() => undefined);
  return "stopped";
}
