import { createServer, type Socket } from "node:net";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a fake server says of itself, and whom it refuses. */
export interface FakeNats {
  readonly info?: object;
  /** Whether a client may publish to a subject, or subscribe to it. */
  readonly isDenied?: (act: "publish" | "subscribe", subject: string) => boolean;
  /** The answer of JetStream to a request; undefined: an error. */
  readonly answer?: (subject: string) => object | undefined;
}

const INFO = { server_id: "x", version: "2.12.1", proto: 1, headers: true, jetstream: true };

/** The name of a subject or inbox, against a pattern with `*` and `>`. */
function matches(pattern: string, subject: string): boolean {
  const [parts, own] = [pattern.split("."), subject.split(".")];
  return parts.every((part, at) => part === ">" || part === "*" || part === own[at]);
}

/** Speaks as much of the protocol of NATS as connecting, permissions and refused requests need. @returns its URL and what clients said. */
export async function startFakeNats({ info = {}, isDenied, answer }: FakeNats = {}) {
  const connects: Readonly<Record<string, unknown>>[] = [];
  const server = createServer((socket) => {
    const subscriptions = new Map<string, string>();
    const deny = (act: string, subject: string): void =>
      void socket.write(`-ERR 'Permissions Violation for ${act} to "${subject}"'\r\n`);
    const reply = (inbox: string, subject: string): void => {
      const [sid] = [...subscriptions].find(([, pattern]) => matches(pattern, inbox)) ?? [];
      if (sid === undefined) return;
      if (!subject.startsWith("$JS.API.")) {
        const head = "NATS/1.0 503\r\n\r\n";
        socket.write(`HMSG ${inbox} ${sid} ${head.length} ${head.length}\r\n${head}\r\n`);
        return;
      }
      const error = { error: { code: 500, err_code: 1, description: "no streams here" } };
      const body = JSON.stringify({ type: "x", ...(answer?.(subject) ?? error) });
      socket.write(`MSG ${inbox} ${sid} ${body.length}\r\n${body}\r\n`);
    };
    readLines(socket, (line) => {
      const [verb = "", ...rest] = line.split(" ");
      if (verb === "CONNECT") connects.push(JSON.parse(rest.join(" ")));
      if (verb === "PING") socket.write("PONG\r\n");
      if (verb === "SUB") {
        const [subject = "", sid = ""] = rest;
        if (isDenied?.("subscribe", subject) === true) deny("Subscription", subject);
        else subscriptions.set(rest.at(-1) ?? sid, subject);
      }
      if (verb !== "PUB" && verb !== "HPUB") return 0;
      const [subject = ""] = rest;
      const sizes = verb === "PUB" ? 1 : 2;
      const [inbox] = rest.slice(1, rest.length - sizes);
      if (isDenied?.("publish", subject) === true) deny("Publish", subject);
      else if (inbox !== undefined) reply(inbox, subject);
      return Number(rest.at(-1)) + 2;
    });
    socket.on("error", () => undefined);
    socket.write(`INFO ${JSON.stringify({ ...INFO, max_payload: 1_048_576, ...info })}\r\n`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The address of a server on TCP that listens.
  const { port } = server.address() as AddressInfo;
  return { url: `nats://127.0.0.1:${port}`, connects };
}

/** Calls back with each line; the callback returns how many bytes of a payload follow. */
function readLines(socket: Socket, onLine: (line: string) => number | void): void {
  let text = "";
  let skip = 0;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    for (;;) {
      if (text.length < skip) return;
      text = text.slice(skip);
      skip = 0;
      const end = text.indexOf("\r\n");
      if (end < 0) return;
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      skip = onLine(line) ?? 0;
    }
  });
}
