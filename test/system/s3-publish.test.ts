import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteObjectCommand, HeadObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { eventsNamed, runCli, type CliResult } from "../cli/cli.ts";
import { named, openStage, readTree, type Stage, type StageService } from "../cli/stage.ts";
import { HOUR_MS } from "../../src/model/time.ts";
import { toFileSegments } from "../../src/store/key.ts";
import { hostsOf, readShippedCatalogue } from "../world/shipped-catalogue.ts";
import { startWorld, type World } from "../world/world.ts";
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
} from "./s3-lab.ts";

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const env = environmentOf(ceph);
Object.assign(process.env, env);
const STATE_KEY = "state.json.gz";
const LIST = "api/v1/status";
/** The beginning of an hour: charts of pages move when one ends. */
const START_MS = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;

let world: World;
const stages: Stage[] = [];

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await Promise.all(stages.map((one) => one.close()));
  await world.close();
  s3.destroy();
});

/** Two buckets, and the options that point a run at them. */
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

/** A stage with a run at so many minutes from now. */
async function openBucketStage(services: readonly StageService[]) {
  const stage = await openStage(world, services);
  stages.push(stage);
  const places = await openPlaces();
  const run = async (minutes: number, ...args: readonly string[]): Promise<CliResult> =>
    expectDone(await stage.run([...places.options, "--at", at(minutes), ...args], env));
  /** Documents of the API that a run writes. */
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
  return { stage, run, writtenBy, ...places };
}

const at = (minutes: number): string => new Date(START_MS + minutes * 60_000).toISOString();

describe("the shipped catalogue", () => {
  test("becomes 86 objects with their metadata and a website; a steady run writes the list and the time of the run, in few requests", async () => {
    const { publicBucket, stateBucket, options, documents } = await openPlaces();
    const folder = await mkdtemp(join(tmpdir(), "status-snapshot-s3-"));
    try {
      const hosts = hostsOf(await readShippedCatalogue());
      await writeFile(join(folder, "hosts.txt"), world.connectToLines(hosts).join("\n"));
      const run = (minutes: number) =>
        runCli(
          [
            "run",
            "--connect-to",
            "@hosts.txt",
            "--confirm",
            "none",
            ...options,
            "--at",
            at(minutes),
          ],
          { cwd: folder, env: { ...env, NODE_EXTRA_CA_CERTS: world.rootCaFile } },
        );
      const { result: first, requests: askedFirst } = await watchRequests(
        ceph,
        [publicBucket, stateBucket],
        async () => expectDone(await run(0)),
      );
      const published = await documents();
      const methodsFirst = (bucket: string) =>
        askedFirst.filter(({ path }) => path.startsWith(`/${bucket}/`)).map(({ method }) => method);
      // A look at the place, before the probes; after that one request for each object.
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
      expect([...published.keys()].filter((key) => key.startsWith("api/"))).toHaveLength(86);
      expect(await keysOf(s3, stateBucket)).toEqual([STATE_KEY]);
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
      // Each publish draws pictures for two seconds, and the last run has to be within the hour.
      const pictures = async () =>
        [...(await documents()).keys()].filter((key) => key.startsWith("card/"));
      let minutes = 0;
      while ((await pictures()).length < 85) {
        minutes += 2;
        expect(minutes).toBeLessThan(45);
        expectDone(await run(minutes));
      }

      const before = await documents();
      const { result: second, requests: asked } = await watchRequests(
        ceph,
        [publicBucket, stateBucket],
        // For ten minutes after they were postponed, pictures are looked at.
        () => run(minutes + 15),
      );
      expect(publishedBy(second)).toMatchObject({
        written: 2,
        unchanged: before.size - 2,
        removed: 0,
      });
      const of = (bucket: string) => asked.filter(({ path }) => path.startsWith(`/${bucket}/`));
      expect(of(publicBucket)).toEqual(
        [LIST, "checked.svg"].map((key) => {
          return { method: "PUT", path: `/${publicBucket}/${key}?x-id=PutObject`, status: 200 };
        }),
      );
      expect(of(stateBucket).map(({ method }) => method)).toEqual(["GET", "GET", "PUT", "PUT"]);
      // What the summary says is what the gateway saw; and no request was for a whole bucket.
      expect(asked).toHaveLength(6);
      expect(publishedBy(second)).toMatchObject({
        requests: {
          public: { read: 0, find: 0, write: 2, remove: 0, list: 0 },
          state: { read: 1, find: 0, write: 2, remove: 0, list: 1 },
        },
      });
      const after = await documents();
      expect([...after].flatMap(([key, text]) => (before.get(key) === text ? [] : [key]))).toEqual([
        LIST,
        "checked.svg",
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe("services that leave the catalogue", () => {
  test("take their object with them, and only theirs; many at once need --force", async () => {
    const slugs = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    const { stage, run, publicBucket, options } = await openBucketStage(named(...slugs));
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

    await stage.writeCatalogue(named(...slugs.slice(1)));
    // A detail, two pages and two feeds; pictures have not been drawn yet.
    expect(publishedBy(await run(5))).toMatchObject({ removed: 5 });
    expect(await slugsLeft()).toEqual(slugs.slice(1));

    await stage.writeCatalogue(named(...slugs.slice(6)));
    const held = await run(10);
    expect(publishedBy(held)).toMatchObject({ removed: 0 });
    expect(eventsNamed(held.stderr, "removals-held-back")).toMatchObject([{ count: 30 }]);
    expect(await slugsLeft()).toEqual(slugs.slice(1));
    // Not forgotten by a run that does not dare either.
    expect(publishedBy(await run(15))).toMatchObject({ removed: 0 });

    expect(publishedBy(await run(20, "--force"))).toMatchObject({ removed: 30 });
    expect(await slugsLeft()).toEqual(slugs.slice(6));
    const keys = await keysOf(s3, publicBucket);
    for (const key of foreign) expect(keys).toContain(key);
    expect(options).not.toContain("--force");
  });

  test("and return, are published again", async () => {
    const { stage, run, read } = await openBucketStage(named("a", "b"));
    await run(0);
    const before = await read(`${LIST}/b`);
    await stage.writeCatalogue(named("a"));
    await run(5);
    expect(await read(`${LIST}/b`)).toBeUndefined();
    await stage.writeCatalogue(named("a", "b"));
    await run(10);
    expect(await read(`${LIST}/b`)).toContain('"slug":"b"');
    expect(before).toContain('"slug":"b"');
  });
});

describe("what was done behind our back", () => {
  test("an object that was deleted and one that was altered are healed within the hour", async () => {
    const { run, read, writtenBy, publicBucket } = await openBucketStage(named("a", "b", "c"));
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

  test("a list that was deleted or altered is there again after the next run", async () => {
    const { run, read, publicBucket } = await openBucketStage(named("a"));
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
  test("that was lost: the next run publishes what it measures, over what is there", async () => {
    const { run, writtenBy, documents, stateBucket } = await openBucketStage(named("a", "b", "c"));
    await run(0);
    const before = await documents();
    await s3.send(new DeleteObjectCommand({ Bucket: stateBucket, Key: STATE_KEY }));
    // The details differ in one field: since when it is so is not known any longer.
    expect(await writtenBy(5)).toEqual([LIST, ...["a", "b", "c"].map((slug) => `${LIST}/${slug}`)]);
    const after = await documents();
    expect([...after.keys()]).toEqual([...before.keys()]);
    expect(await writtenBy(10)).toEqual([LIST]);
  });

  test("that was set back to an older backup: documents end as the state has them", async () => {
    const { stage, run, documents, stateBucket } = await openBucketStage(named("a", "b", "c"));
    await run(0);
    const state = openS3(urlOf(ceph.endpoint, stateBucket), "private");
    const backup = await state.read(STATE_KEY);
    if (backup === undefined) throw new Error("there is no state");
    await stage.set("a", { kind: "tcp-refused" });
    for (const minutes of [5, 10, 15]) await run(minutes);
    await stage.writeCatalogue(named("a", "b"));
    await run(20);
    await stage.set("a", { kind: "page" });
    await stage.writeCatalogue(named("a", "b", "c"));
    await state.write(STATE_KEY, {
      body: backup.body,
      contentType: "application/gzip",
      cacheControl: "no-store",
    });
    // The first run finds another state than it remembers; the audit of the next hour finds the rest.
    await run(25);
    await run(90);
    const newest = await state.read(STATE_KEY);
    await mkdir(join(stage.folder, "copy"));
    await writeFile(join(stage.folder, "copy", STATE_KEY), newest?.body ?? "");
    const again = await stage.run(
      ["--store", "file:again", "--state", "file:copy", "--at", at(90)],
      env,
    );
    expectDone(again);
    const expected = await readTree(join(stage.folder, "again"));
    expect([...expected.keys()].filter((path) => path.startsWith("api/"))).toHaveLength(4);
    const files = [...(await documents())].map(([key, text]): [string, string] => {
      return [toFileSegments(key).join("/"), text];
    });
    expect(new Map(files)).toEqual(expected);
  });
});
