import { expect, test } from "vitest";
import { connectEngine } from "../../src/engine/connection.ts";
import { checkThroughEngine } from "../../src/engine/dispatch.ts";
import { createOnlineCheck, serveBatches } from "../../src/engine/serve-batches.ts";
import { startFakeNats } from "./fake-nats.ts";

test("a publisher without its engine skips what it would check, and says so", async () => {
  const { url } = await startFakeNats();
  const warnings: string[] = [];
  const results = await checkThroughEngine(
    [{ id: "a", url: "https://a.example/", lastState: "unknown" }],
    {
      address: { url },
      cell: "0-1",
      vantages: ["main"],
      slotNow: () => 7,
    },
    new AbortController().signal,
    {
      onProgress: () => undefined,
      onWarning: (warning) => void warnings.push(warning),
      onDone: () => undefined,
    },
    1_000,
  );
  expect(results.get("a")?.kind).toBe("skipped");
  expect(warnings).toEqual([
    `engine ${url}: no streams here. What no worker has answered is skipped in this run.`,
  ]);
});

test("a worker without work says why, once for the same reason", async () => {
  const { url } = await startFakeNats();
  const connection = await connectEngine({ url }, { vantage: "main" }, false);
  const stop = new AbortController();
  const warnings: string[] = [];
  let pauses = 0;
  await serveBatches({
    connection,
    vantage: "main",
    // No batch comes, so nothing else is asked of it.
    crew: { isHungry: () => true } as never,
    online: createOnlineCheck({
      ask: async () => true,
      now: () => 0,
      sleep: async () => undefined,
    }),
    sleep: async () => void ((pauses += 1) === 2 && stop.abort("aborted")),
    onEnd: () => undefined,
    onWarning: (warning) => void warnings.push(warning),
    signal: stop.signal,
  });
  await connection.close();
  expect(warnings).toEqual(["The engine gives no work: no streams here."]);
});
