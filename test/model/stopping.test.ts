import { expect, test } from "vitest";
import { unlessStopped, untilStopped } from "../../src/model/stopping.ts";

/** A step that ends when it is told to. */
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

test("a step that is not stopped gives its value, or rejects as it does", async () => {
  const { signal } = new AbortController();
  expect(await unlessStopped(() => Promise.resolve("done"), signal)).toBe("done");
  const failing = unlessStopped(() => Promise.reject(new Error("broken")), signal);
  await expect(failing).rejects.toThrow("broken");
});

test("a stop leaves a step alone that does not end", async () => {
  const stop = new AbortController();
  const step = createStep();
  const value = unlessStopped(step.run, stop.signal);
  stop.abort();
  expect(await value).toBe("stopped");
});

test("what a step opens after the stop is closed again", async () => {
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

test("a step that ends in the moment of the stop is closed again, too", async () => {
  const stop = new AbortController();
  const step = createStep();
  const undone: string[] = [];
  const value = unlessStopped(step.run, stop.signal, (late) => undone.push(late));
  step.end("port");
  stop.abort();
  expect(await value).toBe("stopped");
  expect(undone).toEqual(["port"]);
});

test("a step that fails after the stop is no failure of anybody", async () => {
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

test("a stop is heard whether it came before or comes later", async () => {
  await untilStopped(AbortSignal.abort());
  const stop = new AbortController();
  const stopped = untilStopped(stop.signal);
  stop.abort();
  await stopped;
});
