import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { createEncryptor } from "../../src/notify/channels/encryptor.ts";
import { createPushClient } from "../../src/notify/channels/push.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { createSubscriber } from "./decrypt-push.ts";
import { listenHere } from "./listen-here.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

const KEYS = pushKeysOf(await makePushKey());
const CONTACT = "mailto:status@example.ru";
const NOTICE = { title: "Лавка не открывается", body: "", tag: "shop", url: "https://a.ru/" };

/** The service of a maker of browsers. */
async function startService(answer: (response: ServerResponse) => void) {
  const seen: { connections: number; headers: IncomingHttpHeaders[]; bodies: Buffer[] } = {
    connections: 0,
    headers: [],
    bodies: [],
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      seen.headers.push(request.headers);
      seen.bodies.push(Buffer.concat(chunks));
      answer(response);
    });
  });
  server.on("connection", () => (seen.connections += 1));
  const port = await listenHere(server);
  return { seen, endpoint: `http://127.0.0.1:${port}/send/1` };
}

const taken = (response: ServerResponse): void => void response.writeHead(201).end();

let stop = new AbortController();
beforeEach(() => {
  stop = new AbortController();
});

/** A client, and how a message to an endpoint ends. */
function open(probe = LOOPBACK_PROBE) {
  const client = createPushClient(KEYS, { probe, signal: stop.signal });
  return {
    client,
    send: (endpoint: string, contact = CONTACT) =>
      client.send({ endpoint, ...createSubscriber().keys }, NOTICE, contact),
  };
}

describe("messages to one service", () => {
  test("go over connections that are kept, with one signature", async () => {
    const { seen, endpoint } = await startService(taken);
    const { send, client } = open();
    for (let times = 0; times < 9; times += 1)
      expect(await send(endpoint)).toEqual({ kind: "delivered" });
    expect(await client.try({ endpoint, ...createSubscriber().keys }, CONTACT)).toEqual({
      kind: "delivered",
    });
    // The second is for a message that comes before the first has its answer.
    expect(seen.connections).toBeLessThanOrEqual(2);
    expect(new Set(seen.headers.map(({ authorization }) => authorization)).size).toBe(1);
    const [first, trial] = [seen.headers[0], seen.headers[9]];
    expect([first?.["urgency"], first?.["content-length"]]).toEqual([
      "high",
      String(seen.bodies[0]?.length),
    ]);
    expect([trial?.["ttl"], trial?.["urgency"], seen.bodies[9]?.length]).toEqual([
      "0",
      "very-low",
      0,
    ]);
  });

  test("with another contact have another signature", async () => {
    const { seen, endpoint } = await startService(taken);
    const { send } = open();
    await send(endpoint);
    await send(endpoint, "https://status.example.ru/contact");
    const [first, second] = seen.headers.map(({ authorization = "" }) => {
      const [, claims = ""] = authorization.split(".");
      return JSON.parse(Buffer.from(claims, "base64url").toString()) as { sub: string };
    });
    expect([first?.sub, second?.sub]).toEqual([CONTACT, "https://status.example.ru/contact"]);
  });

  test("with a contact that may not be named fail, and erase no browser", async () => {
    const { seen, endpoint } = await startService(taken);
    expect(await open().send(endpoint, "https:")).toEqual({
      kind: "failed",
      reason: "contact-refused",
      isUnheard: true,
    });
    expect(seen.headers).toEqual([]);
  });
});

describe("a service", () => {
  test("that closes its connection gets the next message over another", async () => {
    const { seen, endpoint } = await startService((response) => {
      response.writeHead(201, { Connection: "close" }).end();
    });
    const { send } = open();
    expect([await send(endpoint), await send(endpoint)]).toEqual([
      { kind: "delivered" },
      { kind: "delivered" },
    ]);
    expect(seen.connections).toBe(2);
  });

  test("that answers endlessly is not read to the end, and its status counts", async () => {
    const { endpoint } = await startService((response) => {
      response.writeHead(429, { "Retry-After": "60" });
      const more = setInterval(() => response.write("x".repeat(10_000)), 5);
      response.once("close", () => clearInterval(more));
    });
    expect(await open().send(endpoint)).toEqual({
      kind: "failed",
      reason: "status 429",
      retryAfterMs: 60_000,
    });
  });

  test("that sends answers byte by byte is left after ten seconds, then sent no more", async () => {
    const { seen, endpoint } = await startService((response) => {
      response.writeHead(201);
      const more = setInterval(() => response.write("x"), 500);
      response.once("close", () => clearInterval(more));
    });
    const { send } = open();
    const late = { kind: "failed", reason: "http-timeout", isUnheard: true };
    const first = await Promise.all(Array.from({ length: 20 }, () => send(endpoint)));
    expect(first).toEqual(first.map(() => late));
    expect([await send(endpoint), seen.headers.length]).toEqual([late, 20]);
    const other = await startService(taken);
    expect(await send(other.endpoint)).toEqual({ kind: "delivered" });
  });

  test("that is left by a stop is a failure at once", async () => {
    const { endpoint } = await startService(() => stop.abort());
    expect(await open().send(endpoint)).toEqual({
      kind: "failed",
      reason: "http-closed",
      isUnheard: true,
    });
  });

  const WRONG = {
    "closes without an answer": {
      reason: "http-closed",
      answer: (one: ServerResponse): void => void one.destroy(),
    },
    "answers something else": {
      reason: "http-malformed",
      answer: (one: ServerResponse): void => void one.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"),
    },
    redirects: {
      reason: "status 307",
      answer: (one: ServerResponse): void => void one.writeHead(307, { Location: "/" }).end(),
    },
  };

  test.each(Object.entries(WRONG))("that %s is a failure", async (_, { reason, answer }) => {
    const { seen, endpoint } = await startService(answer);
    const unheard = reason.startsWith("http-") && { isUnheard: true };
    expect(await open().send(endpoint)).toEqual({ kind: "failed", reason, ...unheard });
    expect(seen.headers).toHaveLength(1);
  });
});

describe("the guard", () => {
  test("refuses a URL before anything is sent", async () => {
    const { seen, endpoint } = await startService(taken);
    const { send } = open({ ...LOOPBACK_PROBE, refusalOfUrl: () => "its port is not allowed" });
    expect(await send(endpoint)).toMatchObject({ kind: "failed", reason: "url-refused" });
    expect(seen.connections).toBe(0);
  });

  test("refuses an address at each connection, and says why it was not made", async () => {
    const { seen, endpoint } = await startService(taken);
    const addressRules = { ...LOOPBACK_PROBE.addressRules, refusalOf: () => "loopback" };
    const { send } = open({ ...LOOPBACK_PROBE, addressRules });
    expect(await send(endpoint)).toMatchObject({ kind: "failed" });
    expect(seen.connections).toBe(0);
    expect(await open().send("http://127.0.0.1:1/")).toEqual({
      kind: "failed",
      reason: "tcp-refused",
      isUnheard: true,
    });
  });
});

describe("many messages at once", () => {
  const jobs = Array.from({ length: 200 }, (_, at) => ({
    ...createSubscriber((at % 3) + 1).keys,
    payload: `message ${at}`,
  }));
  const read = (results: readonly (Uint8Array | undefined)[]) =>
    results.map((result, at) => createSubscriber((at % 3) + 1).decrypt(Buffer.from(result ?? [])));
  const wanted = jobs.map(({ payload }) => payload);

  test("are encrypted in a thread, each for its browser", async () => {
    const encrypt = createEncryptor();
    const results = await Promise.all(jobs.map(encrypt));
    expect(read(results)).toEqual(wanted);
    // Into a thread that is busy, and after it.
    const [more, one] = [Promise.all(jobs.map(encrypt)), encrypt({ ...jobs[0]!, auth: "?" })];
    expect([read(await more), await one]).toEqual([wanted, undefined]);
    expect(read([await encrypt(jobs[0]!)])).toEqual([wanted[0]]);
  });

  test("are encrypted although the thread cannot start", async () => {
    const encrypt = createEncryptor(new URL("file:///nowhere/thread.js"));
    for (let times = 0; times < 2; times += 1)
      expect(read(await Promise.all(jobs.map(encrypt)))).toEqual(wanted);
  });
});
