import { connect, type Socket } from "node:net";
import { type ClientHello, isGrease, type PeekedHello, peekClientHello } from "./client-hello.ts";
import { listen } from "./front.ts";

/** X25519MLKEM768, which Chromium sends since 131 and few programs do. Source: draft-ietf-tls-ecdhe-mlkem. */
const HYBRID_GROUP = 0x11_ec;

/** What filters look at, as reported from Russia: whether a ClientHello has it. */
export const MARKS = {
  grease: (hello: ClientHello) => hello.cipherSuites.some(isGrease),
  "hybrid-key": (hello: ClientHello) => hello.keyShares.includes(HYBRID_GROUP),
  "alpn-h2": (hello: ClientHello) => hello.alpn.includes("h2"),
} as const;

export type Mark = keyof typeof MARKS;

/** A filter on the path: drops clients that have a mark, or those that lack it. */
export interface HelloFilter {
  readonly mark: Mark;
  readonly drops: "having" | "lacking";
  /** Only of this name. Absent: of every name. */
  readonly name?: string;
}

export const HELLO_FILTERS: readonly HelloFilter[] = (Object.keys(MARKS) as Mark[]).flatMap(
  (mark) => [
    { mark, drops: "having" },
    { mark, drops: "lacking" },
  ],
);

export interface HelloBox {
  readonly port: number;
  /** Each ClientHello that arrived, those dropped included. */
  readonly hellos: readonly ClientHello[];
  set(filter: HelloFilter | undefined): void;
  close(): Promise<void>;
}

/**
 * Starts a box before a server: it reads the ClientHello, and answers with silence or lets all bytes pass.
 *
 * @param address of this machine, on which it listens.
 */
export async function startHelloBox(serverPort: number, address?: string): Promise<HelloBox> {
  const hellos: ClientHello[] = [];
  let filter: HelloFilter | undefined;
  const listener = await listen((client) => {
    readHello(client, ({ hello, serverName }, bytes) => {
      hellos.push(hello);
      if (filter !== undefined && isDropped(hello, serverName, filter)) return;
      const server = connect(serverPort, "127.0.0.1");
      server.on("error", () => client.destroy());
      client.once("close", () => server.destroy());
      server.write(bytes);
      client.pipe(server).pipe(client);
    });
  }, address);
  return {
    port: listener.port,
    hellos,
    set: (next) => {
      filter = next;
    },
    close: () => listener.close(),
  };
}

function isDropped(
  hello: ClientHello,
  serverName: string | undefined,
  { mark, drops, name }: HelloFilter,
): boolean {
  const isMeant = name === undefined || serverName === name;
  return isMeant && MARKS[mark](hello) === (drops === "having");
}

/** Anything but a ClientHello ends the connection. */
function readHello(
  client: Socket,
  take: (peeked: Extract<PeekedHello, { kind: "hello" }>, bytes: Buffer) => void,
): void {
  let bytes = Buffer.alloc(0);
  client.on("data", function onData(part: Buffer) {
    bytes = Buffer.concat([bytes, part]);
    const peeked = peekClientHello(bytes);
    if (peeked.kind === "incomplete") return;
    client.off("data", onData);
    if (peeked.kind === "other") client.destroy();
    else take(peeked, bytes);
  });
}
