import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { listenOnOff } from "./on-off-server.ts";

/** How long a write waits for that of another writer, which comes at once if there is one. */
const MEETING_MS = 300;

/** Faults of a store. Each may change at any time. */
export interface LoopbackS3Moods {
  /** Ignores the conditions of writes. */
  ignoresConditions: boolean;
  /** Never answers requests. */
  isHanging: boolean;
  /** How far the clock of the store is ahead of this machine's; negative: behind. */
  clockAheadMs: number;
  /** Answers 403. `LIST` means a GET of the bucket. */
  isRefused: (method: string, key: string) => boolean;
  /**
   * What happens to an object `x` beside `x/y`. `kept`: the store has both. `refused`: it takes only one. `held`: it refuses to create `x`,
   * as if that existed (SeaweedFS). `hidden`: it does not list `x`.
   */
  nesting: "kept" | "refused" | "held" | "hidden";
  /** Computes the signature of a conditional write wrongly, as s3proxy does. */
  missigns: boolean;
  /** Checks the condition of a write, and writes once that of another writer was checked as well. */
  hasWriteRace: boolean;
  /** Accepts a tag only without its quotes. */
  wantsBareTags: boolean;
  /** Delays a request until this resolves, so that tests can order events. */
  hold: (method: string, key: string) => Promise<void> | undefined;
}

export interface LoopbackS3 {
  readonly moods: LoopbackS3Moods;
  /** The objects of the bucket, by key. */
  readonly objects: Map<string, Buffer>;
  readonly url: (prefix: string) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Stops the server, or starts it on the same port. */
  readonly setUp: (isUp: boolean) => Promise<void>;
}

/**
 * An in-memory S3 server with the requests that the program uses, for faults that real stores do not have on demand. Stops with
 * the test.
 *
 * @param atEnd registers the cleanup of a concurrent test.
 */
export async function startLoopbackS3(
  atEnd: (close: () => Promise<void>) => void = onTestFinished,
): Promise<LoopbackS3> {
  const objects = new Map<string, Buffer>();
  const moods: LoopbackS3Moods = {
    ignoresConditions: false,
    isHanging: false,
    clockAheadMs: 0,
    nesting: "kept",
    missigns: false,
    hasWriteRace: false,
    wantsBareTags: false,
    isRefused: () => false,
    hold: () => undefined,
  };
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => void answer(request, response));

  /** Resolves for two writes of a key together. */
  async function meetAnother(key: string): Promise<void> {
    const release = waiting.get(key);
    waiting.delete(key);
    if (release !== undefined) return release();
    const met = new Promise<void>((resolve) => waiting.set(key, resolve));
    await Promise.race([met, delay(MEETING_MS)]);
    waiting.delete(key);
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request);
    if (moods.isHanging) return;
    response.setHeader("Date", new Date(Date.now() + moods.clockAheadMs).toUTCString());
    const url = new URL(request.url ?? "/", "http://toy");
    const key = decodeURIComponent(url.pathname.replace(/^\/bucket\/?/u, ""));
    const method = key === "" ? "LIST" : (request.method ?? "GET");
    const about = key === "" ? (url.searchParams.get("prefix") ?? "") : key;
    await moods.hold(method, about);
    if (moods.isRefused(method, about)) {
      return fail(response, 403, "AccessDenied");
    }
    const held = objects.get(key);
    switch (method) {
      case "LIST":
        return list(response, url.searchParams);
      case "DELETE":
        objects.delete(key);
        response.writeHead(204).end();
        return;
      case "PUT":
        if (
          moods.nesting === "refused" &&
          (isFolder(key) || parentsOf(key).some((one) => objects.has(one)))
        )
          return fail(response, 409, "ExistingObjectIsDirectory");
        if (moods.nesting === "held" && held === undefined && isFolder(key))
          return fail(response, 412, "PreconditionFailed");
        if (moods.missigns && isConditional(request))
          return fail(response, 403, "SignatureDoesNotMatch");
        if (!moods.ignoresConditions && !isMet(request, held, moods.wantsBareTags)) {
          return fail(response, 412, "PreconditionFailed");
        }
        if (moods.hasWriteRace) await meetAnother(key);
        objects.set(key, body);
        response.writeHead(200, { ETag: tagOf(body) }).end();
        return;
      default:
        if (held === undefined) return fail(response, 404, "NoSuchKey");
        response.writeHead(200, { ETag: tagOf(held), "Content-Length": String(held.length) });
        response.end(method === "HEAD" ? undefined : held);
    }
  }

  function isFolder(key: string): boolean {
    return [...objects.keys()].some((one) => one.startsWith(`${key}/`));
  }

  function list(response: ServerResponse, asked: URLSearchParams): void {
    const prefix = asked.get("prefix") ?? "";
    const after = asked.get("continuation-token") ?? "";
    const most = Number(asked.get("max-keys") ?? 1_000);
    const all = [...objects.keys()]
      .filter((key) => key.startsWith(prefix) && !(moods.nesting === "hidden" && isFolder(key)))
      .toSorted()
      .filter((key) => key > after);
    const keys = all.slice(0, most);
    const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join("");
    const isTruncated = keys.length < all.length;
    const token = isTruncated
      ? `<NextContinuationToken>${keys.at(-1) ?? ""}</NextContinuationToken>`
      : "";
    response.writeHead(200, { "Content-Type": "application/xml" });
    response.end(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${token}${contents}</ListBucketResult>`,
    );
  }

  const { port, setUp } = await listenOnOff(server);
  atEnd(() => setUp(false));
  return {
    moods,
    objects,
    url: (prefix) => `s3://bucket/${prefix}?endpoint=http://127.0.0.1:${port}&etag=quoted`,
    env: { AWS_ACCESS_KEY_ID: "toy", AWS_SECRET_ACCESS_KEY: "toy" },
    setUp,
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) {
    const bytes: Uint8Array = chunk;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** The keys that would be parent folders of this one. */
function parentsOf(key: string): readonly string[] {
  const segments = key.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

function isConditional({ headers }: IncomingMessage): boolean {
  return (headers["if-match"] ?? headers["if-none-match"]) !== undefined;
}

function isMet({ headers }: IncomingMessage, held: Buffer | undefined, isBare: boolean): boolean {
  if (headers["if-none-match"] === "*") return held === undefined;
  const wanted = headers["if-match"];
  const tag = held === undefined ? undefined : tagOf(held);
  return wanted === undefined || wanted === (isBare ? tag?.replaceAll('"', "") : tag);
}

function tagOf(bytes: Uint8Array): string {
  return `"${createHash("md5").update(bytes).digest("hex")}"`;
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { "Content-Type": "application/xml" });
  response.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}
