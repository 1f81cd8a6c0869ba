import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeShard } from "../../src/state/codec/monitor-shard.ts";
import { eventsNamed } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { readTree, type Workspace } from "../cli/workspace.ts";
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

/** The stores of a run, beside those of others of the same workspace. */
const storesIn = (name: string): readonly string[] => [
  "--store",
  `file:${name}/public`,
  "--state",
  `file:${name}/state`,
];

/** What is kept of each monitor, without response times, which no two checks share. */
async function recordsIn(one: Workspace, name: string): Promise<ReadonlyMap<string, object>> {
  const folder = join(one.folder, name, "state/monitors");
  const shards = await Promise.all(
    (await readdir(folder)).map(async (file) => decodeShard(await readFile(join(folder, file)))),
  );
  return new Map(
    shards.flatMap((decoded) =>
      decoded.kind === "ok"
        ? [...decoded.value.records].map(([id, { response, ...record }]) => {
            return [id, { ...record, hasResponse: response !== undefined }] as const;
          })
        : [],
    ),
  );
}

/** All that is published, but for what has response times in it. */
async function publishedIn(one: Workspace, name: string): Promise<ReadonlyMap<string, string>> {
  const files = await readTree(join(one.folder, name, "public"));
  return new Map(
    [...files].filter(([path]) => !/^(?:(?:en\/)?(?:m|status)|evidence)\//u.test(path)),
  );
}

test("two workers check like the threads of a run, and leave the same bytes", async () => {
  const one = await workspace();
  await writeMonitors(one, 30);
  await one.set("m3", { kind: "page", status: 503 });
  await one.set("m4", { kind: "tcp-refused" });
  await startWorker(one, server);
  await startWorker(one, server);
  for (const at of [minutesAgo(20), minutesAgo(10)]) {
    const embedded = await runThrough(one, undefined, [...at, ...storesIn("here")]);
    const dispatched = await runThrough(one, server, [...at, ...storesIn("away")]);
    expect(dispatched.counts).toEqual({ healthy: 28, failing: 2, refused: 0, skipped: 0 });
    expect(embedded.counts).toEqual(dispatched.counts);
    expect(dispatched.engine).toMatchObject({ dropped: 0 });
  }
  const [here, away] = [await publishedIn(one, "here"), await publishedIn(one, "away")];
  expect(here.size).toBeGreaterThan(30 * 6);
  expect(away).toEqual(here);
  const kept = await recordsIn(one, "here");
  expect(kept.size).toBe(30);
  expect(await recordsIn(one, "away")).toEqual(kept);
});

test("an engine that does not answer leaves the services in time, in one sentence", async () => {
  const one = await workspace();
  await writeMonitors(one, 3);
  const gone = { ...server, url: "nats://127.0.0.1:9" };
  const { code, counts, stderr } = await runThrough(one, gone);
  expect([code, counts]).toEqual([0, { healthy: 0, failing: 0, refused: 0, skipped: 3 }]);
  const [warning, ...more] = eventsNamed(stderr, "monitors-degraded");
  expect(more).toEqual([]);
  expect(warning?.["message"]).toMatch(/^engine nats:\/\/127\.0\.0\.1:9: .+ is skipped/u);
});
