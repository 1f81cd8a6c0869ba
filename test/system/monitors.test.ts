import { createHash } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { shardKey, shardOf } from "../../src/model/monitor/shard.ts";
import { BADGE_NAMES } from "../cli/badge-names.ts";
import { type CliResult, eventsNamed } from "../cli/cli.ts";
import { useCliFixture } from "../cli/cli-fixture.ts";
import { startFront } from "./fronts.ts";
import {
  type Entry,
  expectBadgesAsListed,
  type MonitorHarness,
  openMonitorHarness,
} from "./monitor-harness.ts";
import { expectDone, publishedBy, startClock } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { watchRequests } from "./s3-harness.ts";
import { responseHourOf } from "../../src/monitors/uptime/time-slots.ts";
import { openHours } from "./slots.ts";
import { type StoreRelay, startStoreRelay } from "./store-relay.ts";
import type { Workspace } from "../cli/workspace.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const cliFixture = useCliFixture();
/** From two hours ago, so that every slot of a test is over and within the current windows. */
const { at, numberOf } = openHours(2);
const LIST = "api/v1/status";

afterAll(() => s3.destroy());

interface Scene {
  readonly workspace: Workspace;
  readonly harness: MonitorHarness;
  readonly entry: (id: string, isPublic?: boolean) => Entry;
}

/** Monitors whose hosts answer with a page, and two services. */
async function openScene(...ids: readonly string[]): Promise<Scene> {
  const workspace = await cliFixture.workspace([{ slug: "alpha" }, { slug: "beta" }]);
  const harness = await openMonitorHarness(ceph, s3, workspace);
  for (const id of ids) await workspace.set(id, { kind: "page" });
  const entry = (id: string, isPublic = true): Entry => ({
    id,
    url: `https://${workspace.host(id)}/`,
    public: isPublic,
  });
  return { workspace, harness, entry };
}

describe("the registry as an object in a bucket", () => {
  const EACH = 10;

  test(`two processes add ${EACH} monitors each: none is lost, badges precede their URLs`, async () => {
    const { harness } = await openScene();
    const clock = startClock();
    const slow = await startSlowRelay(ceph.endpoint);
    onTestFinished(() => slow.close());
    const add = async (id: string, isPublic: boolean): Promise<void> => {
      const adding = harness.startEdit(
        "add",
        `https://${id}.example.ru/`,
        "--id",
        id,
        "--monitors",
        harness.registryUrl(slow.endpoint),
        ...(isPublic ? ["--public"] : []),
      );
      if (isPublic) await expectBadgeBeforeAddress(harness, id, adding);
      expectDone(await adding.ended);
    };
    for (let index = 0; index < EACH; index += 1) {
      await Promise.all(["a", "b"].map((editor) => add(`${editor}${index}`, index % 5 === 0)));
    }
    const added = await harness.readRegistry();
    const expected = ["a", "b"].flatMap((editor) =>
      Array.from({ length: EACH }, (_, index) => `${editor}${index}`),
    );
    expect(added.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    const rows = await harness.list();
    expect(rows.size).toBe(2 * EACH);
    await expectBadgesAsListed(harness, rows);
    console.log(`${2 * EACH} monitors added in ${clock.seconds()}`);
  });
});

/**
 * Forwards bytes to a store with a delay, as if it were far away, so that two editors overlap. The delay is longer than the
 * difference between two processes that start at the same time.
 */
async function startSlowRelay(storeUrl: string) {
  const { hostname, port } = new URL(storeUrl);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (bytes) => setTimeout(() => to.write(bytes), 60));
      from.on("error", () => to.destroy());
      from.on("close", () => setTimeout(() => to.destroy(), 60));
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on TCP has an address of this type.
  const { port: own } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${own}`,
    close: async (): Promise<void> => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Reads the badges from the store as soon as the command prints its first output. */
async function expectBadgeBeforeAddress(
  harness: MonitorHarness,
  id: string,
  { child, stdout, stderr }: ReturnType<MonitorHarness["startEdit"]>,
): Promise<void> {
  const heads = await new Promise<readonly unknown[]>((resolve, reject) => {
    child.stdout?.once("data", () => {
      Promise.all(
        BADGE_NAMES.map(async (name) => [name, await harness.head(`api/m/${id}/${name}`)]),
      ).then(resolve, reject);
    });
    child.once("close", () => {
      if (stdout() === "") reject(new Error(`ended without a word: ${stderr()}`));
    });
  });
  expect(stdout()).toContain(`Badge: https://status.example/api/m/${id}/badge.svg`);
  const cache = "max-age=60";
  expect(heads).toEqual([
    ["badge-24h.svg", { type: "image/svg+xml; charset=utf-8", cache }],
    ["badge-7d.svg", { type: "image/svg+xml; charset=utf-8", cache }],
    ["badge-90d.svg", { type: "image/svg+xml; charset=utf-8", cache }],
    ["badge.json", { type: "application/json; charset=utf-8", cache }],
    ["badge.png", { type: "image/png", cache }],
    ["badge.svg", { type: "image/svg+xml; charset=utf-8", cache }],
  ]);
}

describe("runs over monitors", () => {
  const IDS = ["m0", "m1", "m2", "m3", "m4", "m5"];

  /** The monitors whose healthy check updates a response time, because their next hour began with the slot: see docs/monitors/uptime.md. */
  const dueIn = (slot: number, ...failing: readonly string[]) => {
    const absolute = slot - numberOf(0);
    const ids = IDS.slice(0, 5).filter((id) => {
      const [now, before] = [absolute, absolute - 1].map((one) => responseHourOf(shardOf(id), one));
      return now !== before && !failing.includes(id);
    });
    return {
      pages: ids.flatMap((id) => pagesOf(id)),
      shards: [...new Set(ids.map((id) => shardKey(shardOf(id))))],
    };
  };

  test("publish badges and pages, write only changes, and delete only what left", async () => {
    const { workspace, harness, entry } = await openScene(...IDS);
    await harness.writeRegistry(IDS.map((id) => entry(id, id !== "m5")));
    const first = await watchCommand(harness, () => harness.run(...at(0)));
    expect(first.result.stdout).toContain("| 6 monitors: 6 healthy, 0 failing |");
    const ofApi = first
      .asked("PUT", harness.publicBucket)
      .filter((key) => /^api\/(?:v1|m)\//u.test(key));
    expect(ofApi).toHaveLength(3 + 5 * 6);
    expect(first.asked("PUT", harness.publicBucket)).toEqual(
      expect.arrayContaining(IDS.slice(0, 5).flatMap((id) => pagesOf(id))),
    );
    await expectBadgesAsListed(harness, await harness.list());
    const shards = [...new Set(IDS.map((id) => shardKey(shardOf(id))))].toSorted();

    // Draws the pictures of the services, first the current ones, then those ahead.
    expectDone(await harness.run(...at(1)));
    // Nothing changed: only the list, the time of the run, and pages with a new response time are written. The services and the
    // monitors each have a generation; each shard is read once.
    const steady = await watchCommand(harness, () => harness.run(...at(2)));
    const timed = dueIn(2);
    expect(steady.asked("PUT", harness.publicBucket).toSorted()).toEqual(
      [LIST, "checked.svg", "metrics", ...timed.pages].toSorted(),
    );
    expect(steady.asked("GET", harness.stateBucket).toSorted()).toEqual(
      // The bucket itself is listed twice, for the inbox.
      ["", "", ...shards, "state.json.gz", "state.json.gz"].toSorted(),
    );
    expect(withoutSpool(steady.asked("PUT", harness.stateBucket)).toSorted()).toEqual(
      [...timed.shards, ...Array<string>(4).fill("state.json.gz")].toSorted(),
    );
    expect(publishedBy(steady.result)).toMatchObject({
      requests: {
        // Changed objects are read before they are written.
        public: {
          read: timed.pages.length,
          find: 0,
          write: 3 + timed.pages.length,
          remove: 0,
          list: 0,
        },
        state: {
          read: shards.length + 2,
          find: 0,
          write: 5 + timed.shards.length,
          remove: 0,
          list: 2,
        },
      },
    });
    console.log(`a steady run over ${IDS.length} monitors: ${describeSummary(steady.result)}`);

    // One monitor fails: its badges, pages, picture, feed and shard change.
    await workspace.set("m1", { kind: "page", status: 404 });
    const changed = await watchCommand(harness, () => harness.run(...at(3)));
    const others = dueIn(3, "m1");
    expect(changed.asked("PUT", harness.publicBucket).toSorted()).toEqual(
      [LIST, "checked.svg", "metrics", ...objectsOf("m1"), ...others.pages].toSorted(),
    );
    const touched = [...new Set([shardKey(shardOf("m1")), ...others.shards])];
    expect(withoutSpool(changed.asked("PUT", harness.stateBucket)).toSorted()).toEqual(
      [...touched, ...Array<string>(4).fill("state.json.gz")].toSorted(),
    );
    console.log(`one of them changes: ${describeSummary(changed.result)}`);
    await expectBadgesAsListed(harness, await harness.list());
    const before = await digestsOf(harness);
    const keep = (...gone: readonly string[]) =>
      new Map([...before].filter(([key]) => !gone.some((id) => key.startsWith(`api/m/${id}/`))));

    const off = await watchCommand(harness, () => harness.edit("unpublish", "m0", ...at(3)));
    expect(off.asked("DELETE", harness.publicBucket).toSorted()).toEqual(
      objectsOf("m0").toSorted(),
    );
    expect(await digestsOf(harness)).toEqual(keep("m0"));

    const removed = await watchCommand(harness, () => harness.edit("remove", "m2", ...at(3)));
    expect(removed.asked("DELETE", harness.publicBucket).toSorted()).toEqual(
      objectsOf("m2").toSorted(),
    );
    expect(await digestsOf(harness)).toEqual(keep("m0", "m2"));
    expect([...(await harness.list()).keys()]).toEqual(["m0", "m1", "m3", "m4", "m5"]);

    await harness.writeRegistry([
      entry("m0", false),
      entry("m1"),
      { ...entry("m3"), id: "renamed" },
      entry("m4"),
    ]);
    const renamed = await watchCommand(harness, () => harness.run(...at(4)));
    expect(renamed.asked("DELETE", harness.publicBucket).toSorted()).toEqual(
      objectsOf("m3").toSorted(),
    );
    const rows = await harness.list();
    expect(rows.get("renamed")?.uptime).toEqual({ decided: 1, healthy: 1 });
    expect(rows.get("m1")?.uptime).toEqual({ decided: 5, healthy: 3 });
    await expectBadgesAsListed(harness, rows);
  });
});

const pagesOf = (id: string): readonly string[] => [`m/${id}`, `en/m/${id}`];

/** Every published object of a monitor. */
const objectsOf = (id: string): readonly string[] => [
  ...BADGE_NAMES.map((name) => `api/m/${id}/${name}`),
  ...pagesOf(id),
  `card/m/${id}.png`,
  `feed/m/${id}.atom`,
  `history/v1/m/${id}.json`,
];

/** Without what a run keeps for the archive, whose name is its slot. */
const withoutSpool = (keys: readonly string[]): readonly string[] =>
  keys.filter((key) => !key.startsWith("archive-spool/"));

const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Digests by key. */
async function digestsOf(harness: MonitorHarness): Promise<ReadonlyMap<string, string>> {
  const keys = [...(await harness.badges())].flatMap(([id, names]) =>
    names.map((name) => `api/m/${id}/${name}`),
  );
  const bodies = keys.map(async (key) => [key, digestOf(await harness.read(key))] as const);
  return new Map(await Promise.all(bodies));
}

/** Runs a command that must succeed; returns its result and the requested keys by method and bucket. */
async function watchCommand(harness: MonitorHarness, act: () => Promise<CliResult>) {
  const buckets = [harness.publicBucket, harness.stateBucket];
  const { result, requests } = await watchRequests(ceph, buckets, act);
  const asked = (method: string, bucket: string): readonly string[] =>
    requests
      .filter((one) => one.method === method && one.path.startsWith(`/${bucket}/`))
      .map(({ path }) => path.slice(bucket.length + 2).replace(/\?.*$/u, ""));
  return { result: expectDone(result), asked };
}

describe("a badge behind nginx", () => {
  test("passes every check of verify", async () => {
    const { workspace, harness, entry } = await openScene("my-shop", "other");
    await harness.writeRegistry([entry("my-shop"), entry("other", false)]);
    const source = { endpoint: ceph.endpoint, bucket: harness.publicBucket, directory: "" };
    const front = await startFront("nginx", source, { isPlain: true });
    try {
      expectDone(await harness.run("--base-url", front.url.href));
      const verify = (id: string): Promise<CliResult> =>
        workspace.cli(["verify", front.url.href, "--expect", "2", "--badge", id, "--json"]);
      const passed = await verify("my-shop");
      const { checks } = readReport(passed);
      const bad = checks.filter(({ result }) => result !== "pass");
      // A front that has refused no request gives no refusal to check, and a first publish has no history.
      const later = new Set(["rate-limit", "data.history", "data.archive", "data.shields"]);
      expect(bad.filter(({ id, result }) => result === "fail" || !later.has(id))).toEqual([]);
      expect(passed.code).toBe(0);
      const ofBadges = checks.filter(({ id }) => id.startsWith("badge."));
      expect(ofBadges.length).toBeGreaterThan(10);
      console.log(`verify: ${checks.length} checks, ${ofBadges.length} of badges`);

      const failed = await verify("other");
      expect(failed.code).toBe(1);
      expect(readReport(failed).checks).toContainEqual(
        expect.objectContaining({ id: "badge.reachable", result: "fail" }),
      );
    } finally {
      await front.stop();
    }
  });
});

function readReport({ stdout }: CliResult) {
  return JSON.parse(stdout) as {
    readonly checks: readonly { readonly id: string; readonly result: string }[];
  };
}

describe("a registry that cannot be read", () => {
  let relay: StoreRelay;

  beforeAll(async () => {
    relay = await startStoreRelay(ceph.endpoint);
  });
  afterAll(() => relay.close());

  test.each(["refuse"] as const)(
    "because its bucket is down (%s) is a warning, badges stay, checks continue later",
    async (mode) => {
      // Too few for the guard against many removals to keep them.
      const ids = ["m0", "m1", "m2"];
      const { harness, entry } = await openScene(...ids);
      await harness.writeRegistry(ids.map((id) => entry(id)));
      const through = ["--monitors", harness.registryUrl(relay.endpoint)];
      await relay.setMode("pass");
      expectDone(await harness.run(...at(0), ...through));
      const before = await digestsOf(harness);
      expect(before.size).toBe(18);

      await relay.setMode(mode);
      const down = expectDone(await harness.run(...at(1), ...through));
      expect(down.stdout).toContain("2 services: 2 ok");
      expect(down.stdout).not.toContain("monitor");
      expect(eventsNamed(down.stderr, "warning").map(({ message }) => message)).toEqual([
        expect.stringContaining("--monitors"),
      ]);
      expect(await digestsOf(harness)).toEqual(before);
      console.log(
        `${mode}: ${(down.durationMs / 1_000).toFixed(1)} s, ${down.stderr.match(/.*"warning".*/u)?.[0] ?? ""}`,
      );

      await relay.setMode("pass");
      expectDone(await harness.run(...at(2), ...through));
      const rows = await harness.list();
      // The run without a registry checked none of them.
      for (const id of ids) {
        expect({ id, ...rows.get(id)?.uptime }).toEqual({ id, decided: 2, healthy: 2 });
      }
      await expectBadgesAsListed(harness, rows);
    },
  );
});

const describeSummary = ({ stdout }: CliResult): string =>
  stdout
    .split(" | ")
    .filter((part) => /object|requests/u.test(part))
    .join(" | ");
