import { PutBucketVersioningCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { named, openWorkspace, type Workspace } from "../cli/workspace.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import type { StoreAddress } from "./ceph.ts";
import { type PeerStore, startPeerStore } from "./peer-stores.ts";
import { expectDone, publishedBy } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { createBucket, environmentOf, keysOf, urlOf, WEBSITE } from "./s3-harness.ts";

/*
 * The steps of an operator with a new store, from doctor to the audit. Source of the table of stores in docs/publish/protocol.md.
 */

const ceph = inject("ceph");
const START_MS = Date.now();

let internet: SimulatedInternet;
let workspace: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
  workspace = await openWorkspace(internet, named("a", "b", "c"));
  internet.setDns(workspace.host("d1"), { kind: "answer", addresses: ["192.0.2.7"] });
});

afterAll(async () => {
  await workspace.close();
  await internet.close();
});

interface Check {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

/** Two new buckets in a store, and commands that use them. */
async function openPlaces(address: StoreAddress, parameters: string) {
  const s3 = connectS3(address);
  onTestFinished(() => s3.destroy());
  const env = environmentOf(address);
  const [publicBucket, stateBucket] = [await createBucket(s3), await createBucket(s3)];
  const places = [
    "--store",
    urlOf(address.endpoint, publicBucket, parameters),
    "--state",
    urlOf(address.endpoint, stateBucket, parameters),
    ...WEBSITE,
  ];
  const way = ["--dns", `127.0.0.1:${internet.dnsPort}`, "--connect-to", "@hosts.txt"];
  return {
    s3,
    publicBucket,
    stateBucket,
    doctor: async (...more: readonly string[]) => {
      const args = ["doctor", "--json", "--catalogue", "catalogue.json", ...way, ...places];
      const { code, stdout } = await workspace.cli([...args, ...more], env);
      const checks = JSON.parse(stdout) as readonly Check[];
      return { code, checks, of: (name: string) => checks.find((check) => check.name === name) };
    },
    run: async (minutes: number, ...more: readonly string[]) => {
      const at = new Date(START_MS + minutes * 60_000).toISOString();
      return expectDone(
        await workspace.run([...places, "--log", "debug", "--at", at, ...more], env),
      );
    },
  };
}

/** Differences from a correct store. */
interface Quirks {
  /** It checks a condition first and writes later; races may or may not detect that in a short time. */
  readonly isSingleWriter?: boolean;
  /** Checks of `doctor` that must fail. */
  readonly failures?: Readonly<Record<string, RegExp>>;
}

const CEPH = (): Promise<Pick<PeerStore, "address"> & Partial<PeerStore>> =>
  Promise.resolve({ address: ceph });

describe.each<readonly [string, string, typeof CEPH, Quirks]>([
  ["Ceph RGW as it is found out", "", CEPH, {}],
  ["Ceph RGW with suffixed keys", "keys=suffixed&etag=unquoted", CEPH, {}],
  ["moto", "", () => startPeerStore("moto"), { isSingleWriter: true }],
  [
    "S3Mock",
    "",
    () => startPeerStore("s3mock"),
    {
      isSingleWriter: true,
      failures: { "--state privacy": /^anonymous clients get HTTP 200: everyone/u },
    },
  ],
])("%s", (store, parameters, start, { isSingleWriter = false, failures = {} }) => {
  let address: StoreAddress;
  let stop: PeerStore["stop"] | undefined;
  const openHere = () => openPlaces(address, parameters);

  beforeAll(async () => {
    ({ address, stop } = await start());
  });
  afterAll(() => stop?.());

  test(`${isSingleWriter ? "is tested by" : "keeps every update of"} four writers at once, and no test object stays`, async () => {
    const { doctor, s3, publicBucket, stateBucket } = await openHere();
    const { code, checks, of } = await doctor("--races", isSingleWriter ? "1" : "3");
    for (const [name, detail] of Object.entries(failures))
      expect(of(name)).toMatchObject({ result: "fail", detail: expect.stringMatching(detail) });
    const races = ["--store races", "--state races"];
    for (const name of races) {
      console.log(`${store}, ${name}: ${of(name)?.detail ?? "was not tried"}`);
      expect(of(name)).toBeDefined();
    }
    const known = new Set([...Object.keys(failures), ...(isSingleWriter ? races : [])]);
    const bad = checks.filter(({ result }) => result === "fail").map(({ name }) => name);
    expect(bad.filter((name) => !known.has(name))).toEqual([]);
    expect(code).toBe(bad.length === 0 ? 0 : 1);
    for (const bucket of [publicBucket, stateBucket]) expect(await keysOf(s3, bucket)).toEqual([]);
  });

  test(`holds only published objects${isSingleWriter ? "" : ", even of two concurrent runs"}`, async () => {
    const { doctor, run, s3, publicBucket } = await openHere();
    await run(0);
    await run(5);
    if (isSingleWriter) await run(10);
    else await Promise.all([run(10), run(11)]);
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
    expect(code).toBe(Object.keys(failures).length === 0 ? 0 : 1);
    expect(of("--store content")).toMatchObject({
      result: "warn",
      detail: expect.stringMatching(
        /^1 objects look like ours.*: api\/v1\/status\/theirs\. .* 1 of \d+ objects are not ours.*: shop\/index\.html\./u,
      ),
    });
    expect(await keysOf(s3, publicBucket)).toHaveLength(length + 2);
  });

  test("two states for one public place are detected, although no name is foreign", async () => {
    const ours = await openHere();
    await ours.run(0);
    const state = urlOf(address.endpoint, await createBucket(ours.s3), parameters);
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

test("a bucket with versioning, where the gateway replaces nothing, is a failure", async () => {
  const { doctor, s3, stateBucket } = await openPlaces(ceph, "");
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
