import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { eventsNamed } from "../cli/cli.ts";
import { BETA_ABROAD, openWorkspace, type Workspace } from "../cli/workspace.ts";
import { openPlaces, type Places } from "../simulated-internet/places.ts";
import { type CephKeys, createCephUser } from "./ceph.ts";
import { canMakeNamespaces, openNamespaces } from "./namespaces.ts";
import { connectS3, outcomeOf } from "./s3-client.ts";
import { createBucket, environmentOf, keysOf, urlOf } from "./s3-harness.ts";

/* Vantages over Ceph's gateway, each with keys of its own and the rights of the documented policy. */

const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const POLICY = new URL("../../deploy/vantage/bucket-policy.json", import.meta.url);
const ceph = inject("ceph");
const s3 = connectS3(ceph);
const IDS = ["fra", "hel"] as const;
type Id = (typeof IDS)[number];

let places: Places;
beforeAll(async () => {
  places = await openPlaces(["moscow", ...IDS]);
});
afterAll(async () => {
  await places.close();
  s3.destroy();
});

interface Exchange {
  readonly bucket: string;
  readonly keysOf: Readonly<Record<Id, CephKeys>>;
}

/** A bucket whose policy is the shipped one, with its names replaced, for each vantage. */
async function openExchange(): Promise<Exchange> {
  const bucket = await createBucket(s3);
  const template = await readFile(POLICY, "utf8");
  const made: Partial<Record<Id, CephKeys>> = {};
  const statements: unknown[] = [];
  for (const id of IDS) {
    const user = `vantage-${id}-${randomUUID().slice(0, 8)}`;
    made[id] = await createCephUser(ceph, user);
    const text = template
      // In Ceph an object belongs to the user who wrote it, so the owner of the bucket needs a right to read it.
      .replaceAll("user/status-snapshot", "user/publisher")
      .replaceAll("vantage-fra", user)
      .replaceAll("evidence/fra/", `evidence/${id}/`)
      .replaceAll("status-exchange", bucket);
    statements.push(...JSON.parse(text).Statement);
  }
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: statements });
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
  // Each id has just got its keys.
  return { bucket, keysOf: made as Record<Id, CephKeys> };
}

interface Installation extends Exchange {
  readonly one: Workspace;
  readonly run: () => Promise<ReturnType<typeof eventsNamed>>;
  readonly anchors: readonly string[];
}

async function install(): Promise<Installation> {
  const exchange = await openExchange();
  const one = await openWorkspace(places.at("moscow"), BETA_ABROAD);
  onTestFinished(() => one.close());
  const lines: string[] = [];
  for (const [at, id] of IDS.entries()) {
    const { stdout } = await one.program(["vantage", "keygen", "--key", `${id}.jwk`]);
    const about = `id: ${id}, kind: control, country: DE, asn: ${at + 1}, network: ${id}`;
    lines.push(`  - { ${about}, ${stdout.trim()} }`);
  }
  await writeFile(join(one.folder, "vantages.yaml"), `vantages:\n${lines.join("\n")}\n`);
  const url = urlOf(ceph.endpoint, exchange.bucket);
  return {
    ...exchange,
    one,
    anchors: ["f1", "f2", "f3"].flatMap((name) => ["--set", `anchor=https://${one.host(name)}/`]),
    run: async () => {
      const result = await one.run(["--set", `exchange=${url}`], environmentOf(ceph));
      expect(result, result.stderr).toMatchObject({ code: 0 });
      return eventsNamed(result.stderr, "vantages-heard");
    },
  };
}

/** A vantage on this machine, with its own keys of the store. */
async function answer({ one, bucket, keysOf: keys, anchors }: Installation, id: Id): Promise<void> {
  const lines = places.connectToLines(id, one.hosts.map(one.host));
  await writeFile(join(one.folder, `${id}.txt`), lines.join("\n"));
  const ask = ["--ask", urlOf(ceph.endpoint, bucket), "--id", id, "--key", `${id}.jwk`];
  const network = ["--connect-to", `@${id}.txt`, "--allow-private", "127.0.0.0/8"];
  const args = ["vantage", ...ask, ...network, ...anchors, "--log", "debug"];
  const result = await one.program(args, {
    ...environmentOf(keys[id]),
    NODE_EXTRA_CA_CERTS: places.at(id).rootCaFile,
  });
  expect(result, result.stderr).toMatchObject({ code: 0 });
}

test("two vantages with the rights of the policy make a claim", async () => {
  const installation = await install();
  const { one, run } = installation;
  await run();
  places.obstruct(["moscow"], one.host("beta"), "cut-by-name");
  // The store answers 403 for the second place of an ask while it is empty, because a vantage may not list.
  for (const id of IDS) await answer(installation, id);
  await run();
  for (const id of IDS) await answer(installation, id);
  expect((await run()).at(-1)).toMatchObject({ heard: IDS, silent: [] });
  expect(await one.codes()).toMatchObject({ alpha: "ok", beta: "restricted_fail" });
});

describe("the keys of a vantage that were stolen", () => {
  let exchange: Exchange;
  let thief: S3Client;
  const body = Buffer.from("x");
  const put = (Key: string) =>
    outcomeOf(thief.send(new PutObjectCommand({ Bucket: exchange.bucket, Key, Body: body })));

  beforeAll(async () => {
    exchange = await openExchange();
    thief = connectS3(ceph, exchange.keysOf.fra);
    for (const Key of ["ask/0.json.gz", "evidence/fra/a.json.gz", "evidence/hel/a.json.gz"])
      await s3.send(new PutObjectCommand({ Bucket: exchange.bucket, Key, Body: body }));
  });
  afterAll(() => thief.destroy());

  test("read the ask, and put evidence under its own id", async () => {
    const Key = "ask/0.json.gz";
    const read = thief.send(new GetObjectCommand({ Bucket: exchange.bucket, Key }));
    expect(await outcomeOf(read)).toMatchObject({ status: 200 });
    expect(await put("evidence/fra/b.json.gz")).toMatchObject({ status: 200 });
  });

  test.each([
    "ask/0.json.gz",
    "ask/1.json.gz",
    "evidence/hel/a.json.gz",
    "evidence/fra-2/a.json.gz",
    "state.json.gz",
  ])("do not write %s", async (key) => {
    expect(await put(key)).toMatchObject({ status: 403 });
  });

  test.each(["evidence/fra/a.json.gz", "evidence/hel/a.json.gz"])(
    "neither read nor remove %s",
    async (Key) => {
      const at = { Bucket: exchange.bucket, Key };
      expect(await outcomeOf(thief.send(new GetObjectCommand(at)))).toMatchObject({ status: 403 });
      expect(await outcomeOf(thief.send(new DeleteObjectCommand(at)))).toMatchObject({
        status: 403,
      });
      expect(await keysOf(s3, exchange.bucket)).toContain(Key);
    },
  );

  test("do not list", async () => {
    const list = new ListObjectsV2Command({ Bucket: exchange.bucket, Prefix: "ask/" });
    expect(await outcomeOf(thief.send(list))).toMatchObject({ status: 403 });
  });
});

const isPossible = await canMakeNamespaces();

describe.runIf(isPossible)("two vantages in network namespaces of their own", () => {
  test("make a claim, and reach nothing but what they were given", async () => {
    const namespaces = await openNamespaces(IDS.length);
    onTestFinished(() => namespaces.close());
    const { host } = namespaces;
    const installation = await install();
    const { one, run, bucket, keysOf: keys, anchors } = installation;
    // The runner reaches the servers at the same address as the vantages.
    const routeTo = async (place: string, port: number): Promise<string> => {
      const lines = one.hosts.map((name) => `${one.host(name)}:443:${host}:${port}`);
      await writeFile(join(one.folder, `${place}.txt`), lines.join("\n"));
      return `@${place}.txt`;
    };
    await routeTo("hosts", await namespaces.relay(places.at("moscow").tlsPort));
    const gateway = await namespaces.relay(Number(new URL(ceph.endpoint).port));
    const answerInside = async (id: Id, at: number): Promise<string> => {
      const rules = await routeTo(id, await namespaces.relay(places.at(id).tlsPort));
      const url = urlOf(`http://${host}:${gateway}`, bucket);
      const args = ["vantage", "--ask", url, "--id", id, "--key", `${id}.jwk`, "--log", "debug"];
      const network = ["--connect-to", rules, "--allow-private", "10.77.0.0/16", ...anchors];
      const inside = ["netns", "exec", namespaces.names[at] ?? "", process.execPath, CLI];
      const { stderr } = await promisify(execFile)("ip", [...inside, ...args, ...network], {
        cwd: one.folder,
        env: {
          PATH: process.env["PATH"],
          NODE_EXTRA_CA_CERTS: places.at(id).rootCaFile,
          ...environmentOf(keys[id]),
        },
        timeout: 90_000,
      });
      return stderr;
    };
    await run();
    places.obstruct(["moscow"], one.host("beta"), "cut-by-name");
    await run();
    for (const [at, id] of IDS.entries())
      expect(eventsNamed(await answerInside(id, at), "ask-answered")).toMatchObject([
        { failing: 0, connectivity: "fine" },
      ]);
    expect((await run()).at(-1)).toMatchObject({ heard: IDS, silent: [] });
    expect(await one.codes()).toMatchObject({ alpha: "ok", beta: "restricted_fail" });
    // Addresses in public evidence are those of servers: none tells where a place is.
    const texts = [...(await one.published())].map(([, text]) => text);
    const signed = texts.flatMap((text) => /"payload":\s*"([\w-]+)"/u.exec(text)?.[1] ?? []);
    const answers = signed.map((payload) =>
      gunzipSync(Buffer.from(payload, "base64url")).toString(),
    );
    expect(answers).toHaveLength(IDS.length);
    expect(answers.every((answer) => answer.includes(host))).toBe(true);
    for (const [at] of IDS.entries())
      expect(
        [...texts, ...answers].filter((text) => text.includes(namespaces.addressOf(at))),
      ).toEqual([]);
  });
});
