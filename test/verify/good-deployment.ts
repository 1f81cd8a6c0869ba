import {
  Agent,
  createServer,
  type IncomingMessage,
  request as askOverHttp,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Server as NetServer } from "node:net";
import { createFront } from "../../src/preview/front.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { drawBadges } from "./good-badges.ts";
import { drawData } from "./good-data.ts";
import { drawWebsite } from "./good-website.ts";

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

/** A response in the proxy. Tests change it before the client receives it. */
export interface PassingAnswer {
  readonly method: string;
  readonly target: string;
  readonly request: IncomingMessage;
  status: number;
  headers: [name: string, value: string][];
  body: string;
  /** Encoding of `body`. */
  encoding: BufferEncoding;
}

export type Corrupt = (answer: PassingAnswer) => void;

export interface Deployment {
  readonly url: URL;
  close(): Promise<void>;
}

/** The preview front over a memory store, behind a proxy that may corrupt each answer. */
export async function deploy(
  corrupt: Corrupt = () => undefined,
  createProxy: (listener: RequestListener) => Server = createServer,
): Promise<Deployment> {
  const store = createMemoryStore();
  const front = await listenPreview(createFront(store).fetch, { port: 0 });
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxy((request, response) => {
    pass({ frontUrl: front.url, agent }, request, response, corrupt).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const url = await listenAnywhere(proxy);
  const website = drawWebsite(
    url.origin,
    SUMMARIES.map(({ slug }) => slug),
  );
  const documents = { ...documentsAt(Math.floor(Date.now() / 1_000)), ...website };
  for (const [key, body] of Object.entries(documents)) {
    await store.write(key, { body: Buffer.from(body), contentType: "", cacheControl: "" });
  }
  return {
    url,
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
      agent.destroy();
      await front.close();
    },
  };
}

/** Starts the server on a free port of 127.0.0.1. */
export async function listenAnywhere(server: NetServer): Promise<URL> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  // A server that listens on TCP has an address of this type.
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

interface Upstream {
  readonly frontUrl: string;
  readonly agent: Agent;
}

/** HEAD is forwarded as GET, so that a corrupted body changes the Content-Length. */
async function pass(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  corrupt: Corrupt,
): Promise<void> {
  const { method = "", url: target = "" } = request;
  const answer = await ask(upstream, method === "HEAD" ? "GET" : method, target, request);
  const passing: PassingAnswer = { method, target, request, ...answer };
  corrupt(passing);
  if (request.socket.destroyed || response.writableEnded) return;
  const body = Buffer.from(passing.body, passing.encoding);
  const headers = passing.headers.filter(
    ([name]) => !/^(?:content-length|connection|keep-alive)$/iu.test(name),
  );
  const hasLength = passing.status !== 304 && passing.status !== 204;
  response.writeHead(passing.status, [
    ...headers.flat(),
    ...(hasLength ? ["Content-Length", String(body.length)] : []),
  ]);
  response.end(method === "HEAD" ? undefined : body);
}

function ask(
  { frontUrl, agent }: Upstream,
  method: string,
  target: string,
  incoming: IncomingMessage,
): Promise<Pick<PassingAnswer, "status" | "headers" | "body" | "encoding">> {
  const { hostname, port } = new URL(frontUrl);
  const headers = { ...incoming.headers, connection: "keep-alive" };
  return new Promise((resolve, reject) => {
    const outgoing = askOverHttp({ hostname, port, method, path: target, headers, agent });
    outgoing.on("error", reject);
    outgoing.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const raw = answer.rawHeaders;
        const isBinary = /^(?:image\/png|application\/(?:gzip|vnd))/u.test(
          answer.headers["content-type"] ?? "",
        );
        const encoding = isBinary ? "latin1" : "utf8";
        resolve({
          status: answer.statusCode ?? 0,
          headers: raw.flatMap((name, index): [string, string][] =>
            index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : [],
          ),
          encoding,
          body: Buffer.concat(chunks).toString(encoding),
        });
      });
    });
    outgoing.end();
  });
}
