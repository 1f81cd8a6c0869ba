import { randomUUID } from "node:crypto";
import {
  CreateBucketCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from "@aws-sdk/client-s3";
import { afterAll, expect, inject, test } from "vitest";
import { createCephUser } from "./ceph.ts";
import { connectS3, outcomeOf } from "./s3-client.ts";

/**
 * The behaviour of Ceph on which the S3 store and the publishing protocol depend, checked for the installed version.
 * A failure here means that Ceph has changed, not the program.
 */
const ceph = inject("ceph");
const s3 = connectS3(ceph);
const RACERS = 16;
const OK = { status: 200, error: "" };
const PRECONDITION_FAILED = { status: 412, error: "PreconditionFailed" };

afterAll(() => s3.destroy());

/** A new bucket for each test, so that tests do not share objects. */
async function createBucket(): Promise<string> {
  const bucket = `test-${randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return bucket;
}

function put(
  bucket: string,
  key: string,
  body: string,
  conditions: Pick<PutObjectCommandInput, "IfMatch" | "IfNoneMatch"> = {},
) {
  return s3.send(
    new PutObjectCommand({ Bucket: bucket, Key: key, Body: Buffer.from(body), ...conditions }),
  );
}

async function read(bucket: string, key: string) {
  const found = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return { body: await found.Body?.transformToString(), etag: found.ETag ?? "" };
}

/** All racers write concurrently; each body is the number of its racer. */
async function race(
  bucket: string,
  conditions: Pick<PutObjectCommandInput, "IfMatch" | "IfNoneMatch">,
) {
  const racers = Array.from({ length: RACERS }, (_, racer) => String(racer));
  const outcomes = await Promise.all(
    racers.map((racer) => outcomeOf(put(bucket, "state", racer, conditions))),
  );
  return {
    winners: racers.filter((_, index) => outcomes[index]?.status === 200),
    losers: outcomes.filter(({ status }) => status !== 200),
  };
}

test("exactly one of many concurrent creations wins, and its bytes stay", async () => {
  const bucket = await createBucket();
  const { winners, losers } = await race(bucket, { IfNoneMatch: "*" });
  expect(winners).toHaveLength(1);
  expect((await read(bucket, "state")).body).toBe(winners[0]);
  expect(losers).toHaveLength(RACERS - 1);
  // This store can also answer a loser with 500, although rarely for a creation.
  expect(losers.filter(({ status }) => status !== 412 && status !== 500)).toEqual([]);
  expect(await outcomeOf(put(bucket, "state", "late", { IfNoneMatch: "*" }))).toEqual(
    PRECONDITION_FAILED,
  );
});

test("exactly one of many concurrent replacements wins, and its bytes stay", async () => {
  const bucket = await createBucket();
  await put(bucket, "state", "first");
  const { etag } = await read(bucket, "state");
  const { winners, losers } = await race(bucket, { IfMatch: etag.replaceAll('"', "") });
  expect(winners).toHaveLength(1);
  expect((await read(bucket, "state")).body).toBe(winners[0]);
  expect(losers.filter(({ status }) => status !== 412 && status !== 500)).toEqual([]);
});

test("a replacement needs the current ETag, without its quotes", async () => {
  const bucket = await createBucket();
  await put(bucket, "state", "one");
  const { etag } = await read(bucket, "state");
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/u);
  const unquoted = etag.slice(1, -1);
  expect(await outcomeOf(put(bucket, "state", "two", { IfMatch: etag }))).toEqual(
    PRECONDITION_FAILED,
  );
  expect(await outcomeOf(put(bucket, "state", "two", { IfMatch: unquoted }))).toEqual(OK);
  expect((await read(bucket, "state")).body).toBe("two");
  expect(await outcomeOf(put(bucket, "state", "three", { IfMatch: unquoted }))).toEqual(
    PRECONDITION_FAILED,
  );
  expect((await read(bucket, "state")).body).toBe("two");
});

test("a replacement of a missing object fails", async () => {
  const bucket = await createBucket();
  const outcome = await outcomeOf(put(bucket, "state", "one", { IfMatch: "0".repeat(32) }));
  expect([404, 412]).toContain(outcome.status);
});

test("a key and keys below it can exist at the same time", async () => {
  const bucket = await createBucket();
  await put(bucket, "api/v1/status", "list");
  await put(bucket, "api/v1/status/github", "detail");
  expect((await read(bucket, "api/v1/status")).body).toBe("list");
  expect((await read(bucket, "api/v1/status/github")).body).toBe("detail");
});

test("a wrong access key and a wrong secret key have different error codes", async () => {
  const bucket = await createBucket();
  async function answerTo(keys: { accessKeyId: string; secretAccessKey: string }) {
    const client = connectS3(ceph, keys);
    const request = new GetObjectCommand({ Bucket: bucket, Key: "state" });
    return outcomeOf(client.send(request)).finally(() => client.destroy());
  }
  expect(await answerTo({ ...ceph, accessKeyId: "nobody" })).toEqual({
    status: 403,
    error: "InvalidAccessKeyId",
  });
  expect(await answerTo({ ...ceph, secretAccessKey: "wrong" })).toEqual({
    status: 403,
    error: "SignatureDoesNotMatch",
  });
});

test("a missing bucket and a missing key have different error codes", async () => {
  const bucket = await createBucket();
  const get = (Bucket: string) => outcomeOf(s3.send(new GetObjectCommand({ Bucket, Key: "none" })));
  expect(await get(bucket)).toEqual({ status: 404, error: "NoSuchKey" });
  expect(await get(`${bucket}-none`)).toEqual({ status: 404, error: "NoSuchBucket" });
});

test("another user can read what the policy allows, and cannot write", async () => {
  const bucket = await createBucket();
  await put(bucket, "api/v1/status", "list");
  const name = `reader-${randomUUID()}`;
  const client = connectS3(ceph, await createCephUser(ceph, name));
  const Key = "api/v1/status";
  const head = () => outcomeOf(client.send(new HeadObjectCommand({ Bucket: bucket, Key })));
  try {
    expect((await head()).status).toBe(403);
    await allow(bucket, `arn:aws:iam:::user/${name}`, ["s3:GetObject"], `${bucket}/*`);
    expect(await head()).toEqual(OK);
    const write = new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.from("mine") });
    expect(await outcomeOf(client.send(write))).toEqual({ status: 403, error: "AccessDenied" });
    expect((await read(bucket, Key)).body).toBe("list");
  } finally {
    client.destroy();
  }
});

/** Replaces the policy of the bucket by this single statement. */
function allow(bucket: string, principal: string, actions: readonly string[], resource: string) {
  return allowAll(bucket, [statement(principal, actions, resource)]);
}

function statement(principal: string, actions: readonly string[], resource: string) {
  return {
    Effect: "Allow",
    Principal: { AWS: [principal] },
    Action: actions,
    Resource: [`arn:aws:s3:::${resource}`],
  };
}

function allowAll(bucket: string, statements: readonly object[]) {
  const Policy = JSON.stringify({ Version: "2012-10-17", Statement: statements });
  return s3.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
}

/** What a client without keys receives: status, body and headers. */
async function look(bucket: string, key: string) {
  const response = await fetch(`${ceph.endpoint}/${bucket}/${key}`);
  return { status: response.status, body: await response.text(), headers: response.headers };
}

/** One bucket for both documents and state: wrong, but some operators will have it. */
async function createSharedBucket(): Promise<string> {
  const bucket = await createBucket();
  await put(bucket, "api/v1/status", "list");
  await put(bucket, "state/current", "secret");
  return bucket;
}

test("without a policy, reading needs keys", async () => {
  const bucket = await createSharedBucket();
  expect((await look(bucket, "api/v1/status")).status).toBe(403);
  expect((await look(bucket, "api/v1/none")).status).toBe(403);
});

test("a policy makes one prefix public, and the state stays private", async () => {
  const bucket = await createSharedBucket();
  await allow(bucket, "*", ["s3:GetObject"], `${bucket}/api/*`);
  expect(await look(bucket, "api/v1/status")).toMatchObject({ status: 200, body: "list" });
  const state = await look(bucket, "state/current");
  expect(state.status).toBe(403);
  expect(state.body).not.toContain("secret");
  // The answer must not show whether the object exists.
  expect((await look(bucket, "state/none")).status).toBe(403);
  expect((await look(bucket, "")).status).toBe(403);
});

test("a missing key is 403 without keys, and 404 only with the right to list", async () => {
  const bucket = await createSharedBucket();
  await allow(bucket, "*", ["s3:GetObject"], `${bucket}/api/*`);
  expect((await look(bucket, "api/v1/none")).status).toBe(403);
  await allowAll(bucket, [
    statement("*", ["s3:GetObject"], `${bucket}/api/*`),
    statement("*", ["s3:ListBucket"], bucket),
  ]);
  expect((await look(bucket, "api/v1/none")).status).toBe(404);
  expect((await look(bucket, "state/current")).status).toBe(403);
  // The cost of 404: the names of all keys are public, including those of the state.
  expect(await look(bucket, "")).toMatchObject({
    status: 200,
    body: expect.stringContaining("state/current"),
  });
});

test("an answer has the clock of the store", async () => {
  const { headers } = await look(await createBucket(), "none");
  const skewMs = Date.parse(headers.get("date") ?? "") - Date.now();
  expect(Math.abs(skewMs)).toBeLessThan(60_000);
});
