import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { CreateBucketCommand, ListObjectsV2Command, type S3Client } from "@aws-sdk/client-s3";
import type { ObjectStore } from "../../src/model/store.ts";
import { S3Store } from "../../src/store/s3.ts";
import { DEFAULT_LIMITS, type S3Limits } from "../../src/store/s3-client.ts";
import { parseS3Url } from "../../src/store/location.ts";
import type { StoreRole } from "../../src/store/store-error.ts";
import { until } from "../cli/cli.ts";
import type { CephAddress, CephKeys } from "./ceph.ts";

/** The credentials as environment variables of the program. */
export function environmentOf(keys: CephKeys): Readonly<Record<string, string>> {
  return { AWS_ACCESS_KEY_ID: keys.accessKeyId, AWS_SECRET_ACCESS_KEY: keys.secretAccessKey };
}

/** A new private bucket. */
export async function createBucket(s3: S3Client): Promise<string> {
  const bucket = `test-${randomUUID()}`;
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  return bucket;
}

/** A store URL for the command line. */
export function urlOf(endpoint: string, place: string, parameters = "etag=unquoted"): string {
  return `s3://${place}?endpoint=${endpoint}${parameters === "" ? "" : `&${parameters}`}`;
}

/** The address of the website in tests: without it, a bucket gets no website. */
export const WEBSITE = ["--base-url", "https://status.example"] as const;

/** Options of a command that publishes to these buckets, with a JSON log. */
export function bucketOptions(
  endpoint: string,
  publicBucket: string,
  stateBucket: string,
): readonly string[] {
  const [store, state] = [urlOf(endpoint, publicBucket), urlOf(endpoint, stateBucket)];
  return [...WEBSITE, "--store", store, "--state", state, "--log", "debug"];
}

/** Opens a store in this process, with the credentials of its environment. */
export function openS3(
  url: string,
  role: StoreRole = "public",
  limits: S3Limits = DEFAULT_LIMITS,
): ObjectStore {
  const parsed = parseS3Url(url);
  if (parsed.kind !== "s3") throw new RangeError(JSON.stringify(parsed));
  const sleep = (ms: number): Promise<void> => delay(ms);
  return new S3Store(parsed.location, { role, random: Math.random, sleep, limits });
}

/** All keys of a bucket with at most a thousand. */
export async function keysOf(s3: S3Client, bucket: string): Promise<readonly string[]> {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: bucket }));
  return Contents.flatMap(({ Key }) => Key ?? []);
}

/** One request in the log of the gateway. */
interface LoggedRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number;
}

interface Look {
  readonly requests: readonly LoggedRequest[];
  /** Bytes of the log up to the end of this part. */
  readonly end: number;
}

/** The requests in the gateway's log that name one of the buckets, in the order of the answers, from a byte of the log on. */
async function requestsTo(
  { folder }: Pick<CephAddress, "folder">,
  buckets: readonly string[],
  start: number,
): Promise<Look> {
  const log = await text(createReadStream(join(folder, "log/client.gateway.log"), { start }));
  const lines = log.slice(0, log.lastIndexOf("\n") + 1);
  const requests = [
    ...lines.matchAll(/"(?<method>[A-Z]+) (?<path>\S+) HTTP\/1\.1" (?<status>\d+)/gu),
  ]
    .map(({ groups }) => ({
      method: groups?.["method"] ?? "",
      path: groups?.["path"] ?? "",
      status: Number(groups?.["status"]),
    }))
    .filter(({ path }) => buckets.some((bucket) => path.startsWith(`/${bucket}`)));
  return { requests, end: start + Buffer.byteLength(lines) };
}

/** Where the last read ended: the log of many tests is long, so it is not read again. */
let seenUntil = 0;

/** Runs `act` and returns the requests to the buckets meanwhile, in the order of the answers. */
export async function watchRequests<T>(
  ceph: Pick<CephAddress, "folder">,
  buckets: readonly string[],
  act: () => Promise<T>,
): Promise<{ readonly result: T; readonly requests: readonly LoggedRequest[] }> {
  const { end } = await lookAtRest(ceph, buckets, seenUntil);
  const result = await act();
  const after = await lookAtRest(ceph, buckets, end);
  seenUntil = after.end;
  return { result, requests: after.requests };
}

/** Reads the gateway's log until it no longer grows, because it is written with a delay. */
async function lookAtRest(
  ceph: Pick<CephAddress, "folder">,
  buckets: readonly string[],
  start: number,
): Promise<Look> {
  let look = await requestsTo(ceph, buckets, start);
  await until("the log of the gateway rests", async () => {
    const { length } = look.requests;
    await delay(200);
    look = await requestsTo(ceph, buckets, start);
    return look.requests.length === length;
  });
  return look;
}
