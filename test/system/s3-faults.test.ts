import { randomUUID } from "node:crypto";
import { createServer as createWebsite } from "node:http";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { PutBucketPolicyCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Check } from "../../src/doctor/check.ts";
import { StoreError } from "../../src/model/store.ts";
import { eventsNamed, type CliResult } from "../cli/cli.ts";
import { openWorkspace, type Workspace } from "../cli/workspace.ts";
import { findFreePort } from "../free-port.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";
import { createCephUser, type CephKeys } from "./ceph.ts";
import { type RelayFault, startFaultyRelay, type FaultyRelay } from "./faulty-relay.ts";
import { createRandom } from "./random.ts";
import { startClock } from "./results.ts";
import { connectS3 } from "./s3-client.ts";
import { createBucket, environmentOf, keysOf, openS3, urlOf, WEBSITE } from "./s3-harness.ts";
import { commitOnce, expectedDocuments, observe, openCounterProgram } from "./counter-program.ts";

/** The messages of the program for every fault of a store, and the effect on the data. */
const ceph = inject("ceph");
const s3 = connectS3(ceph);
Object.assign(process.env, environmentOf(ceph));
const SKEWED_CLOCK = fileURLToPath(new URL("skewed-clock.mjs", import.meta.url));
/** Rounds of commits through a faulty relay. */
const FAULTY_ROUNDS = 40;

let internet: SimulatedInternet;
let workspace: Workspace;
let publicBucket: string;
let stateBucket: string;
const relays: FaultyRelay[] = [];

beforeAll(async () => {
  internet = await startSimulatedInternet();
  workspace = await openWorkspace(internet);
  [publicBucket, stateBucket] = [await createBucket(s3), await createBucket(s3)];
  const first = await runCli();
  if (first.code !== 0) throw new Error(first.stderr);
});
afterAll(async () => {
  await Promise.all(relays.map((one) => one.close()));
  await workspace.close();
  await internet.close();
  s3.destroy();
});

/** The messages of the `failed` events of a run. */
function problemsOf(stderr: string): readonly string[] {
  return eventsNamed(stderr, "failed").map(({ message }) => String(message));
}

interface Changes {
  readonly keys?: Partial<CephKeys>;
  readonly endpoint?: string;
  readonly publicBucket?: string;
  readonly stateBucket?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** One run against the buckets, with the changes of the test. */
function runCli(changes: Changes = {}, args: readonly string[] = []): Promise<CliResult> {
  return workspace.run([...storesOf(changes), "--log", "debug", ...args], envOf(changes));
}

function storesOf(changes: Changes): readonly string[] {
  const endpoint = changes.endpoint ?? ceph.endpoint;
  return [
    ...WEBSITE,
    "--store",
    urlOf(endpoint, changes.publicBucket ?? publicBucket),
    "--state",
    urlOf(endpoint, changes.stateBucket ?? stateBucket),
  ];
}

function envOf({ keys, env }: Changes): Readonly<Record<string, string>> {
  return { ...environmentOf({ ...ceph, ...keys }), ...env };
}

async function relay(nextFault: (method: string) => RelayFault): Promise<FaultyRelay> {
  const started = await startFaultyRelay(ceph.endpoint, ({ method }) => nextFault(method));
  relays.push(started);
  return started;
}

/** All objects of both buckets, as text. */
async function contents(): Promise<readonly (readonly [string, string])[]> {
  const all = [publicBucket, stateBucket].map(async (bucket) => {
    const store = openS3(urlOf(ceph.endpoint, bucket));
    return Promise.all(
      (await keysOf(s3, bucket)).map(async (key) => {
        const found = await store.read(key);
        return [`${bucket}/${key}`, Buffer.from(found?.body ?? []).toString("base64")] as const;
      }),
    );
  });
  return (await Promise.all(all)).flat();
}

/** Runs with the fault and expects exit code 1, one message that contains the words, and unchanged objects. */
async function expectRefusal(changes: Changes, ...words: readonly string[]): Promise<CliResult> {
  const before = await contents();
  const result = await runCli(changes);
  expect(result.stderr).not.toContain("    at ");
  const problems = problemsOf(result.stderr);
  expect(problems, result.stderr).toHaveLength(1);
  for (const word of words) expect(problems[0]).toContain(word);
  expect(result.code).toBe(1);
  expect(await contents()).toEqual(before);
  return result;
}

// Concurrent, because they mostly wait, and change nothing.
describe.concurrent("a run names what to fix, ends with 1, and changes nothing", () => {
  test("wrong access key", async () => {
    await expectRefusal(
      { keys: { accessKeyId: "nobody" } },
      "(InvalidAccessKeyId, HTTP 403)",
      "Fix AWS_ACCESS_KEY_ID",
    );
  });

  test("wrong secret key", async () => {
    await expectRefusal(
      { keys: { secretAccessKey: "wrong" } },
      "(SignatureDoesNotMatch, HTTP 403)",
      "Fix AWS_SECRET_ACCESS_KEY",
    );
  });

  test("no keys at all", async () => {
    const nothing = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "" };
    await expectRefusal({ env: nothing }, "Set AWS_ACCESS_KEY_ID and");
  });

  test("keys of a user without rights in the buckets", async () => {
    const keys = await createCephUser(ceph, `stranger-${randomUUID()}`);
    await expectRefusal({ keys }, "(AccessDenied, HTTP 403)", "Give them the right", "--state");
  });

  test("no such bucket for the state", async () => {
    await expectRefusal(
      { stateBucket: "no-such-bucket" },
      "s3://no-such-bucket",
      "(NoSuchBucket, HTTP 404)",
      "fix --state",
    );
  });

  test("an endpoint without a listener", async () => {
    await expectRefusal(
      { endpoint: `http://127.0.0.1:${await findFreePort()}` },
      "(ECONNREFUSED)",
      "fix the endpoint in --state",
    );
  });

  test("an endpoint whose name does not resolve", async () => {
    await expectRefusal({ endpoint: "http://store.invalid" }, "endpoint in --state");
  });

  test("an endpoint that accepts and never answers", async () => {
    const { endpoint } = await relay(() => "hang");
    await expectRefusal({ endpoint }, "did not answer in time", "--state");
  });

  test("an endpoint that is too busy for too long", async () => {
    const { endpoint } = await relay(() => 503);
    await expectRefusal({ endpoint }, "HTTP 503", "too busy", "Run again later");
  });

  test("an endpoint that fails for too long", async () => {
    const { endpoint } = await relay(() => 500);
    await expectRefusal({ endpoint }, "HTTP 500", "also after retries");
  });

  test("an endpoint that is not a store", async () => {
    const website = createWebsite((_, answer) => {
      answer.writeHead(404, { "Content-Type": "text/html" });
      answer.end("<!doctype html><title>Not found</title><p>Nothing here<br>");
    });
    await new Promise<void>((resolve) => website.listen(0, "127.0.0.1", resolve));
    const { port } = website.address() as AddressInfo;
    try {
      await expectRefusal({ endpoint: `http://127.0.0.1:${port}` }, "endpoint in --state");
    } finally {
      website.close();
    }
  });

  test.each([20, -20])("a clock that is %i minutes off", async (minutes) => {
    const env = { NODE_OPTIONS: `--import ${SKEWED_CLOCK}`, SKEW_MINUTES: String(minutes) };
    const words = ["(RequestTimeTooSkewed, HTTP 403)", "the clock of this machine", "NTP"];
    await expectRefusal({ env }, ...words);
  });
});

describe.concurrent("doctor tells a fault of both stores once", () => {
  test.each<readonly [string, Changes, RegExp]>([
    ["a wrong access key", { keys: { accessKeyId: "nobody" } }, /Fix AWS_ACCESS_KEY_ID/u],
    ["a wrong secret key", { keys: { secretAccessKey: "wrong" } }, /Fix AWS_SECRET_ACCESS_KEY/u],
    ["an endpoint that is down", { endpoint: "http://127.0.0.1:9" }, /nothing listens/u],
  ])("%s", async (_, changes, words) => {
    const args = ["--catalogue", "catalogue.json", "--dns", "127.0.0.1:9"];
    const { stdout } = await workspace.program(
      ["doctor", "--json", ...args, ...storesOf(changes)],
      envOf(changes),
    );
    const checks = JSON.parse(stdout) as readonly Check[];
    const ofStores = checks.filter(({ name }) => /^--st(?:ore|ate)/u.test(name));
    expect(ofStores).toEqual([
      { name: "--store", result: "fail", detail: expect.stringMatching(words) },
      { name: "--state", result: "fail", detail: "the same fault as of --store." },
    ]);
  });
});

describe("if only the public store fails, public objects stay, and a later run recovers", () => {
  test.each([
    ["no such bucket", { publicBucket: "no-such-bucket" }, ["(NoSuchBucket", "fix --store"]],
  ])("%s", async (_, changes, words) => {
    const before = (await contents()).filter(([key]) => key.startsWith(publicBucket));
    const result = await runCli(changes);
    expect(result.code).toBe(1);
    for (const word of words) expect(problemsOf(result.stderr)[0]).toContain(word);
    // The run fails before it probes.
    expect(result.stderr).not.toContain('"run-started"');
    expect((await contents()).filter(([key]) => key.startsWith(publicBucket))).toEqual(before);
    expect(await runCli()).toMatchObject({ code: 0 });
  });

  test("a read-only bucket", async () => {
    const name = `writer-${randomUUID()}`;
    const keys = await createCephUser(ceph, name);
    const state = await createBucket(s3);
    const places = { keys, stateBucket: state, publicBucket: await createBucket(s3) };
    await allow(state, name, ["s3:*"]);
    await allow(places.publicBucket, name, ["s3:*"]);
    // Two runs in the same second would publish the same list, and write nothing.
    const at = (minutes: number) => ["--at", new Date(Date.now() + minutes * 60_000).toISOString()];
    expect(await runCli(places, at(0))).toMatchObject({ code: 0 });
    await allow(places.publicBucket, name, ["s3:GetObject", "s3:ListBucket"]);
    const keysBefore = await keysOf(s3, places.publicBucket);
    const result = await runCli(places, at(5));
    expect(result.code).toBe(1);
    expect(problemsOf(result.stderr)[0]).toMatch(
      /cannot write \S+ \(AccessDenied, HTTP 403\).* --store .*read, write and delete/u,
    );
    expect(await keysOf(s3, places.publicBucket)).toEqual(keysBefore);
    await allow(places.publicBucket, name, ["s3:*"]);
    expect(await runCli(places, at(10))).toMatchObject({ code: 0 });
  });
});

describe.concurrent("temporary faults", () => {
  /** New buckets, because these tests run concurrently. */
  const openBuckets = async () => ({
    publicBucket: await createBucket(s3),
    stateBucket: await createBucket(s3),
  });

  test.each([503, 429, 500])("%i for two seconds: the run succeeds", async (status) => {
    let clock: ReturnType<typeof startClock> | undefined;
    const { endpoint } = await relay(() => {
      clock ??= startClock();
      return clock.ms() < 2_000 ? status : "none";
    });
    const result = await runCli({ endpoint, ...(await openBuckets()) });
    expect(result, result.stderr).toMatchObject({ code: 0 });
  });

  test("a run succeeds if every eighth write is executed and answered with 500", async () => {
    let writes = 0;
    const { endpoint } = await relay((method) =>
      method === "PUT" && (writes += 1) % 8 === 1 ? "half-failed" : "none",
    );
    expect(await runCli({ endpoint, ...(await openBuckets()) })).toMatchObject({ code: 0 });
  });
});

describe("timeouts", () => {
  test("end a request without an answer, and an answer that never ends", async () => {
    const limits = { connectMs: 100, requestMs: 200, patienceMs: 100 };
    const { endpoint } = await relay(() => "hang");
    const store = openS3(urlOf(endpoint, publicBucket), "public", limits);
    const error = await store.read("a").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreError);
    expect(error).toMatchObject({ message: expect.stringContaining("did not answer in time") });
    const half = await startHalfAnswer();
    const slow = openS3(urlOf(half.endpoint, publicBucket), "public", limits);
    const halfError = await slow.read("a").catch((thrown: unknown) => thrown);
    half.close();
    expect(halfError).toBeInstanceOf(StoreError);
  });

  test("of a write report an unknown result", async () => {
    const { endpoint } = await relay(() => "hang");
    const limits = { connectMs: 100, requestMs: 200, patienceMs: 100 };
    const store = openS3(urlOf(endpoint, publicBucket), "public", limits);
    const object = { body: Buffer.from("x"), contentType: "text/plain", cacheControl: "no-store" };
    await expect(store.write("a", object, { kind: "absent" })).rejects.toMatchObject({
      isUnknown: true,
    });
  });
});

describe("a network that loses, delays, repeats and half-fails requests", () => {
  test(`each of ${FAULTY_ROUNDS} rounds ends with all documents at the newest generation`, async () => {
    const seed = randomUUID();
    const random = createRandom(seed);
    const FAULTS: readonly RelayFault[] = [
      "lost",
      "answer-lost",
      "late",
      "repeated",
      "half-failed",
    ];
    const relayed = await relay((method) =>
      method === "PUT" && random() < 0.2 ? (FAULTS[Math.floor(random() * 5)] ?? "none") : "none",
    );
    const places = [await createBucket(s3), await createBucket(s3)] as const;
    const open = (endpoint: string) =>
      openCounterProgram(urlOf(endpoint, places[0]), urlOf(endpoint, places[1]));
    const counterPrograms = await Promise.all([1, 2, 3].map(() => open(relayed.endpoint)));
    const clean = await open(ceph.endpoint);
    let [successes, failures] = [0, 0];
    for (let round = 1; round <= FAULTY_ROUNDS; round += 1) {
      const results = await Promise.allSettled(counterPrograms.map(commitOnce));
      for (const result of results) {
        if (result.status === "rejected") expect(result.reason).toBeInstanceOf(StoreError);
      }
      const done = results.filter(({ status }) => status === "fulfilled").length;
      successes += done + 1;
      failures += results.length - done;
      await relayed.settle();
      await commitOnce(clean);
      const seen = await observe(clean);
      expect(seen.count, seed).toBeGreaterThanOrEqual(successes);
      expect(seen.count, seed).toBeLessThanOrEqual(successes + failures);
      expect(seen.documents, seed).toEqual(expectedDocuments(seen.count));
    }
    const sum = (key: keyof (typeof clean)["tally"]) =>
      counterPrograms.reduce((all, { tally }) => all + tally[key], 0);
    console.log(
      `faults: ${FAULTY_ROUNDS} rounds, seed ${seed}, ${relayed.asked.length} requests, ${successes} successes, ${failures} failures, ${sum("conflicts")} conflicts, ${sum("unknowns")} unknown outcomes, ${sum("repairs")} repairs`,
    );
  });
});

async function allow(bucket: string, user: string, actions: readonly string[]): Promise<void> {
  const statement = {
    Effect: "Allow",
    Principal: { AWS: [`arn:aws:iam:::user/${user}`] },
    Action: actions,
    Resource: [`arn:aws:s3:::${bucket}`, `arn:aws:s3:::${bucket}/*`],
  };
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
  await s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
}

/** Announces a thousand bytes, sends two, and keeps the connection open. */
async function startHalfAnswer(): Promise<{ endpoint: string; close: () => void }> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () =>
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nETag: "a"\r\n\r\nab'),
    );
    sockets.add(socket);
  });
  const sockets = new Set<{ destroy: () => unknown }>();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
