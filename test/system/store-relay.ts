import { Agent, createServer, type IncomingHttpHeaders, request } from "node:http";
import { listenOnOff } from "../cli/on-off-server.ts";

/** A request to the store. */
export interface Seen {
  readonly method: string;
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
}

/** `refuse`: no connections; `hang`: no answers; `break`: answers 500. */
export type RelayMode = "pass" | "refuse" | "hang" | "break";

export interface StoreRelay {
  readonly endpoint: string;
  /** Every request so far, in order. */
  readonly seen: readonly Seen[];
  readonly setMode: (mode: RelayMode) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Forwards requests to a store unchanged, records them, and can simulate faults of the store. */
export async function startStoreRelay(storeUrl: string): Promise<StoreRelay> {
  const { hostname, port } = new URL(storeUrl);
  const agent = new Agent({ keepAlive: true });
  const seen: Seen[] = [];
  let mode: RelayMode = "pass";
  const server = createServer((incoming, outgoing) => {
    const { method = "", url: path = "", headers } = incoming;
    seen.push({ method, target: path, headers });
    incoming.resume();
    if (mode === "hang") return;
    if (mode === "break") {
      outgoing.writeHead(500, {
        "Content-Type": "application/xml",
        "Access-Control-Allow-Origin": "x",
      });
      outgoing.end("<Error/>");
      return;
    }
    const passed = request({ hostname, port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.rawHeaders);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    passed.end();
  });
  const { port: own, setUp } = await listenOnOff(server);
  return {
    endpoint: `http://127.0.0.1:${own}`,
    seen,
    async setMode(next) {
      // Does not cut off requests in progress without a change of mode.
      if (next === mode) return;
      mode = next;
      server.closeAllConnections();
      await setUp(next !== "refuse");
    },
    async close() {
      await setUp(false);
      agent.destroy();
    },
  };
}
