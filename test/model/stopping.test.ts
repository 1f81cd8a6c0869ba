import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { createSignal, unlessStopped, untilStopped } from "../../src/model/stopping.ts";

/** A step that ends on command. */
function createStep() {
  let end: ((value: string) => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const running = new Promise<string>((resolve, reject) => {
    [end, fail] = [resolve, reject];
  });
  return {
    run: () => running,
    end: (value: string) => end?.(value),
    fail: (error: Error) => fail?.(error),
  };
}

test("a step that is not stopped resolves or rejects as usual", async () => {
  const { signal } = new AbortController();
  expect(await unlessStopped(() => Promise.resolve("done"), signal)).toBe("done");
  const failing = unlessStopped(() => Promise.reject(new Error("broken")), signal);
  await expect(failing).rejects.toThrow("broken");
});

test("a stop does not wait for a step", async () => {
  const stop = new AbortController();
  const step = createStep();
  const value = unlessStopped(step.run, stop.signal);
  stop.abort();
  expect(await value).toBe("stopped");
});

test("a resource that a step opens after the stop is closed", async () => {
  const stop = new AbortController();
  const step = createStep();
  const undone: string[] = [];
  const value = unlessStopped(step.run, stop.signal, (late) => undone.push(late));
  stop.abort();
  expect(await value).toBe("stopped");
  step.end("port");
  await step.run();
  await Promise.resolve();
  expect(undone).toEqual(["port"]);
});

test("the resource of a step that ends at the time of the stop is closed", async () => {
  const stop = new AbortController();
  const step = createStep();
  const undone: string[] = [];
  const value = unlessStopped(step.run, stop.signal, (late) => undone.push(late));
  step.end("port");
  stop.abort();
  expect(await value).toBe("stopped");
  expect(undone).toEqual(["port"]);
});

test("the failure of a step after the stop is ignored", async () => {
  const stop = new AbortController();
  const step = createStep();
  const value = unlessStopped(step.run, stop.signal);
  stop.abort();
  step.fail(new Error("too late"));
  expect(await value).toBe("stopped");
});

test("after the stop no step begins", async () => {
  let hasBegun = false;
  const begin = async (): Promise<void> => void (hasBegun = true);
  expect(await unlessStopped(begin, AbortSignal.abort())).toBe("stopped");
  expect(hasBegun).toBe(false);
});

test("a stop resolves whether it came before or comes later", async () => {
  await untilStopped(AbortSignal.abort());
  const stop = new AbortController();
  const stopped = untilStopped(stop.signal);
  stop.abort();
  await stopped;
});

test("a step that has ended waits for no stop any more", async () => {
  const { signal } = new AbortController();
  await unlessStopped(() => Promise.resolve("done"), signal);
  await unlessStopped(() => Promise.reject(new Error("broken")), signal).catch(() => undefined);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a signal has the first value that it is given", async () => {
  const [promise, resolve] = createSignal<string>();
  resolve("first");
  resolve("second");
  expect(await promise).toBe("first");
});
