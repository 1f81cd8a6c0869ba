import { PutBucketVersioningCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { named, openStage, type Stage } from "../cli/stage.ts";
import { startWorld, type World } from "../world/world.ts";
import { expectDone, publishedBy } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { createBucket, environmentOf, keysOf, urlOf, WEBSITE } from "./s3-lab.ts";

/*
 * What an operator does with a new store, from doctor to the audit. The table of stores in docs/publishing.md rests on it.
 */

const ceph = inject("ceph");
const s3 = connectS3(ceph);
const env = environmentOf(ceph);
const START_MS = Date.now();

let world: World;
let stage: Stage;

beforeAll(async () => {
  world = await startWorld();
  stage = await openStage(world, named("a", "b", "c"));
  world.setDns(stage.host("d1"), { kind: "answer", addresses: ["192.0.2.7"] });
});

afterAll(async () => {
  await stage.close();
  await world.close();
  s3.destroy();
});

interface Check {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

/** Two buckets of their own, and the commands over them. */
async function openPlaces(parameters: string) {
  const [publicBucket, stateBucket] = [await createBucket(s3), await createBucket(s3)];
  const places = [
    "--store",
    urlOf(ceph.endpoint, publicBucket, parameters),
    "--state",
    urlOf(ceph.endpoint, stateBucket, parameters),
    ...WEBSITE,
  ];
  const way = ["--dns", `127.0.0.1:${world.dnsPort}`, "--connect-to", "@hosts.txt"];
  return {
    publicBucket,
    stateBucket,
    doctor: async (...more: readonly string[]) => {
      const args = ["doctor", "--json", "--catalogue", "catalogue.json", ...way, ...places];
      const { code, stdout } = await stage.cli([...args, ...more], env);
      const checks = JSON.parse(stdout) as readonly Check[];
      return { code, checks, of: (name: string) => checks.find((check) => check.name === name) };
    },
    run: async (minutes: number, ...more: readonly string[]) => {
      const at = new Date(START_MS + minutes * 60_000).toISOString();
      return expectDone(await stage.run([...places, "--log", "json", "--at", at, ...more], env));
    },
  };
}

describe.each([
  ["Ceph RGW as it is found out", ""],
  ["Ceph RGW with suffixed keys", "keys=suffixed&etag=unquoted"],
])("%s", (store, parameters) => {
  test("keeps every update of four writers at once, and nothing of the trial", async () => {
    const { doctor, publicBucket, stateBucket } = await openPlaces(parameters);
    const { code, checks, of } = await doctor("--races", "3");
    expect(checks.filter(({ result }) => result === "fail")).toEqual([]);
    expect(code).toBe(0);
    for (const name of ["--store races", "--state races"]) {
      console.log(`${store}, ${name}: ${of(name)?.detail ?? ""}`);
      expect(of(name)).toMatchObject({ result: "ok" });
    }
    for (const bucket of [publicBucket, stateBucket]) expect(await keysOf(s3, bucket)).toEqual([]);
  });

  test("holds what runs publish, also two at once, and nothing else after an audit", async () => {
    const { doctor, run, publicBucket } = await openPlaces(parameters);
    await run(0);
    await run(5);
    await Promise.all([run(10), run(11)]);
    expect(publishedBy(await run(15, "--audit"))).toMatchObject({ removed: 0 });
    const well = await doctor();
    const { length } = await keysOf(s3, publicBucket);
    expect(well.of("--store content")).toMatchObject({
      result: "ok",
      detail: `${length} objects, none foreign.`,
    });
    const Body = Buffer.from("theirs");
    for (const Key of ["shop/index.html", "api/v1/status/theirs"])
      await s3.send(new PutObjectCommand({ Bucket: publicBucket, Key, Body }));
    const { code, of } = await doctor();
    expect(code).toBe(0);
    expect(of("--store content")).toMatchObject({
      result: "warn",
      detail: expect.stringMatching(
        /^1 objects look like ours.*: api\/v1\/status\/theirs\. .* 1 of \d+ objects are not ours.*: shop\/index\.html\./u,
      ),
    });
    expect(await keysOf(s3, publicBucket)).toHaveLength(length + 2);
  });

  test("a public place with two states is told as one, although no name is foreign", async () => {
    const ours = await openPlaces(parameters);
    await ours.run(0);
    const state = urlOf(ceph.endpoint, await createBucket(s3), parameters);
    await ours.run(5, "--state", state);
    expect((await ours.doctor()).of("--store content")).toMatchObject({
      result: "warn",
      detail: expect.stringContaining("the list is not the one that this state published"),
    });
    expect((await ours.doctor("--state", state)).of("--store content")).toMatchObject({
      result: "ok",
    });
  });
});

test("a bucket with versioning, in which this gateway never replaces an object, is a failure and not a warning", async () => {
  const { doctor, stateBucket } = await openPlaces("");
  const VersioningConfiguration = { Status: "Enabled" } as const;
  await s3.send(new PutBucketVersioningCommand({ Bucket: stateBucket, VersioningConfiguration }));
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of("--store writers")).toMatchObject({ result: "ok" });
  expect(of("--state writers")).toMatchObject({
    result: "fail",
    detail: expect.stringMatching(/no run can publish\. .*where versioning is on/u),
  });
});
