import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import pLimit from "p-limit";
import {
  type ETag,
  type ObjectStore,
  type Precondition,
  StoreError,
  type StoreOperation,
} from "../model/store.ts";
import { findKeyProblem, toFileSegments } from "./key.ts";
import { isBusy, isUncertain, readFailure, toS3Error } from "./s3-failure.ts";
import type { S3Location } from "./s3-url.ts";
import type { StoreRole } from "./settings.ts";

/** Requests under way at once: enough to hide latency, few enough to be no burden. */
const CONCURRENCY = 16;
const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 10_000;
const TRIES = 4;
const FIRST_BACKOFF_MS = 100;

export interface S3StoreOptions {
  readonly role: StoreRole;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A store in a bucket. Touches nothing before the first call. Credentials come from the default chain of the SDK. */
export function createS3Store(location: S3Location, options: S3StoreOptions): ObjectStore {
  return new S3Store(location, options);
}

class S3Store implements ObjectStore {
  readonly name: string;
  readonly #location: S3Location;
  readonly #options: S3StoreOptions;
  readonly #client: S3Client;
  readonly #limit = pLimit(CONCURRENCY);
  #isEtagQuoted: boolean;

  constructor(location: S3Location, options: S3StoreOptions) {
    this.name = `s3://${location.bucket}${location.prefix === "" ? "" : `/${location.prefix}`}`;
    this.#location = location;
    this.#options = options;
    this.#isEtagQuoted = location.etagStyle !== "unquoted";
    this.#client = createClient(location);
  }

  async read(key: string): Promise<{ body: Uint8Array; etag: ETag } | undefined> {
    return this.#ask("read", key, async (target) => {
      const answer = await this.#client.send(new GetObjectCommand(target), timeout());
      return {
        body: (await answer.Body?.transformToByteArray()) ?? new Uint8Array(),
        etag: unquote(answer.ETag),
      };
    });
  }

  async find(key: string): Promise<ETag | undefined> {
    return this.#ask("find", key, async (target) =>
      unquote((await this.#client.send(new HeadObjectCommand(target), timeout())).ETag),
    );
  }

  async write(
    key: string,
    object: { body: Uint8Array; contentType: string; cacheControl: string },
    precondition?: Precondition,
  ): Promise<{ kind: "written"; etag: ETag } | { kind: "conflict" }> {
    const put = async (target: Target): Promise<ETag> => {
      const command = new PutObjectCommand({
        ...target,
        // Always bytes: the SDK frames a stream in a way that some stores refuse and others store as content.
        Body: object.body,
        ContentType: object.contentType,
        CacheControl: object.cacheControl,
        ...this.#condition(precondition),
      });
      return unquote((await this.#client.send(command, timeout())).ETag);
    };
    const etag = await this.#ask("write", key, put, precondition !== undefined);
    if (etag !== undefined) return { kind: "written", etag };
    return (await this.#isMisquoted(key, precondition))
      ? this.write(key, object, precondition)
      : { kind: "conflict" };
  }

  async remove(key: string): Promise<void> {
    await this.#ask("remove", key, (target) =>
      this.#client.send(new DeleteObjectCommand(target), timeout()),
    );
  }

  #condition(precondition: Precondition | undefined): { IfMatch?: string; IfNoneMatch?: string } {
    if (precondition === undefined) return {};
    if (precondition.kind === "absent") return { IfNoneMatch: "*" };
    return { IfMatch: this.#isEtagQuoted ? `"${precondition.etag}"` : precondition.etag };
  }

  /** Some stores (Ceph RGW) compare the header to the bare tag, so that a quoted one never matches. Found out once. */
  async #isMisquoted(key: string, precondition: Precondition | undefined): Promise<boolean> {
    const canLearn = this.#location.etagStyle === "auto" && this.#isEtagQuoted;
    if (!canLearn || precondition?.kind !== "unchanged") return false;
    if ((await this.find(key)) !== precondition.etag) return false;
    this.#isEtagQuoted = false;
    return true;
  }

  /**
   * One operation, repeated while the store is busy or, if that can do no harm, the answer was lost.
   * @returns undefined when there is no such object, or the precondition did not hold.
   */
  async #ask<T>(
    operation: StoreOperation,
    key: string,
    act: (target: Target) => Promise<T>,
    isConditional = false,
  ): Promise<T | undefined> {
    const target = this.#target(operation, key);
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#limit(() => act(target));
      } catch (error) {
        const failure = readFailure(error);
        if (failure === undefined) throw error;
        if (failure.status === 412) return undefined;
        if (failure.status === 404 && failure.name !== "NoSuchBucket") return undefined;
        // A conditional write that may have happened is not repeated: the second try would lose against the first.
        const mayRepeat = isBusy(failure) || (!isConditional && isUncertain(failure));
        if (!mayRepeat || attempt === TRIES) {
          throw toS3Error(
            failure,
            { storeName: this.name, role: this.#options.role, operation, key },
            error,
          );
        }
        await this.#options.sleep(this.#options.random() * FIRST_BACKOFF_MS * 2 ** attempt);
      }
    }
  }

  #target(operation: StoreOperation, key: string): Target {
    const problem = findKeyProblem(key);
    if (problem !== undefined) {
      throw new StoreError(
        operation,
        key,
        `${this.name}: ${JSON.stringify(key)} is no key: ${problem}.`,
      );
    }
    const { bucket, prefix, keyStyle } = this.#location;
    const name = keyStyle === "suffixed" ? toFileSegments(key).join("/") : key;
    return { Bucket: bucket, Key: prefix === "" ? name : `${prefix}/${name}` };
  }
}

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

function createClient(location: S3Location): S3Client {
  return new S3Client({
    ...regionOf(location),
    ...(location.endpoint === undefined ? {} : { endpoint: location.endpoint }),
    forcePathStyle: location.isPathStyle,
    // Checksums that were not asked for are refused by some stores.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // Retries are ours: the SDK's would repeat a conditional write and then lose against its own first try.
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Without this a request time-out is only warned about.
      throwOnRequestTimeout: true,
    }),
  });
}

/** Stores other than AWS take any region, but the SDK wants one; for AWS itself the SDK's own settings decide. */
function regionOf({ region, endpoint }: S3Location): { region?: string } {
  if (region !== undefined) return { region };
  return endpoint === undefined ? {} : { region: "us-east-1" };
}

/** Bounds the whole exchange, body included. */
function timeout(): { abortSignal: AbortSignal } {
  return { abortSignal: AbortSignal.timeout(CONNECT_TIMEOUT_MS + REQUEST_TIMEOUT_MS) };
}

function unquote(etag: string | undefined): ETag {
  return (etag ?? "").replace(/^"|"$/gu, "");
}
