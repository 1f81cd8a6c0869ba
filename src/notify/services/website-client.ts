import { Agent, request } from "undici";
import { SECOND_MS } from "../../model/time.ts";
import {
  type ChangesDocument,
  readChanges,
  readStatus,
  type StatusDocument,
} from "./website-documents.ts";

/** A website or a CDN that is slower is asked again in the next cycle. */
const TIMEOUT_MS = 10 * SECOND_MS;

/** Thirty days of changes are a fifth of it. */
const MAX_BYTES = 1024 * 1024;

/** The website is asked no more often, however often a cycle comes. */
const POLL_MS = 15 * SECOND_MS;

/** Where the log of changes is below the address of a website. */
const CHANGES_PATH = "/changes/v1.json";

/** The website cannot be read, or what it gives is no such document. Nothing is told until it can. */
export class WebsiteError extends Error {
  override readonly name = "WebsiteError";
}

/** What a website says at one moment. */
export interface WebsiteReading {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly changes: ChangesDocument;
  readonly status: StatusDocument;
}

export interface Website {
  readonly baseUrl: string;
  /** The newest documents, or those of a moment ago. Throws `WebsiteError`. */
  readonly read: () => Promise<WebsiteReading>;
}

/** The address of a website in that of its log of changes, or its own. */
export function websiteOf(url: string): string {
  const plain = url.replace(/\/+$/u, "");
  return plain.endsWith(CHANGES_PATH) ? plain.slice(0, -CHANGES_PATH.length) : plain;
}

/**
 * A client of the two documents of a website. It asks with `If-None-Match`, ten seconds and one MiB at most, and follows no redirect.
 *
 * @param url the address of the website, or of its `changes/v1.json`.
 * @param now of a monotonic clock.
 */
export function openWebsite(url: string, now: () => number, stop: AbortSignal): Website {
  const baseUrl = websiteOf(url);
  const agent = new Agent({ maxResponseSize: MAX_BYTES });
  const readChangesNow = createReader(`${baseUrl}${CHANGES_PATH}`, readChanges, agent, stop);
  const readStatusNow = createReader(`${baseUrl}/api/v1/status`, readStatus, agent, stop);
  let last: { readonly atMs: number; readonly reading: WebsiteReading } | undefined;
  return {
    baseUrl,
    read: async () => {
      const atMs = now();
      if (last !== undefined && atMs - last.atMs < POLL_MS) return last.reading;
      const [changes, status] = await Promise.all([readChangesNow(), readStatusNow()]);
      last = { atMs, reading: { baseUrl, changes, status } };
      return last.reading;
    },
  };
}

/** A document that is read again only if it has changed. */
function createReader<T extends object>(
  url: string,
  parse: (value: unknown) => T | string,
  agent: Agent,
  stop: AbortSignal,
): () => Promise<T> {
  let known: { readonly etag: string; readonly content: T } | undefined;
  return async () => {
    const headers = {
      "user-agent": "status-snapshot",
      accept: "application/json",
      ...(known === undefined ? {} : { "if-none-match": known.etag }),
    };
    const answer = await fetchText(url, headers, agent, stop);
    if (answer.status === 304 && known !== undefined) return known.content;
    if (answer.status !== 200) throw new WebsiteError(`${url} answered ${answer.status}.`);
    const content = parse(parseJson(answer.text));
    if (typeof content === "string")
      throw new WebsiteError(`${url} is not a document of this program: ${content}.`);
    known = answer.etag === undefined ? undefined : { etag: answer.etag, content };
    return content;
  };
}

interface TextAnswer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

async function fetchText(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
  stop: AbortSignal,
): Promise<TextAnswer> {
  const late = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const signal = AbortSignal.any([late, stop]);
    const answer = await request(url, { dispatcher: agent, signal, headers });
    const { etag } = answer.headers;
    const text = await answer.body.text();
    return { status: answer.statusCode, etag: typeof etag === "string" ? etag : undefined, text };
  } catch (error) {
    const why = late.aborted ? `no answer within ${TIMEOUT_MS / SECOND_MS} s` : describe(error);
    throw new WebsiteError(`${url} cannot be read: ${why}.`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of a system call, of TLS or of undici says more than a sentence. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
