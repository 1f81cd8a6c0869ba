import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsNamed } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { PATIENCE_MS } from "../patience.ts";
import { runThrough, startWorker, writeMonitors } from "./engine-harness.ts";
import { type NatsServer, startNats } from "./nats.ts";

const { workspace } = useCliFixture();

let server: NatsServer;
beforeAll(async () => {
  server = await startNats();
}, PATIENCE_MS);
afterAll(() => server.close());

const minutesAgo = (minutes: number): readonly string[] => [
  "--at",
  new Date(Date.now() - minutes * 60_000).toISOString(),
];

describe("two workers", () => {
  test("check what the threads of a run would, with the same bytes in the end", async () => {
    const [here, away] = [await workspace(), await workspace()];
    for (const one of [here, away]) {
      await writeMonitors(one, 30);
      await one.set("m3", { kind: "page", status: 503 });
      await one.set("m4", { kind: "tcp-refused" });
    }
    await startWorker(away, server);
    await startWorker(away, server);
    for (const at of [minutesAgo(20), minutesAgo(10)]) {
      const embedded = await runThrough(here, undefined, at);
      const dispatched = await runThrough(away, server, at);
      expect(dispatched.counts).toEqual({ healthy: 28, failing: 2, refused: 0, skipped: 0 });
      expect(embedded.counts).toEqual(dispatched.counts);
      expect(dispatched.engine).toMatchObject({ dropped: 0 });
    }
  });
});

test("an engine that does not answer leaves the services in time, in one sentence", async () => {
  const one = await workspace();
  await writeMonitors(one, 3);
  const gone = { ...server, url: "nats://127.0.0.1:9" };
  const { code, counts, stderr } = await runThrough(one, gone);
  expect([code, counts]).toEqual([0, { healthy: 0, failing: 0, refused: 0, skipped: 3 }]);
  const [warning, ...more] = eventsNamed(stderr, "monitors-degraded");
  expect(more).toEqual([]);
  expect(warning?.["message"]).toMatch(/^--engine nats:\/\/127\.0\.0\.1:9: .+ is skipped/u);
});
