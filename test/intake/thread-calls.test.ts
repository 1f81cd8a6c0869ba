import { expect, onTestFinished, test } from "vitest";
import { createLooker } from "../../src/intake/owner-runtime.ts";
import { createPublisher } from "../../src/intake/publisher.ts";
import { createCallThread, ThreadGoneError } from "../../src/intake/thread-calls.ts";
import { builtThread } from "../../src/model/program-folder.ts";
import type { ProbeConfig } from "../../src/probe/probe-config.ts";

const RULES = {
  url: new URL("stubborn-thread.mjs", import.meta.url),
  name: "the thread of the test",
  silenceMs: 3_000,
  limits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 8 },
};

function openThread() {
  const thread = createCallThread<{ readonly what: string }, unknown>({
    ...RULES,
    workerData: "data",
  });
  onTestFinished(thread.close);
  return thread;
}

test("calls get their answers, each its own", async () => {
  const thread = openThread();
  const answers = await Promise.all(["a", "b"].map((what) => thread.ask({ what })));
  expect(answers).toEqual([
    { act: "a", workerData: "data" },
    { act: "b", workerData: "data" },
  ]);
  await expect(thread.ask({ what: "fail" })).rejects.toThrow("it failed");
});

test("events of a thread are passed on, and do not count as answers", async () => {
  const events: unknown[] = [];
  const thread = createCallThread<{ readonly what: string }, unknown>({
    ...RULES,
    workerData: "data",
    onEvent: (event) => void events.push(event),
  });
  onTestFinished(thread.close);
  expect(await thread.ask({ what: "tell" })).toEqual({ act: "tell", workerData: "data" });
  expect(events).toEqual([{ event: "told" }]);
});

test("a thread that nothing was asked of is not there to be closed", async () => {
  await expect(openThread().close()).resolves.toBeUndefined();
});

test("the file of a thread is a built one", () => {
  expect(builtThread("look-thread").href).toMatch(/^file:.*\/dist\/program\/look-thread\.js$/u);
});

test.each([
  ["stand-still", "the thread of the test stood still for 3 s and was started again"],
  ["eat", "the thread of the test has ended: Worker terminated due to reaching memory limit"],
  ["throw", "the thread of the test has ended: thrown in the thread"],
])(
  "a thread that does %s is gone with its calls, and the next call has another",
  async (what, why) => {
    const thread = openThread();
    const calls = await Promise.allSettled(["wait", what].map((one) => thread.ask({ what: one })));
    for (const call of calls) {
      expect(call).toMatchObject({ status: "rejected", reason: expect.any(ThreadGoneError) });
      expect(String("reason" in call && call.reason)).toContain(why);
    }
    expect(await thread.ask({ what: "again" })).toMatchObject({ act: "again" });
  },
);

test("a thread that waits for its work is left alone", async () => {
  const thread = openThread();
  const waiting = thread.ask({ what: "wait" });
  await new Promise((resolve) => setTimeout(resolve, RULES.silenceMs + 2_000));
  expect(await thread.ask({ what: "there" })).toMatchObject({ act: "there" });
  await thread.close();
  await expect(waiting).rejects.toThrow(/^the thread of the test has ended$/u);
});

test("a page that ends its reader is named, and those read beside it are read again", async () => {
  const config: ProbeConfig = JSON.parse("{}");
  const looker = createLooker(config, () => 7, RULES);
  onTestFinished(looker.close);
  const lookAt = (what: string) =>
    looker.look({ id: what, url: `https://shop.example.ru/${what}`, tokens: [], withinMs: 1_000 });
  const nothing = { atMs: 7, isDenied: false, places: new Map() };
  expect(await lookAt("fail")).toEqual(nothing);
  const [hostile, honest, failing] = await Promise.all(["eat", "honest", "fail"].map(lookAt));
  expect(hostile).toEqual({ ...nothing, hasEndedReader: true });
  expect(failing).toEqual(nothing);
  expect(honest).toMatchObject({ act: "honest" });
});

test("a publish whose thread is closed says which thread has ended", async () => {
  // The settings are read with the first publish, which does not come so far.
  const publisher = createPublisher({} as never, () => undefined);
  const publishing = publisher.publish(0, false);
  await Promise.all([
    publisher.close(),
    expect(publishing).rejects.toThrow(/^the publishing thread has ended/u),
  ]);
});
