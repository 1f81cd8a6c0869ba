import type { IncomingHttpHeaders } from "node:http";
import type { Socket } from "node:net";
import { createFront } from "../../src/preview/front.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { drawBadges } from "./good-badges.ts";
import { drawData } from "./good-data.ts";
import { drawWebsite } from "./good-website.ts";
import type { Ask, ReceivedAnswer, Transport } from "../../src/verify/http/client.ts";

const SUMMARIES = [
  { slug: "sberbank", name: "Сбербанк Онлайн", color: "ok", code: "ok", live: false },
  { slug: "chat-gpt", name: "ChatGPT", color: "warn", code: "provider", live: false },
  { slug: "telegram", name: "Телеграм", color: "bad", code: "fail", live: true },
];

const BADGES: Readonly<Record<string, string | Buffer>> = Object.fromEntries(
  Object.entries(drawBadges("99.98%")).map(([name, body]) => [`api/m/my-shop/${name}`, body]),
);

/**
 * Documents by key, written independently of the publisher, so that they do not share its mistakes. `updated` is three minutes
 * before `nowS`. Each deployment has its own, because a test file may take longer than the maximum age.
 */
function documentsAt(nowS: number): Readonly<Record<string, string | Buffer>> {
  const since = [nowS - 86_400, null, nowS - 600];
  const details = SUMMARIES.map((summary, index): [string, string] => [
    `api/v1/status/${summary.slug}`,
    JSON.stringify({
      ...summary,
      since: since[index],
      reportsHour: index,
      reportsDay: index * 7,
    }),
  ]);
  return {
    "api/v1/status": JSON.stringify({ updated: nowS - 180, services: SUMMARIES }),
    ...Object.fromEntries(details),
    ...drawData(SUMMARIES, nowS - 180),
    ...BADGES,
  };
}

/** A response of the front. Tests change it before the client receives it. */
export interface PassingAnswer {
  readonly method: string;
  readonly target: string;
  /** With the socket, if there is one: tests can write to it what no server would send. */
  readonly request: { readonly headers: IncomingHttpHeaders; readonly socket?: Socket };
  status: number;
  headers: [name: string, value: string][];
  body: string;
  /** Encoding of `body`. */
  encoding: BufferEncoding;
}

export type Corrupt = (answer: PassingAnswer) => void;

type Front = ReturnType<typeof createFront>;

/** The preview front over a memory store with the good deployment at an address. */
export async function createGoodFront(origin: string): Promise<Front> {
  const store = createMemoryStore();
  const website = drawWebsite(
    origin,
    SUMMARIES.map(({ slug }) => slug),
  );
  const documents = { ...documentsAt(Math.floor(Date.now() / 1_000)), ...website };
  for (const [key, body] of Object.entries(documents)) {
    await store.write(key, { body: Buffer.from(body), contentType: "", cacheControl: "" });
  }
  return createFront(store);
}

/** Reaches a front without sockets; each answer may be corrupted, as by a proxy. An error of `corrupt` is one of the request. */
export function connectFront(front: Front, corrupt: Corrupt = () => undefined) {
  return (baseUrl: URL): Transport => ({
    exchange: async (ask) => {
      const headers = { host: baseUrl.host, ...lowerCase(ask.headers) };
      // A front sees HEAD as GET, so that a corrupted body changes the Content-Length.
      const method = ask.method === "HEAD" ? "GET" : ask.method;
      const { method: asked, target } = ask;
      const answer = await askFront(front, new Request(baseUrl, { method, headers }), target);
      const passing: PassingAnswer = { method: asked, target, request: { headers }, ...answer };
      corrupt(passing);
      return receive(ask, passing);
    },
    close: () => Promise.resolve(),
  });
}

async function askFront(
  front: Front,
  request: Request,
  target: string,
): Promise<Pick<PassingAnswer, "status" | "headers" | "body" | "encoding">> {
  const response = await front.fetch(request, { incoming: { url: target } });
  const encoding = encodingOf(response.headers.get("content-type"));
  return {
    status: response.status,
    // As every server of Node sends it.
    headers: [...response.headers, ["date", new Date().toUTCString()]],
    encoding,
    body: Buffer.from(await response.arrayBuffer()).toString(encoding),
  };
}

/** How bytes of a type become a text without a loss. */
export function encodingOf(contentType: string | null | undefined): BufferEncoding {
  return /^(?:image\/png|application\/(?:gzip|vnd))/u.test(contentType ?? "") ? "latin1" : "utf8";
}

/** The lines of a passing answer, with the length of its body, if it may have one. */
export function linesOf({ status, headers }: PassingAnswer, body: Uint8Array): [string, string][] {
  const hasLength = status !== 304 && status !== 204;
  return [
    ...headers.filter(([name]) => !/^(?:content-length|connection|keep-alive)$/iu.test(name)),
    ...(hasLength ? [["Content-Length", String(body.length)] satisfies [string, string]] : []),
  ];
}

/** What a client receives of a passing answer. */
function receive(ask: Ask, passing: PassingAnswer): ReceivedAnswer {
  const { status } = passing;
  const body = Buffer.from(passing.body, passing.encoding);
  const headers = new Map<string, string[]>();
  for (const [name, value] of linesOf(passing, body)) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  const isEmpty = ask.method === "HEAD" || status === 304 || status === 204;
  return { kind: "answer", ask, status, headers, body: isEmpty ? Buffer.alloc(0) : body };
}

function lowerCase(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
