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
import { onTestFinished } from "vitest";
import { listenPreview } from "../preview/listen-preview.ts";
import {
  type Corrupt,
  createGoodFront,
  encodingOf,
  linesOf,
  type PassingAnswer,
} from "./good-deployment.ts";

/** The good deployment behind a proxy that may corrupt each answer, until the test ends. Returns its address. */
export async function deployOverSocket(
  corrupt: Corrupt = () => undefined,
  createProxy: (listener: RequestListener) => Server = createServer,
): Promise<URL> {
  const agent = new Agent({ keepAlive: true });
  const proxy = createProxy((request, response) => {
    pass({ frontUrl: front.url, agent }, request, response, corrupt).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  const url = await listenAnywhere(proxy);
  const front = await listenPreview((await createGoodFront(url.origin)).fetch, { port: 0 });
  onTestFinished(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    agent.destroy();
    await front.close();
  });
  return url;
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
  response.writeHead(passing.status, linesOf(passing, body).flat());
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
        const encoding = encodingOf(answer.headers["content-type"]);
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
