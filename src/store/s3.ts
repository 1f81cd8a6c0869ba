import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from "@aws-sdk/client-s3";
import pLimit from "p-limit";
import { readStart } from "../model/read-start.ts";
import {
  backoffMs,
  type ETag,
  type FoundObject,
  type Inventory,
  type ObjectStore,
  type Precondition,
  STORE_CONCURRENCY,
  type StoredObject,
  type StoreOperation,
  type WriteResult,
} from "../model/store.ts";
import { aheadOf } from "./store-clock.ts";
import { toObjectName } from "./key.ts";
import { createS3Client, DEFAULT_LIMITS, type S3Limits } from "./s3-client.ts";
import { checkKey, type StoreRole } from "./store-error.ts";
import { isAbsent, isMissigned, isTimeOut, mayRetry, readFailure, toS3Error } from "./s3-error.ts";
import { folderOf, type S3Location } from "./location.ts";

/** Names in one response: the maximum of S3. */
const PAGE = 1_000;
const BACKOFF = { firstMs: 100, longestMs: 2_000 };

export interface S3StoreOptions {
  readonly role: StoreRole;
  /** Uniform in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** @default DEFAULT_LIMITS */
  readonly limits?: S3Limits;
}

/** A store in a bucket. Sends nothing before the first call. Credentials come from the default chain of the SDK. */
export class S3Store implements ObjectStore {
  readonly name: string;
  readonly identity: string;
  readonly #location: S3Location;
  readonly #options: S3StoreOptions;
  readonly #s3: ReturnType<typeof createS3Client>;
  readonly #limits: S3Limits;
  readonly #limit = pLimit(STORE_CONCURRENCY);
  #isEtagQuoted: boolean;
  #clockAheadMs: number | undefined;
  #isKeyProven = false;

  constructor(location: S3Location, options: S3StoreOptions) {
    this.name = `s3://${location.bucket}${location.prefix === "" ? "" : `/${location.prefix}`}`;
    // With another style of keys every object has another name, so that is another place.
    const keys = location.keyStyle === "suffixed" ? " with suffixes" : "";
    this.identity = `${this.name}@${location.endpoint ?? "aws"}${keys}`;
    this.#location = location;
    this.#options = options;
    this.#isEtagQuoted = location.etagStyle !== "unquoted";
    this.#limits = options.limits ?? DEFAULT_LIMITS;
    this.#s3 = createS3Client(location, this.#limits, (response) => {
      this.#clockAheadMs = aheadOf(response);
    });
  }

  readonly etagStyle = (): "quoted" | "unquoted" => (this.#isEtagQuoted ? "quoted" : "unquoted");

  readonly clockAheadMs = (): number | undefined => this.#clockAheadMs;

  async read(key: string, maxBytes?: number): Promise<FoundObject | undefined> {
    return this.#request("read", key, async (target) => {
      const response = await this.#s3.client.send(new GetObjectCommand(target), this.#timeout());
      const { Body } = response;
      const body =
        maxBytes === undefined || !(Body instanceof Readable)
          ? await Body?.transformToByteArray()
          : await readStart(Body, maxBytes);
      return { body: body ?? new Uint8Array(), etag: unquote(response.ETag) };
    });
  }

  async find(key: string): Promise<ETag | undefined> {
    return this.#request("find", key, async (target) =>
      unquote((await this.#s3.client.send(new HeadObjectCommand(target), this.#timeout())).ETag),
    );
  }

  async has(key: string): Promise<boolean> {
    return (await this.find(key)) !== undefined;
  }

  async write(
    key: string,
    object: StoredObject,
    precondition?: Precondition,
  ): Promise<WriteResult> {
    // A concurrent write may find out in the meantime how the store expects its tags.
    const wasQuoted = this.#isEtagQuoted;
    const put = async (target: Target): Promise<ETag> => {
      const command = new PutObjectCommand({
        ...target,
        // Always bytes: the SDK frames a stream in a way that some stores refuse and others store as content.
        Body: object.body,
        ContentType: object.contentType,
        CacheControl: object.cacheControl,
        ...toHeaders(precondition, wasQuoted),
      });
      return unquote((await this.#s3.client.send(command, this.#timeout())).ETag);
    };
    const etag = await this.#request("write", key, put, precondition !== undefined);
    if (etag !== undefined) return { kind: "written", etag };
    return (await this.#isMisquoted(key, precondition, wasQuoted))
      ? this.write(key, object, precondition)
      : { kind: "conflict" };
  }

  async remove(key: string): Promise<void> {
    await this.#request("remove", key, (target) =>
      this.#s3.client.send(new DeleteObjectCommand(target), this.#timeout()),
    );
  }

  async list(folder: string): Promise<readonly string[]> {
    const { names } = await this.#listNames(folder, `${this.#prefixed(folder)}/`, "/");
    return names
      .filter((name) => name.includes(".") && !name.includes("/"))
      .map((name) => `${folder}/${name}`);
  }

  listAll(limit: number): Promise<Inventory> {
    return this.#listNames("*", this.#prefixed(""), undefined, limit);
  }

  async #listNames(
    key: string,
    prefix: string,
    Delimiter: string | undefined,
    limit = Number.POSITIVE_INFINITY,
  ): Promise<Inventory> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const MaxKeys = Math.min(PAGE, limit - names.length);
      const query = { Delimiter, Prefix: prefix, MaxKeys, ContinuationToken: token };
      const page = await this.#request("list", key, ({ Bucket }) =>
        this.#s3.client.send(new ListObjectsV2Command({ Bucket, ...query }), this.#timeout()),
      );
      const keys = (page?.Contents ?? []).map(({ Key = "" }) => Key);
      // Consoles mark a folder with an object that has its name and a slash.
      names.push(...keys.filter((one) => one !== prefix).map((one) => one.slice(prefix.length)));
      token = page?.IsTruncated === true ? page.NextContinuationToken : undefined;
    } while (token !== undefined && names.length < limit);
    return {
      names: names.slice(0, limit),
      isComplete: token === undefined && names.length <= limit,
    };
  }

  /** Some stores (Ceph RGW) compare the header to the bare tag, so that a quoted one never matches. Detected once. */
  async #isMisquoted(
    key: string,
    precondition: Precondition | undefined,
    wasQuoted: boolean,
  ): Promise<boolean> {
    const canLearn = this.#location.etagStyle === "auto" && wasQuoted;
    if (!canLearn || precondition?.kind !== "unchanged") return false;
    if (this.#isEtagQuoted && (await this.find(key)) !== precondition.etag) return false;
    this.#isEtagQuoted = false;
    return true;
  }

  /**
   * One operation, with retries while the store is busy, and after a lost response where a retry is safe.
   * @returns undefined when there is no such object, or the precondition did not hold.
   */
  async #request<T>(
    operation: StoreOperation,
    key: string,
    act: (target: Target) => Promise<T>,
    isConditional = false,
  ): Promise<T | undefined> {
    const target = this.#target(operation, key);
    const { patienceMs } = this.#limits;
    const startedMs = performance.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const response = await this.#limit(() => act(target));
        this.#isKeyProven = true;
        return response;
      } catch (error) {
        const failure = readFailure(error);
        if (failure === undefined) throw error;
        if (failure.status === 412 || isAbsent(failure, operation)) {
          this.#isKeyProven = true;
          return undefined;
        }
        if (isTimeOut(failure)) this.#s3.closeFree();
        const elapsedMs = performance.now() - startedMs;
        if (!mayRetry(failure, { attempt, elapsedMs, patienceMs, isConditional })) {
          const isKeyProven = isMissigned(failure) && (await this.#proveKey(target));
          const { role } = this.#options;
          const tried = { storeName: this.name, role, operation, key, isKeyProven };
          throw toS3Error(failure, tried, error);
        }
        await this.#options.sleep(backoffMs(attempt, this.#options.random, BACKOFF));
      }
    }
  }

  /** Whether the store accepts, or has accepted, a plain request that is signed with this key. */
  async #proveKey(target: Target): Promise<boolean> {
    if (this.#isKeyProven) return true;
    try {
      await this.#s3.client.send(new HeadObjectCommand(target), this.#timeout());
      return true;
    } catch (error) {
      return readFailure(error)?.status === 404;
    }
  }

  #target(operation: StoreOperation, key: string): Target {
    checkKey(this.name, operation, key);
    const { bucket, keyStyle } = this.#location;
    return { Bucket: bucket, Key: this.#prefixed(toObjectName(key, keyStyle)) };
  }

  #prefixed(name: string): string {
    return folderOf(this.#location) + name;
  }

  /** For the whole exchange, including the body. */
  #timeout(): { abortSignal: AbortSignal } {
    const { connectMs, requestMs } = this.#limits;
    return { abortSignal: AbortSignal.timeout(connectMs + requestMs) };
  }
}

interface Target {
  readonly Bucket: string;
  readonly Key: string;
}

function toHeaders(precondition: Precondition | undefined, isQuoted: boolean) {
  if (precondition === undefined) return {};
  if (precondition.kind === "absent") return { IfNoneMatch: "*" };
  return { IfMatch: isQuoted ? `"${precondition.etag}"` : precondition.etag };
}

/** Without quotes, and without the `W/` of a proxy that compresses: the store itself compares the strong tag. */
function unquote(etag: string | undefined): ETag {
  return (etag ?? "").replace(/^(?:W\/)?"|"$/gu, "");
}
