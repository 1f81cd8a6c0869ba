import { createHash } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { shardKey, shardOf } from "../../src/uptime/shard.ts";
import { BADGE_NAMES } from "../cli/badge-names.ts";
import { type CliResult, eventsNamed } from "../cli/cli.ts";
import { useTheatre } from "../cli/theatre.ts";
import { startFront } from "./fronts.ts";
import {
  type Entry,
  expectBadgesAsListed,
  type MonitorLab,
  openMonitorLab,
} from "./monitor-lab.ts";
import { expectDone, publishedBy, startClock } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { watchRequests } from "./s3-lab.ts";
import { responseHourOf } from "../../src/uptime/response.ts";
import { openHours } from "./slots.ts";
import { type StoreRelay, startStoreRelay } from "./store-relay.ts";
import type { Stage } from "../cli/stage.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const theatre = useTheatre();
/** From two hours ago, so that every slot of a test is over and the windows of now hold them all. */
const { at, numberOf } = openHours(2);
const LIST = "api/v1/status";

afterAll(() => s3.destroy());

interface Scene {
  readonly stage: Stage;
  readonly lab: MonitorLab;
  readonly entry: (id: string, isPublic?: boolean) => Entry;
}

/** Monitors whose hosts answer with a page, two services beside them. */
async function openScene(...ids: readonly string[]): Promise<Scene> {
  const stage = await theatre.stage([{ slug: "alpha" }, { slug: "beta" }]);
  const lab = await openMonitorLab(ceph, s3, stage);
  for (const id of ids) await stage.set(id, { kind: "page" });
  const entry = (id: string, isPublic = true): Entry => ({
    id,
    url: `https://${stage.host(id)}/`,
    public: isPublic,
  });
  return { stage, lab, entry };
}

describe("the registry as an object in a bucket", () => {
  const EACH = 10;

  test(`two processes add ${EACH} monitors each at once: none is lost, and each badge is there before its address is`, async () => {
    const { lab } = await openScene();
    const clock = startClock();
    const slow = await startSlowRelay(ceph.endpoint);
    onTestFinished(() => slow.close());
    const add = async (id: string, isPublic: boolean): Promise<void> => {
      const adding = lab.startEdit(
        "add",
        `https://${id}.example.ru/`,
        "--id",
        id,
        "--monitors",
        lab.registryUrl(slow.endpoint),
        ...(isPublic ? ["--public"] : []),
      );
      if (isPublic) await expectBadgeBeforeAddress(lab, id, adding);
      expectDone(await adding.ended);
    };
    for (let index = 0; index < EACH; index += 1) {
      await Promise.all(["a", "b"].map((editor) => add(`${editor}${index}`, index % 5 === 0)));
    }
    const added = await lab.readRegistry();
    const expected = ["a", "b"].flatMap((editor) =>
      Array.from({ length: EACH }, (_, index) => `${editor}${index}`),
    );
    expect(added.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
    const rows = await lab.list();
    expect(rows.size).toBe(2 * EACH);
    await expectBadgesAsListed(lab, rows);
    console.log(`${2 * EACH} monitors added in ${clock.seconds()}`);
  });
});

/**
 * Passes bytes on to a store, late: what takes a store nearby no time takes one far away so long that editors meet. Source of the
 * delay: more than two processes that start at once differ by.
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

/** Looks at the store in the moment in which the first word is printed. */
async function expectBadgeBeforeAddress(
  lab: MonitorLab,
  id: string,
  { child, stdout, stderr }: ReturnType<MonitorLab["startEdit"]>,
): Promise<void> {
  const heads = await new Promise<readonly unknown[]>((resolve, reject) => {
    child.stdout?.once("data", () => {
      Promise.all(
        BADGE_NAMES.map(async (name) => [name, await lab.head(`api/m/${id}/${name}`)]),
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

  /** Of whom a healthy check in a slot is remembered with its time, since another hour of theirs began with it: see docs/uptime.md. */
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

  test("publish badges and pages, write only what changed, and delete the objects of a monitor that goes, and no others", async () => {
    const { stage, lab, entry } = await openScene(...IDS);
    await lab.writeRegistry(IDS.map((id) => entry(id, id !== "m5")));
    const first = await watchCommand(lab, () => lab.run(...at(0)));
    expect(first.result.stdout).toContain("| 6 monitors: 6 healthy, 0 failing |");
    const ofApi = first.asked("PUT", lab.publicBucket).filter((key) => key.startsWith("api/"));
    expect(ofApi).toHaveLength(3 + 5 * 6);
    expect(first.asked("PUT", lab.publicBucket)).toEqual(
      expect.arrayContaining(IDS.slice(0, 5).flatMap((id) => pagesOf(id))),
    );
    await expectBadgesAsListed(lab, await lab.list());
    const shards = [...new Set(IDS.map((id) => shardKey(shardOf(id))))].toSorted();

    // Nothing changed: the list and the time of the run are written, and what shows a response time whose turn has come. The
    // services have a generation, and the monitors another; each shard is read once.
    const steady = await watchCommand(lab, () => lab.run(...at(1)));
    const timed = dueIn(1);
    expect(steady.asked("PUT", lab.publicBucket).toSorted()).toEqual(
      [LIST, "checked.svg", ...timed.pages].toSorted(),
    );
    expect(steady.asked("GET", lab.stateBucket).toSorted()).toEqual(
      // The bucket itself is asked twice, for what lies in the inbox.
      ["", "", ...shards, "state.json.gz", "state.json.gz"].toSorted(),
    );
    expect(steady.asked("PUT", lab.stateBucket).toSorted()).toEqual(
      [...timed.shards, ...Array<string>(4).fill("state.json.gz")].toSorted(),
    );
    expect(publishedBy(steady.result)).toMatchObject({
      requests: {
        // What changed is looked at before it is written.
        public: {
          read: timed.pages.length,
          find: 0,
          write: 2 + timed.pages.length,
          remove: 0,
          list: 0,
        },
        state: {
          read: shards.length + 2,
          find: 0,
          write: 4 + timed.shards.length,
          remove: 0,
          list: 2,
        },
      },
    });
    console.log(`a steady run over ${IDS.length} monitors: ${describeSummary(steady.result)}`);

    // One monitor fails: its badges, pages and picture, and its shard.
    await stage.set("m1", { kind: "page", status: 404 });
    const changed = await watchCommand(lab, () => lab.run(...at(2)));
    const others = dueIn(2, "m1");
    expect(changed.asked("PUT", lab.publicBucket).toSorted()).toEqual(
      [LIST, "checked.svg", ...objectsOf("m1"), ...others.pages].toSorted(),
    );
    const touched = [...new Set([shardKey(shardOf("m1")), ...others.shards])];
    expect(changed.asked("PUT", lab.stateBucket).toSorted()).toEqual(
      [...touched, ...Array<string>(4).fill("state.json.gz")].toSorted(),
    );
    console.log(`one of them changes: ${describeSummary(changed.result)}`);
    await expectBadgesAsListed(lab, await lab.list());
    const before = await digestsOf(lab);
    const keep = (...gone: readonly string[]) =>
      new Map([...before].filter(([key]) => !gone.some((id) => key.startsWith(`api/m/${id}/`))));

    const off = await watchCommand(lab, () => lab.edit("unpublish", "m0", ...at(2)));
    expect(off.asked("DELETE", lab.publicBucket).toSorted()).toEqual(objectsOf("m0").toSorted());
    expect(await digestsOf(lab)).toEqual(keep("m0"));

    const removed = await watchCommand(lab, () => lab.edit("remove", "m2", ...at(2)));
    expect(removed.asked("DELETE", lab.publicBucket).toSorted()).toEqual(
      objectsOf("m2").toSorted(),
    );
    expect(await digestsOf(lab)).toEqual(keep("m0", "m2"));
    expect([...(await lab.list()).keys()]).toEqual(["m0", "m1", "m3", "m4", "m5"]);

    await lab.writeRegistry([
      entry("m0", false),
      entry("m1"),
      { ...entry("m3"), id: "renamed" },
      entry("m4"),
    ]);
    const renamed = await watchCommand(lab, () => lab.run(...at(3)));
    expect(renamed.asked("DELETE", lab.publicBucket).toSorted()).toEqual(
      objectsOf("m3").toSorted(),
    );
    const rows = await lab.list();
    expect(rows.get("renamed")?.uptime).toEqual({ decided: 1, healthy: 1 });
    expect(rows.get("m1")?.uptime).toEqual({ decided: 4, healthy: 2 });
    await expectBadgesAsListed(lab, rows);
  });
});

const pagesOf = (id: string): readonly string[] => [`m/${id}`, `en/m/${id}`];

/** Everything that is published of a monitor. */
const objectsOf = (id: string): readonly string[] => [
  ...BADGE_NAMES.map((name) => `api/m/${id}/${name}`),
  ...pagesOf(id),
  `card/m/${id}.png`,
];

const digestOf = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex");

/** Digests by key. */
async function digestsOf(lab: MonitorLab): Promise<ReadonlyMap<string, string>> {
  const keys = [...(await lab.badges())].flatMap(([id, names]) =>
    names.map((name) => `api/m/${id}/${name}`),
  );
  const bodies = keys.map(async (key) => [key, digestOf(await lab.read(key))] as const);
  return new Map(await Promise.all(bodies));
}

/** What the gateway was asked by a command that ended well, by the keys of a bucket. */
async function watchCommand(lab: MonitorLab, act: () => Promise<CliResult>) {
  const buckets = [lab.publicBucket, lab.stateBucket];
  const { result, requests } = await watchRequests(ceph, buckets, act);
  const asked = (method: string, bucket: string): readonly string[] =>
    requests
      .filter((one) => one.method === method && one.path.startsWith(`/${bucket}/`))
      .map(({ path }) => path.slice(bucket.length + 2).replace(/\?.*$/u, ""));
  return { result: expectDone(result), asked };
}

describe("a badge behind nginx", () => {
  test("passes every point of verify", async () => {
    const { stage, lab, entry } = await openScene("my-shop", "other");
    await lab.writeRegistry([entry("my-shop"), entry("other", false)]);
    const source = { endpoint: ceph.endpoint, bucket: lab.publicBucket, directory: "" };
    const front = await startFront("nginx", source, { isPlain: true });
    try {
      expectDone(await lab.run("--base-url", front.url.href));
      const verify = (id: string): Promise<CliResult> =>
        stage.cli(["verify", front.url.href, "--expect", "2", "--badge", id, "--json"]);
      const passed = await verify("my-shop");
      const { points } = readReport(passed);
      const bad = points.filter(({ result }) => result !== "pass");
      // Only a front that refused nothing has no refusal to be judged.
      expect(bad.filter(({ id }) => id !== "rate-limit")).toEqual([]);
      expect(passed.code).toBe(0);
      const ofBadges = points.filter(({ id }) => id.startsWith("badge."));
      expect(ofBadges.length).toBeGreaterThan(10);
      console.log(`verify: ${points.length} points, ${ofBadges.length} of badges`);

      const failed = await verify("other");
      expect(failed.code).toBe(1);
      expect(readReport(failed).points).toContainEqual(
        expect.objectContaining({ id: "badge.reachable", result: "fail" }),
      );
    } finally {
      await front.stop();
    }
  });
});

function readReport({ stdout }: CliResult) {
  return JSON.parse(stdout) as {
    readonly points: readonly { readonly id: string; readonly result: string }[];
  };
}

describe("a registry that cannot be read", () => {
  let relay: StoreRelay;

  beforeAll(async () => {
    relay = await startStoreRelay(ceph.endpoint);
  });
  afterAll(() => relay.close());

  test.each(["refuse"] as const)(
    "because its bucket is down (%s): services run, a warning names --monitors, badges stay, and checks go on afterwards",
    async (mode) => {
      // So few that no guard against removing many at once keeps them.
      const ids = ["m0", "m1", "m2"];
      const { lab, entry } = await openScene(...ids);
      await lab.writeRegistry(ids.map((id) => entry(id)));
      const through = ["--monitors", lab.registryUrl(relay.endpoint)];
      await relay.setMode("pass");
      expectDone(await lab.run(...at(0), ...through));
      const before = await digestsOf(lab);
      expect(before.size).toBe(18);

      await relay.setMode(mode);
      const down = expectDone(await lab.run(...at(1), ...through));
      expect(down.stdout).toContain("2 services: 2 ok");
      expect(down.stdout).not.toContain("monitor");
      expect(eventsNamed(down.stderr, "warning").map(({ message }) => message)).toEqual([
        expect.stringContaining("--monitors"),
      ]);
      expect(await digestsOf(lab)).toEqual(before);
      console.log(
        `${mode}: ${(down.durationMs / 1_000).toFixed(1)} s, ${down.stderr.match(/.*"warning".*/u)?.[0] ?? ""}`,
      );

      await relay.setMode("pass");
      expectDone(await lab.run(...at(2), ...through));
      const rows = await lab.list();
      // The run without a registry looked at none of them.
      for (const id of ids) {
        expect({ id, ...rows.get(id)?.uptime }).toEqual({ id, decided: 2, healthy: 2 });
      }
      await expectBadgesAsListed(lab, rows);
    },
  );
});

const describeSummary = ({ stdout }: CliResult): string =>
  stdout
    .split(" | ")
    .filter((part) => /object|requests/u.test(part))
    .join(" | ");
