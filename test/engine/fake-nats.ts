import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { type SecureContext, TLSSocket } from "node:tls";
import { onTestFinished } from "vitest";

/** A message to the server. */
export interface Said {
  readonly subject: string;
  /** Empty: it asks for no answer. */
  readonly inbox: string;
  /** With its headers, if it has any. */
  readonly body: string;
}

/** A message to an inbox. */
export interface Told {
  /** Of a message from a stream. @default the inbox */
  readonly subject?: string;
  /** Where it is acknowledged. */
  readonly reply?: string;
  readonly body: string;
  /** The lines of a status, such as `408 Request Timeout`. */
  readonly status?: readonly string[];
}

/** What a fake server says of itself, and whom it refuses. */
export interface FakeNats {
  readonly info?: object;
  /** Whether a client may publish to a subject, or subscribe to it. */
  readonly isDenied?: (act: "publish" | "subscribe", subject: string) => boolean;
  /** What a stream makes of a message; undefined: it is answered as without streams. */
  readonly tell?: (said: Said) => Told | undefined;
  /** The answer of JetStream to a request; undefined: an error. */
  readonly answer?: (subject: string) => object | undefined;
  /** Of a server that goes over to TLS after its first line. */
  readonly secureContext?: SecureContext;
}

type Connects = Readonly<Record<string, unknown>>[];

const INFO = { server_id: "x", version: "2.12.1", proto: 1, headers: true, jetstream: true };
const NO_STREAMS = { error: { code: 500, err_code: 1, description: "no streams here" } };

/** The name of a subject or inbox, against a pattern with `*` and `>`. */
function matches(pattern: string, subject: string): boolean {
  const [parts, own] = [pattern.split("."), subject.split(".")];
  return parts.every((part, at) => part === ">" || part === "*" || part === own[at]);
}

/** Speaks as much of the protocol of NATS as connecting, permissions, requests and pulls need. @returns its URL and what clients said. */
export async function startFakeNats(fake: FakeNats = {}) {
  const { info = {}, secureContext } = fake;
  const connects: Connects = [];
  const said = { ...INFO, max_payload: 1_048_576, tls_required: secureContext !== undefined };
  const server = createServer((plain) => {
    plain.on("error", () => undefined);
    plain.write(`INFO ${JSON.stringify({ ...said, ...info })}\r\n`);
    const isPlain = secureContext === undefined;
    serve(
      isPlain ? plain : new TLSSocket(plain, { isServer: true, secureContext }),
      fake,
      connects,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The address of a server on TCP that listens.
  const { port } = server.address() as AddressInfo;
  const scheme = secureContext === undefined ? "nats" : "tls";
  return { url: `${scheme}://127.0.0.1:${port}`, connects };
}

function serve(socket: Socket, { isDenied, tell, answer }: FakeNats, connects: Connects): void {
  const subscriptions = new Map<string, string>();
  socket.on("error", () => undefined);
  const deny = (act: string, subject: string): void =>
    void socket.write(`-ERR 'Permissions Violation for ${act} to "${subject}"'\r\n`);
  const answerOf = ({ subject, inbox, body }: Said): Told => {
    const told = tell?.({ subject, inbox, body });
    if (told !== undefined) return told;
    if (!subject.startsWith("$JS.API.")) return { body: "", status: ["503"] };
    return { body: JSON.stringify({ type: "x", ...(answer?.(subject) ?? NO_STREAMS) }) };
  };
  const hear = (said: Said): void => {
    const { inbox } = said;
    const told = answerOf(said);
    const [sid] = [...subscriptions].find(([, pattern]) => matches(pattern, inbox)) ?? [];
    if (inbox !== "" && sid !== undefined) socket.write(frameOf(sid, inbox, told), "latin1");
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
    if (verb !== "PUB" && verb !== "HPUB") return undefined;
    const [subject = ""] = rest;
    const [inbox = ""] = rest.slice(1, rest.length - (verb === "PUB" ? 1 : 2));
    return {
      bytes: Number(rest.at(-1)),
      onBody: (body) => {
        if (isDenied?.("publish", subject) === true) deny("Publish", subject);
        else hear({ subject, inbox, body });
      },
    };
  });
}

function frameOf(sid: string, inbox: string, { subject = inbox, reply, body, status }: Told) {
  const line = [subject, sid, ...(reply === undefined ? [] : [reply])].join(" ");
  if (status === undefined) return `MSG ${line} ${body.length}\r\n${body}\r\n`;
  const head = `NATS/1.0 ${status.join("\r\n")}\r\n\r\n`;
  return `HMSG ${line} ${head.length} ${head.length + body.length}\r\n${head}${body}\r\n`;
}

/** What follows a line. */
interface Payload {
  readonly bytes: number;
  readonly onBody: (body: string) => void;
}

/** Calls back with each line, and with its payload if the callback says that one follows. */
function readLines(socket: Socket, onLine: (line: string) => Payload | undefined): void {
  let text = "";
  let next: Payload | undefined;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = next === undefined ? text.indexOf("\r\n") : next.bytes;
      if (end < 0 || text.length < end + 2) return;
      const part = text.slice(0, end);
      text = text.slice(end + 2);
      const payload = next;
      next = payload === undefined ? onLine(part) : undefined;
      payload?.onBody(part);
    }
  });
}
