import { createSocket, type Socket as UdpSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { decode } from "dns-packet";
import type { DnsBehaviour } from "./behaviour.ts";
import { buildAnswer, chooseStep, type DnsStep, type Query, type Transport } from "./dns-answer.ts";

export interface QueryCounts {
  readonly udp: number;
  readonly tcp: number;
}

export interface DnsServer {
  /** For both transports. */
  readonly port: number;
  /** Sets the rule of a name; `*.example.ru`: all names below it; `*`: all names without a rule. */
  set(name: string, behaviour: DnsBehaviour): void;
  /** Removes the rule of a name. */
  unset(name: string): void;
  has(name: string): boolean;
  /** Number of queries for a name, of all types. */
  queries(name: string): QueryCounts;
  close(): Promise<void>;
}

interface Rule {
  readonly behaviour: DnsBehaviour;
  asked: number;
}

/** Starts a name server on 127.0.0.1, the same port over UDP and TCP. Names without a rule do not exist. */
export async function startDnsServer(): Promise<DnsServer> {
  const memory = openMemory();
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();

  function respond(bytes: Buffer, transport: Transport, send: (answer: Buffer) => void): void {
    const query = readQuery(bytes);
    if (query === undefined) return;
    const step = memory.ask(query, transport);
    const answer = buildAnswer(step, query, transport);
    if (answer === undefined) return;
    const delayMs = step.kind === "answer" ? (step.delayMs ?? 0) : 0;
    if (delayMs === 0) return send(answer);
    const timer = setTimeout(() => {
      timers.delete(timer);
      send(answer);
    }, delayMs);
    timers.add(timer);
  }

  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serveTcp(socket, (query, send) => respond(query, "tcp", send));
  });
  const udp = await bindBoth(tcp);
  udp.on("error", () => {});
  udp.on("message", (bytes, peer) => {
    respond(bytes, "udp", (answer) => udp.send(answer, peer.port, peer.address));
  });

  return {
    port: udp.address().port,
    ...memory,
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      udp.close();
      tcp.close();
      await Promise.all([once(udp, "close"), once(tcp, "close")]);
    },
  };
}

interface Memory extends Pick<DnsServer, "set" | "unset" | "has" | "queries"> {
  /** Counts a query and gives its behaviour. */
  ask(query: Query, transport: Transport): DnsStep;
}

function openMemory(): Memory {
  const rules = new Map<string, Rule>();
  const counts = new Map<string, { udp: number; tcp: number }>();
  return {
    set: (name, behaviour) => void rules.set(name.toLowerCase(), { behaviour, asked: 0 }),
    unset: (name) => void rules.delete(name.toLowerCase()),
    has: (name) => rules.has(name.toLowerCase()),
    queries: (name) => ({ udp: 0, tcp: 0, ...counts.get(name.toLowerCase()) }),
    ask(query, transport) {
      const seen = counts.get(query.name) ?? { udp: 0, tcp: 0 };
      seen[transport] += 1;
      counts.set(query.name, seen);
      const rule = findRule(rules, query.name);
      if (rule === undefined) return { kind: "nxdomain" };
      const step = chooseStep(rule.behaviour, query, transport, rule.asked);
      rule.asked += 1;
      return step;
    },
  };
}

function findRule(rules: ReadonlyMap<string, Rule>, name: string): Rule | undefined {
  const exact = rules.get(name);
  if (exact !== undefined) return exact;
  for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
    const wildcard = rules.get(`*${name.slice(dot)}`);
    if (wildcard !== undefined) return wildcard;
  }
  return rules.get("*");
}

function readQuery(bytes: Buffer): Query | undefined {
  try {
    const packet = decode(bytes);
    const question = packet.questions?.[0];
    if (question === undefined || packet.type !== "query") return undefined;
    return { id: packet.id ?? 0, name: question.name.toLowerCase(), question };
  } catch {
    // Not a query: a name server ignores it.
    return undefined;
  }
}

function serveTcp(
  socket: Socket,
  respond: (query: Buffer, send: (answer: Buffer) => void) => void,
): void {
  let pending = Buffer.alloc(0);
  socket.on("data", (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      const query = pending.subarray(2, end);
      pending = pending.subarray(end);
      respond(query, (answer) => {
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length);
        if (socket.writable) socket.write(Buffer.concat([length, answer]));
      });
    }
  });
}

/** Binds a free TCP port and the UDP port of the same number, with retries while the latter is taken. */
async function bindBoth(tcp: Server): Promise<UdpSocket> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    tcp.listen(0, "127.0.0.1");
    await once(tcp, "listening");
    const udp = createSocket("udp4");
    try {
      udp.bind((tcp.address() as AddressInfo).port, "127.0.0.1");
      await once(udp, "listening");
      return udp;
    } catch {
      udp.close();
      tcp.close();
      await once(tcp, "close");
    }
  }
  throw new Error("no port is free over both UDP and TCP on 127.0.0.1");
}
