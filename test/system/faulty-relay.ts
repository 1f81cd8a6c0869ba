import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The fault of a request. `lost`: it never arrives. `answer-lost`: it arrives, and the connection breaks. `late`: the connection
 * breaks, and the request arrives after that. `repeated`: it arrives twice. `half-failed`: it is executed, and answered with 500.
 * `hang`: it never arrives and is never answered. A number: it is answered with that status and not executed.
 */
export type RelayFault =
  | "none"
  | "lost"
  | "answer-lost"
  | "late"
  | "repeated"
  | "half-failed"
  | "hang"
  | number;

export interface Asked {
  readonly method: string;
  readonly path: string;
}

export interface FaultyRelay {
  readonly endpoint: string;
  /** Every request so far. */
  readonly asked: readonly Asked[];
  /** Resolves when all delayed requests have ended. */
  readonly settle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

/** Forwards requests to a store, each with the fault from `nextFault`. Keeps the `Host`, so signatures stay valid. */
export async function startFaultyRelay(
  storeUrl: string,
  nextFault: (asked: Asked) => RelayFault,
): Promise<FaultyRelay> {
  const { hostname, port } = new URL(storeUrl);
  const agent = new Agent({ keepAlive: true });
  const asked: Asked[] = [];
  const stragglers: Promise<unknown>[] = [];

  async function pass({ method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const passed = request(
        { hostname, port, method, path: url, headers, agent },
        (answer) =>
          void buffer(answer).then(
            (bytes) =>
              resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: bytes }),
            reject,
          ),
      );
      passed.on("error", reject);
      passed.end(body);
    });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = "", url: path = "" } = incoming;
    const body = await buffer(incoming);
    const fault = nextFault({ method, path });
    asked.push({ method, path });
    const give = ({ status, headers, body: bytes }: Answer): void => {
      outgoing.writeHead(status, headers);
      outgoing.end(bytes);
    };
    if (typeof fault === "number") return give(errorOf(fault));
    switch (fault) {
      case "hang":
        return;
      case "lost":
        return void outgoing.destroy();
      case "late":
        outgoing.destroy();
        stragglers.push(delay(5 + (body.length % 40)).then(() => pass(incoming, body)));
        return;
      case "answer-lost":
        await pass(incoming, body);
        return void outgoing.destroy();
      case "half-failed":
        await pass(incoming, body);
        return give(errorOf(500));
      case "repeated":
        give(await pass(incoming, body));
        stragglers.push(delay(3 + (body.length % 20)).then(() => pass(incoming, body)));
        return;
      case "none":
        return give(await pass(incoming, body));
    }
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on TCP has an address of this type.
  const own = (server.address() as AddressInfo).port;
  return {
    endpoint: `http://127.0.0.1:${own}`,
    asked,
    settle: async () => void (await Promise.allSettled(stragglers)),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      agent.destroy();
    },
  };
}

function errorOf(status: number): Answer {
  const code = status === 429 || status === 503 ? "SlowDown" : "InternalError";
  const body = Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
  return { status, headers: { "Content-Type": "application/xml" }, body };
}
