import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { eventsNamed, runCli, type CliResult } from "../cli/cli.ts";
import {
  named,
  openWorkspace,
  readTree,
  type Workspace,
  type WorkspaceService,
} from "../cli/workspace.ts";
import { DAY_MS, HOUR_MS } from "../../src/model/time.ts";
import { toFileSegments } from "../../src/store/key.ts";
import { STATUSPAGE_KEYS } from "../open-data/documents/statuspage-keys.ts";
import { hostsOf, readShippedCatalogue } from "../simulated-internet/shipped-catalogue.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { expectDone, publishedBy } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import {
  bucketOptions,
  createBucket,
  environmentOf,
  keysOf,
  openS3,
  urlOf,
  watchRequests,
} from "./s3-harness.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const env = environmentOf(ceph);
Object.assign(process.env, env);
const STATE_KEY = "state.json.gz";
const LIST = "api/v1/status";
/** Noon of yesterday: charts on pages change when an hour ends, and after midnight a day is sealed. */
const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 12 * HOUR_MS;

let internet: SimulatedInternet;
const workspaces: Workspace[] = [];

beforeAll(async () => {
  internet = await startSimulatedInternet();
});
afterAll(async () => {
  await Promise.all(workspaces.map((one) => one.close()));
  await internet.close();
  s3.destroy();
});

/** Two buckets, and the options of a run that uses them. */
async function openPlaces() {
  const [publicBucket, stateBucket] = [await createBucket(s3), await createBucket(s3)];
  const options = bucketOptions(ceph.endpoint, publicBucket, stateBucket);
  const store = openS3(urlOf(ceph.endpoint, publicBucket));
  return {
    publicBucket,
    stateBucket,
    options,
    read: async (key: string) => {
      const found = await store.read(key);
      return found && Buffer.from(found.body).toString();
    },
    documents: async () => {
      const keys = (await keysOf(s3, publicBucket)).toSorted();
      const texts = keys.map(async (key) => {
        const found = await store.read(key);
        return [key, Buffer.from(found?.body ?? []).toString()] as const;
      });
      return new Map(await Promise.all(texts));
    },
  };
}

/** A workspace over buckets; times of runs are in minutes after the start. */
async function openBucketWorkspace(services: readonly WorkspaceService[]) {
  const workspace = await openWorkspace(internet, services);
  workspaces.push(workspace);
  const places = await openPlaces();
  const run = async (minutes: number, ...args: readonly string[]): Promise<CliResult> =>
    expectDone(await workspace.run([...places.options, "--at", at(minutes), ...args], env));
  /** API documents that a run writes. */
  const writtenBy = async (minutes: number): Promise<readonly string[]> => {
    const { publicBucket } = places;
    const { requests } = await watchRequests(ceph, [publicBucket], () => run(minutes));
    const start = `/${publicBucket}/`;
    return requests
      .filter(({ method, status }) => method === "PUT" && status === 200)
      .filter(({ path }) => path.startsWith(`${start}api/`))
      .map(({ path }) => path.slice(start.length).replace(/\?.*$/u, ""))
      .toSorted();
  };
  return { workspace, run, writtenBy, ...places };
}

const at = (minutes: number): string => new Date(START_MS + minutes * 60_000).toISOString();

describe("the shipped catalogue", () => {
  test("becomes 86 objects and a website; a steady run writes the list and run time", async () => {
    const { publicBucket, stateBucket, options, documents } = await openPlaces();
    const folder = await mkdtemp(join(tmpdir(), "status-snapshot-s3-"));
    try {
      const hosts = hostsOf(await readShippedCatalogue());
      await writeFile(join(folder, "hosts.txt"), internet.connectToLines(hosts).join("\n"));
      const run = (minutes: number) =>
        runCli(
          [
            "run",
            "--connect-to",
            "@hosts.txt",
            "--set",
            "confirm=none",
            ...options,
            "--at",
            at(minutes),
          ],
          { cwd: folder, env: { ...env, NODE_EXTRA_CA_CERTS: internet.rootCaFile } },
        );
      const { result: first, requests: askedFirst } = await watchRequests(
        ceph,
        [publicBucket, stateBucket],
        async () => expectDone(await run(0)),
      );
      const published = await documents();
      const methodsFirst = (bucket: string) =>
        askedFirst.filter(({ path }) => path.startsWith(`/${bucket}/`)).map(({ method }) => method);
      // One list of the bucket before the probes, then one request per object.
      expect(methodsFirst(publicBucket).toSorted()).toEqual([
        "GET",
        ...[...published].map(() => "PUT"),
      ]);
      expect(methodsFirst(stateBucket)).not.toContain("HEAD");
      expect(publishedBy(first)).toMatchObject({
        written: published.size,
        unchanged: 0,
        removed: 0,
      });
      expect([...published.keys()].filter((key) => key.startsWith("api/v1/"))).toHaveLength(86);
      expect((await keysOf(s3, stateBucket)).at(-1)).toBe(STATE_KEY);
      for (const Key of [LIST, `${LIST}/sberbank`]) {
        expect(await s3.send(new HeadObjectCommand({ Bucket: publicBucket, Key }))).toMatchObject({
          ContentType: "application/json; charset=utf-8",
          CacheControl: "max-age=60",
        });
      }

      for (const Key of ["status/sberbank", "index.html"]) {
        expect(await s3.send(new HeadObjectCommand({ Bucket: publicBucket, Key }))).toMatchObject({
          ContentType: "text/html; charset=utf-8",
          CacheControl: "max-age=60",
        });
      }
      // One per service, and two of the list: one for today and one ahead. Each publish draws for two seconds, so a slow machine needs more runs.
      const pictures = async () =>
        [...(await documents()).keys()].filter((key) => key.startsWith("card/"));
      let minutes = 0;
      while ((await pictures()).length < 85 + 2) {
        minutes += 2;
        expect(minutes).toBeLessThan(45);
        expectDone(await run(minutes));
      }
      // A new half hour writes the histories, so both runs that are compared are in one.
      minutes = Math.ceil(minutes / 30) * 30;
      expectDone(await run(minutes));

      const before = await documents();
      const { result: second, requests: asked } = await watchRequests(
        ceph,
        [publicBucket, stateBucket],
        // Postponed pictures are checked for ten minutes.
        () => run(minutes + 15),
      );
      expect(publishedBy(second)).toMatchObject({
        written: 3,
        unchanged: before.size - 3,
        removed: 0,
      });
      const of = (bucket: string) => asked.filter(({ path }) => path.startsWith(`/${bucket}/`));
      expect(of(publicBucket)).toEqual(
        ["metrics", LIST, "checked.svg"].map((key) => {
          return { method: "PUT", path: `/${publicBucket}/${key}?x-id=PutObject`, status: 200 };
        }),
      );
      expect(of(stateBucket).map(({ method }) => method)).toEqual([
        "GET",
        "PUT",
        "GET",
        "PUT",
        "PUT",
      ]);
      // The summary has the requests of the gateway's log.
      expect(asked).toHaveLength(8);
      expect(publishedBy(second)).toMatchObject({
        requests: {
          public: { read: 0, find: 0, write: 3, remove: 0, list: 0 },
          // The spool of the archive, and the state twice.
          state: { read: 1, find: 0, write: 3, remove: 0, list: 1 },
        },
      });
      const after = await documents();
      expect([...after].flatMap(([key, text]) => (before.get(key) === text ? [] : [key]))).toEqual([
        LIST,
        "checked.svg",
        "metrics",
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("a changed service", () => {
  test("writes its detail, pages, feed, badge, evidence, and for an outage a picture", async () => {
    const { workspace, run, publicBucket } = await openBucketWorkspace(named("a", "b", "c"));
    const pictures = async (): Promise<readonly string[]> =>
      (await keysOf(s3, publicBucket)).filter((key) => key.startsWith("card/"));
    let minutes = 0;
    for (; (await pictures()).length < 5; minutes += 1) {
      expect(minutes).toBeLessThan(20);
      await run(minutes);
    }
    /** Keys that a run writes, from the gateway's log. */
    const writtenIn = async (minute: number): Promise<readonly string[]> => {
      const { requests } = await watchRequests(ceph, [publicBucket], () => run(minute));
      return requests
        .filter(({ method }) => method !== "GET" && method !== "HEAD")
        .map(({ path }) => path.slice(publicBucket.length + 2).replace(/\?.*$/u, ""))
        .toSorted();
    };
    const ofAll = [
      "badge.svg",
      ...STATUSPAGE_KEYS,
      "badge.json",
      "changes/v1.json",
      "checked.svg",
      "metrics",
      "en/feed.atom",
      "en/index.html",
      "feed.atom",
      "index.html",
      LIST,
      "sitemap.xml",
    ];
    const ofOne = [
      `${LIST}/b`,
      "status/b",
      "en/status/b",
      "feed/b.atom",
      "badge/b.svg",
      "badge/b.json",
      "history/v1/b.json",
      "evidence/v1/b.json",
    ];
    const ofOutage = /^card\/b\.fail\.\d{12}\.png$/u;
    const ofPages =
      /^(?:(?:en\/)?outages|outages\/v1\/index\.json|(?:en\/)?status\/b\/outages\/\d{12}|outages\/v1\/b\/\d{12}\.json|feed\/all-outages\.atom)$/u;
    const isOther = (key: string): boolean => !ofOutage.test(key) && !ofPages.test(key);
    expect(await writtenIn(minutes + 15)).toEqual([LIST, "checked.svg", "metrics"]);
    await workspace.set("b", { kind: "tls-reset" });
    const failed = await writtenIn(minutes + 16);
    expect(failed.filter(isOther)).toEqual([...ofAll, ...ofOne].toSorted());
    expect(failed.filter((key) => ofOutage.test(key))).toHaveLength(1);
    expect(failed.filter((key) => ofPages.test(key))).toHaveLength(7);
    await workspace.set("b", { kind: "page" });
    const over = await writtenIn(minutes + 17);
    expect(over.filter(isOther)).toEqual([...ofAll, ...ofOne].toSorted());
    expect(over.filter((key) => ofPages.test(key))).toHaveLength(7);
    expect(await pictures()).toEqual([
      "card/a.ok.png",
      "card/all-services.ok.png",
      "card/all-services.outage.png",
      expect.stringMatching(ofOutage),
      "card/b.ok.png",
      "card/c.ok.png",
    ]);
  });
});

describe("services that leave the catalogue", () => {
  test("lose only their own objects; many removals at once need --force", async () => {
    const slugs = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const { workspace, run, publicBucket, options } = await openBucketWorkspace(named(...slugs));
    await run(0);
    const foreign = [`${LIST}/foreign`, "theirs.html", "api/m/other/badge.svg"];
    for (const Key of foreign) {
      await s3.send(
        new PutObjectCommand({ Bucket: publicBucket, Key, Body: Buffer.from("theirs") }),
      );
    }
    const slugsLeft = async () =>
      (await keysOf(s3, publicBucket))
        .filter((key) => key.startsWith(`${LIST}/`) && !key.endsWith("foreign"))
        .map((key) => key.slice(LIST.length + 1));

    await workspace.writeCatalogue(named(...slugs.slice(1)));
    // A detail, two pages, a feed and two badges; pictures, evidence and history are not there yet.
    expect(publishedBy(await run(5))).toMatchObject({ removed: 4 });
    expect(await slugsLeft()).toEqual(slugs.slice(1));

    await workspace.writeCatalogue(named(...slugs.slice(6)));
    const held = await run(10);
    expect(publishedBy(held)).toMatchObject({ removed: 0 });
    expect(eventsNamed(held.stderr, "removals-withheld")).toMatchObject([{ count: 40 }]);
    expect(await slugsLeft()).toEqual(slugs.slice(1));
    // The next run without --force does not forget them.
    expect(publishedBy(await run(15))).toMatchObject({ removed: 0 });

    expect(publishedBy(await run(20, "--force"))).toMatchObject({ removed: 45 });
    expect(await slugsLeft()).toEqual(slugs.slice(6));
    const keys = await keysOf(s3, publicBucket);
    for (const key of foreign) expect(keys).toContain(key);
    expect(options).not.toContain("--force");
  });

  test("are published again when they return", async () => {
    const { workspace, run, read } = await openBucketWorkspace(named("a", "b"));
    await run(0);
    const before = await read(`${LIST}/b`);
    await workspace.writeCatalogue(named("a"));
    await run(5);
    expect(await read(`${LIST}/b`)).toBeUndefined();
    await workspace.writeCatalogue(named("a", "b"));
    await run(10);
    expect(await read(`${LIST}/b`)).toContain('"slug":"b"');
    expect(before).toContain('"slug":"b"');
  });
});

describe("changes of the bucket by others", () => {
  test("a deleted object and an altered one are repaired within the hour", async () => {
    const { run, read, writtenBy, publicBucket } = await openBucketWorkspace(named("a", "b", "c"));
    await run(0);
    const good = { a: await read(`${LIST}/a`), b: await read(`${LIST}/b`) };
    await s3.send(new DeleteObjectCommand({ Bucket: publicBucket, Key: `${LIST}/a` }));
    await s3.send(
      new PutObjectCommand({ Bucket: publicBucket, Key: `${LIST}/b`, Body: Buffer.from("no") }),
    );
    expect(await writtenBy(5)).toEqual([LIST]);
    expect(await read(`${LIST}/b`)).toBe("no");
    expect(await writtenBy(61)).toEqual([LIST, `${LIST}/a`, `${LIST}/b`]);
    expect({ a: await read(`${LIST}/a`), b: await read(`${LIST}/b`) }).toEqual(good);
  });

  test("a deleted or altered list is repaired by the next run", async () => {
    const { run, read, publicBucket } = await openBucketWorkspace(named("a"));
    await run(0);
    await s3.send(new DeleteObjectCommand({ Bucket: publicBucket, Key: LIST }));
    await run(5);
    expect(await read(LIST)).toContain('"slug":"a"');
    await s3.send(
      new PutObjectCommand({ Bucket: publicBucket, Key: LIST, Body: Buffer.from("no") }),
    );
    await run(10);
    expect(await read(LIST)).toContain('"slug":"a"');
  });
});

describe("the state", () => {
  test("is created again after a loss, and the documents are overwritten", async () => {
    const { run, writtenBy, documents, stateBucket } = await openBucketWorkspace(
      named("a", "b", "c"),
    );
    await run(0);
    const before = await documents();
    await s3.send(new DeleteObjectCommand({ Bucket: stateBucket, Key: STATE_KEY }));
    // The details differ in one field: `since` is no longer known.
    expect(await writtenBy(5)).toEqual([LIST, ...["a", "b", "c"].map((slug) => `${LIST}/${slug}`)]);
    const after = await documents();
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(await writtenBy(10)).toEqual([LIST]);
  });

  test("from an older backup decides the documents after an audit", async () => {
    const { workspace, run, documents, stateBucket } = await openBucketWorkspace(
      named("a", "b", "c"),
    );
    await run(0);
    const state = openS3(urlOf(ceph.endpoint, stateBucket), "private");
    const backup = await state.read(STATE_KEY);
    if (backup === undefined) throw new Error("there is no state");
    await workspace.set("a", { kind: "tcp-refused" });
    for (const minutes of [5, 10, 15]) await run(minutes);
    await workspace.writeCatalogue(named("a", "b"));
    await run(20);
    await workspace.set("a", { kind: "page" });
    await workspace.writeCatalogue(named("a", "b", "c"));
    await state.write(STATE_KEY, {
      body: backup.body,
      contentType: "application/gzip",
      cacheControl: "no-store",
    });
    // The first run finds an unexpected version of the state; the audit of the next hour repairs the rest.
    await run(25);
    await run(90);
    const newest = await state.read(STATE_KEY);
    await mkdir(join(workspace.folder, "copy"));
    await writeFile(join(workspace.folder, "copy", STATE_KEY), newest?.body ?? "");
    const again = await workspace.run(
      ["--store", "file:again", "--state", "file:copy", "--at", at(90)],
      env,
    );
    expectDone(again);
    const expected = await readTree(join(workspace.folder, "again"));
    expect([...expected.keys()].filter((path) => path.startsWith("api/v1/"))).toHaveLength(4);
    const files = [...(await documents())].map(([key, text]): [string, string] => {
      return [toFileSegments(key).join("/"), text];
    });
    // The backup does not know the picture and the pages of an outage that came after it; `doctor` names them.
    const forgotten = files.map(([path]) => path).filter((path) => !expected.has(path));
    expect(forgotten.map((path) => path.replace(/\d{12}/u, "…")).toSorted()).toEqual([
      "card/a.fail.….png",
      "en/status/a/outages/….html",
      "outages/v1/a/….json",
      "status/a/outages/….html",
    ]);
    expect(new Map(files.filter(([path]) => expected.has(path)))).toEqual(expected);
  });
});
