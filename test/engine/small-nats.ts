import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { matches } from "./fake-nats.ts";

interface Stored {
  readonly subject: string;
  readonly seq: number;
  readonly data: Buffer;
  readonly id: string | undefined;
  readonly ttl: string | undefined;
  /** How often it was looked at by its number. */
  looks: number;
  deliveries: number;
  isOut: boolean;
}

interface Pull {
  readonly inbox: string;
  left: number;
}

interface Consumer {
  readonly stream: string;
  readonly name: string;
  readonly config: { readonly filter_subject?: string; readonly ack_policy?: string };
  readonly pulls: Pull[];
  seen: number;
  delivered: number;
}

/** How a server differs from one that is in order. */
export interface Fault {
  readonly forgetsIds?: boolean;
  readonly losesWork?: boolean;
  readonly changesWork?: boolean;
  readonly hidesRepetition?: boolean;
  readonly confirmsNothing?: boolean;
  readonly losesResults?: boolean;
  readonly keepsForEver?: boolean;
  /** A worker hears that its consumer is not there, so often. */
  missingConsumers?: number;
}

/** What a client has published. */
interface Said {
  readonly subject: string;
  readonly text: string;
  readonly inbox?: string;
  readonly id?: string;
  readonly ttl?: string;
}

type Sink = (subject: string, data: Buffer, reply?: string, headers?: string) => void;

/** Looks until a message with a time to live is gone. */
const LOOKS_UNTIL_GONE = 2;

const INFO = { server_id: "x", version: "2.12.1", proto: 1, headers: true, jetstream: true };

/**
 * A NATS server in little, with as much of JetStream as the engine needs: two kinds of consumers, leases, de-duplication by ids, purges.
 * A pull of one message that finds none ends at once, so that no test waits for it.
 */
export async function startSmallNats(fault: Fault = {}) {
  const listeners = new Map<string, Sink>();
  const streams = new Map<string, { messages: Stored[]; last: number; ids: Set<string> }>();
  const consumers = new Map<string, Consumer>();
  /** What was published, acknowledgements and questions of JetStream included. */
  const said: Said[] = [];

  const route: Sink = (subject, data, reply, headers) => {
    for (const [key, sink] of listeners)
      if (matches(key.slice(key.indexOf(" ") + 1), subject)) sink(subject, data, reply, headers);
  };
  const sinkOf = (inbox: string): Sink | undefined =>
    [...listeners].find(([key]) => matches(key.slice(key.indexOf(" ") + 1), inbox))?.[1];
  const tell = (inbox: string, value: object): void =>
    route(inbox, Buffer.from(JSON.stringify(value)));
  const streamOf = (subject: string): string | undefined => {
    const [kind] = subject.split(".");
    const name = `status-snapshot-${kind}`;
    return streams.has(name) ? name : undefined;
  };

  const nextFor = ({ stream, config, seen }: Consumer): Stored | undefined =>
    streams
      .get(stream)
      ?.messages.find(
        ({ subject, isOut, seq }) =>
          matches(config.filter_subject ?? ">", subject) &&
          (config.ack_policy === "explicit" ? !isOut : seq > seen),
      );
  const serve = (consumer: Consumer): void => {
    const { pulls, stream, name } = consumer;
    for (;;) {
      const [pull] = pulls;
      const message = nextFor(consumer);
      if (pull === undefined || message === undefined) return;
      if (
        (stream.endsWith("-work") && fault.losesWork) ||
        (stream.endsWith("-results") && fault.losesResults)
      )
        return;
      const { seq, subject, data } = message;
      consumer.seen = Math.max(consumer.seen, seq);
      consumer.delivered += 1;
      message.isOut = true;
      message.deliveries += 1;
      pull.left -= 1;
      if (pull.left === 0) pulls.shift();
      const tries = fault.hidesRepetition ? 1 : message.deliveries;
      const reply = `$JS.ACK.${stream}.${name}.${tries}.${seq}.${consumer.delivered}.1.0`;
      sinkOf(pull.inbox)?.(subject, fault.changesWork ? Buffer.from("?") : data, reply);
    }
  };
  const serveAll = (): void => {
    for (const one of consumers.values()) serve(one);
  };

  const store = (
    name: string,
    subject: string,
    data: Buffer,
    headers: string,
    inbox: string,
  ): void => {
    const stream = streams.get(name);
    if (stream === undefined) return;
    const id = /^Nats-Msg-Id: *(.+)$/imu.exec(headers)?.[1];
    const ttl = /^Nats-TTL: *(.+)$/imu.exec(headers)?.[1];
    if (id !== undefined && stream.ids.has(id) && !fault.forgetsIds)
      return tell(inbox, { stream: name, seq: stream.last, duplicate: true });
    if (id !== undefined) stream.ids.add(id);
    const seq = (stream.last += 1);
    stream.messages.push({ subject, seq, data, id, ttl, looks: 0, deliveries: 0, isOut: false });
    tell(inbox, { stream: name, seq, duplicate: false });
    serveAll();
  };

  const drop = (name: string, isGone: (one: Stored) => boolean): number => {
    const stream = streams.get(name);
    if (stream === undefined) return 0;
    const before = stream.messages.length;
    stream.messages = stream.messages.filter((one) => !isGone(one));
    return before - stream.messages.length;
  };

  const acknowledge = (subject: string, text: string, inbox: string | undefined): void => {
    const [, , stream = "", consumer = "", , sequence] = subject.split(".");
    const isThis = ({ seq }: Stored): boolean => seq === Number(sequence);
    if (text.startsWith("+ACK") || text.startsWith("+TERM")) drop(stream, isThis);
    if (inbox !== undefined && !fault.confirmsNothing) route(inbox, Buffer.alloc(0));
    if (!text.startsWith("-NAK")) return;
    for (const one of streams.get(stream)?.messages.filter(isThis) ?? []) one.isOut = false;
    route(
      `$JS.EVENT.ADVISORY.CONSUMER.MSG_NAKED.${stream}.${consumer}`,
      Buffer.from(JSON.stringify({ stream_seq: Number(sequence) })),
    );
    serveAll();
  };

  const look = (name: string, seq: number): object => {
    const found = streams.get(name)?.messages.find((one) => one.seq === seq);
    if (found !== undefined) found.looks += 1;
    const isGone =
      found === undefined ||
      (found.ttl !== undefined && !fault.keepsForEver && found.looks > LOOKS_UNTIL_GONE);
    if (isGone) {
      drop(name, (one) => one.seq === seq);
      return { error: { code: 404, err_code: 10_037, description: "no message found" } };
    }
    const time = "2026-01-01T00:00:00Z";
    return { message: { subject: found.subject, seq, data: found.data.toString("base64"), time } };
  };

  const addConsumer = (stream: string, config: Consumer["config"], name: string): object => {
    const key = `${stream}.${name}`;
    const known = consumers.get(key) ?? { stream, name, config, pulls: [], seen: 0, delivered: 0 };
    consumers.set(key, known);
    return infoOf(known);
  };
  const infoOf = ({ stream, name, config }: Consumer): object => ({
    stream_name: stream,
    name,
    config,
    delivered: { consumer_seq: 0, stream_seq: 0 },
    num_pending: 0,
  });

  const pull = (key: string, batch: number, inbox: string): void => {
    const consumer = consumers.get(key);
    if (consumer === undefined) return;
    consumer.pulls.push({ inbox, left: batch });
    serve(consumer);
    const own = consumer.pulls.findIndex((one) => one.inbox === inbox);
    if (batch > 1 || own < 0) return;
    consumer.pulls.splice(own, 1);
    setTimeout(() => {
      const head =
        "NATS/1.0 408 Request Timeout\r\nNats-Pending-Messages: 1\r\nNats-Pending-Bytes: 0\r\n\r\n";
      sinkOf(inbox)?.(inbox, Buffer.alloc(0), undefined, head);
    }, 5);
  };

  const answer = (subject: string, text: string): object | undefined => {
    const [, , kind, act, stream = "", name = ""] = subject.split(".");
    const asked = text === "" ? {} : JSON.parse(text);
    if (kind === "INFO")
      return { memory: 0, storage: 0, streams: 0, consumers: 0, limits: {}, api: {} };
    if (kind === "STREAM" && act === "CREATE") {
      if (!streams.has(stream)) streams.set(stream, { messages: [], last: 0, ids: new Set() });
      return { config: asked, created: "2026-01-01T00:00:00Z", state: {} };
    }
    if (kind === "STREAM" && act === "INFO") return { config: { name: stream }, state: {} };
    if (kind === "STREAM" && act === "PURGE") {
      const purged = drop(stream, (one) => matches(asked.filter ?? ">", one.subject));
      return { success: true, purged };
    }
    if (kind === "STREAM") return look(subject.split(".").at(-1) ?? "", asked.seq);
    if (act === "CREATE" || act === "DURABLE")
      return addConsumer(
        asked.stream_name,
        asked.config,
        asked.config.durable_name ?? asked.config.name,
      );
    if (act === "DELETE") return { success: consumers.delete(`${stream}.${name}`) };
    const known = consumers.get(`${stream}.${name}`);
    if (act === "INFO" && (fault.missingConsumers ?? 0) > 0) {
      fault.missingConsumers = (fault.missingConsumers ?? 0) - 1;
      return { error: { code: 404, err_code: 10_014, description: "consumer not found" } };
    }
    return known === undefined
      ? { error: { code: 404, err_code: 10_014, description: "consumer not found" } }
      : infoOf(known);
  };

  const take = (
    subject: string,
    data: Buffer,
    headers: string,
    inbox: string | undefined,
  ): void => {
    const text = data.toString();
    const id = /^Nats-Msg-Id: *(.+)$/imu.exec(headers)?.[1];
    const ttl = /^Nats-TTL: *(.+)$/imu.exec(headers)?.[1];
    said.push({ subject, text, ...(inbox && { inbox }), ...(id && { id }), ...(ttl && { ttl }) });
    if (subject.startsWith("$JS.ACK.")) return acknowledge(subject, text, inbox);
    if (subject.startsWith("$JS.API.CONSUMER.MSG.NEXT.")) {
      const key = subject.split(".").slice(5).join(".");
      return pull(key, JSON.parse(text).batch, inbox ?? "");
    }
    if (subject.startsWith("$JS.API.")) {
      const found = answer(subject, text);
      if (found !== undefined && inbox !== undefined) tell(inbox, { type: "x", ...found });
      return;
    }
    const stream = streamOf(subject);
    if (stream !== undefined && inbox !== undefined) store(stream, subject, data, headers, inbox);
    else route(subject, data, inbox);
  };

  let clients = 0;
  const server = createServer((socket) => {
    clients += 1;
    serveClient(socket, `${clients}`, listeners, take);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  // The address of a server on TCP that listens.
  const { port } = server.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    said,
    consumers,
    /** Subjects of what a stream has. */
    kept: (kind: "work" | "results"): readonly string[] =>
      (streams.get(`status-snapshot-${kind}`)?.messages ?? []).map(({ subject }) => subject),
    stored: (kind: "work" | "results") => streams.get(`status-snapshot-${kind}`)?.messages ?? [],
    /** Whether each message of a stream is with a worker. */
    isOut: (kind: "work" | "results"): readonly boolean[] =>
      (streams.get(`status-snapshot-${kind}`)?.messages ?? []).map(({ isOut }) => isOut),
    route: (subject: string, text: string) => route(subject, Buffer.from(text)),
    /** Puts a message into a stream, as a client that is not ours would. */
    put: (subject: string, data: Buffer) =>
      store(streamOf(subject) ?? "", subject, data, "", "_INBOX.nobody"),
  };
}

/** Speaks the protocol with one client, whose subscriptions are among the listeners while it is there. */
function serveClient(
  socket: Socket,
  client: string,
  listeners: Map<string, Sink>,
  take: (subject: string, data: Buffer, headers: string, inbox: string | undefined) => void,
): void {
  const keys = new Map<string, string>();
  const subscribe = (pattern: string, sid: string): void => {
    const key = `${client}/${sid} ${pattern}`;
    keys.set(sid, key);
    listeners.set(key, (subject, data, reply, headers) => {
      const to = reply === undefined ? "" : ` ${reply}`;
      const head = Buffer.from(headers ?? "");
      const [verb, sizes] =
        headers === undefined
          ? ["MSG", `${data.length}`]
          : ["HMSG", `${head.length} ${head.length + data.length}`];
      const line = `${verb} ${subject} ${sid}${to} ${sizes}\r\n`;
      socket.write(Buffer.concat([Buffer.from(line), head, data, Buffer.from("\r\n")]));
    });
  };
  const unsubscribe = (sid: string): void => void listeners.delete(keys.get(sid) ?? "");
  readCommands(socket, ([verb, ...rest], payload) => {
    const [first = "", second = ""] = rest;
    if (verb === "PING") socket.write("PONG\r\n");
    if (verb === "SUB") subscribe(first, rest.at(-1) ?? second);
    if (verb === "UNSUB" && rest.length === 1) unsubscribe(first);
    if (verb !== "PUB" && verb !== "HPUB") return;
    const sizes = verb === "PUB" ? 1 : 2;
    const split = verb === "PUB" ? 0 : Number(rest.at(-2));
    const [inbox] = rest.slice(1, rest.length - sizes);
    take(first, payload.subarray(split), payload.subarray(0, split).toString(), inbox);
  });
  socket.on("error", () => undefined);
  socket.on("close", () => [...keys.keys()].forEach(unsubscribe));
  socket.write(`INFO ${JSON.stringify({ ...INFO, max_payload: 1_048_576 })}\r\n`);
}

/** Calls back with the words of each command, and the payload of those that have one. */
function readCommands(
  socket: Socket,
  onCommand: (words: readonly string[], payload: Buffer) => void,
): void {
  let bytes = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf("\r\n");
      if (end < 0) return;
      const words = bytes.toString("latin1", 0, end).split(" ");
      const size = words[0] === "PUB" || words[0] === "HPUB" ? Number(words.at(-1)) + 2 : 0;
      if (bytes.length < end + 2 + size) return;
      const payload = bytes.subarray(end + 2, end + 2 + Math.max(0, size - 2));
      bytes = bytes.subarray(end + 2 + size);
      onCommand(words, payload);
    }
  });
}
