import { expect, onTestFinished, test } from "vitest";
import type { ConnectionCut, NetworkOf } from "../../src/model/connections.ts";
import { type FetchHandler, type ListenOptions } from "../../src/http-server/listen.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { openClient, type RawClient, statusesOf } from "./raw-client.ts";

const REQUEST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
const SOON = { timeout: 10_000 };

/** Time limits longer than any test, so that only those that a test shortens take effect. */
const PATIENT = { headMs: 60_000, bodyMs: 60_000, checkMs: 20, keepAliveMs: 60_000, lingerMs: 100 };

/** 127.0.0.0/16 is a trusted proxy; every other loopback address belongs to its /24. */
const networkOf: NetworkOf = (address) =>
  address.startsWith("127.0.") ? undefined : address.split(".").slice(0, 3).join(".");

async function start(
  { times, ...options }: Partial<ListenOptions> = {},
  handler: FetchHandler = async (request) => {
    await request.text();
    return new Response("hello");
  },
) {
  const cuts: ConnectionCut[] = [];
  let open = 0;
  let most = 0;
  const server = await listenPreview(handler, {
    port: 0,
    networkOf,
    times: { ...PATIENT, ...times },
    observer: {
      onOpen: (connections) => {
        open = connections;
        most = Math.max(most, connections);
      },
      onCut: (reason) => cuts.push(reason),
    },
    ...options,
  });
  onTestFinished(() => server.close());
  return { url: server.url, cuts, open: () => open, most: () => most };
}

async function openMany(url: string, addresses: readonly string[]): Promise<readonly RawClient[]> {
  const clients: RawClient[] = [];
  for (const address of addresses) clients.push(await openClient(url, { from: address }));
  return clients;
}

const strangers = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, number) => `127.9.${number}.1`);

async function ask(url: string, from: string): Promise<readonly number[]> {
  const client = await openClient(url, { from, first: REQUEST });
  await expect.poll(() => statusesOf(client).length > 0 || client.isClosed(), SOON).toBe(true);
  client.destroy();
  return statusesOf(client);
}

test("a late head is a 408, and the connection is closed", async () => {
  const { url, cuts, open } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: "POST / HTTP/1.1\r\nHo" });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
  expect(slow.received()).toContain('{"error":"request timeout"}');
  await expect.poll(open, SOON).toBe(0);
  expect(cuts).toEqual(["timed-out"]);
});

test("a head that arrives byte by byte is a 408 too", async () => {
  const { url } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: "POST / HTTP/1.1\r\nX: " });
  const dripping = setInterval(() => slow.send("x"), 20);
  onTestFinished(() => clearInterval(dripping));
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
});

test("a connection without a byte is closed without a response", async () => {
  const { url, cuts } = await start({ times: { headMs: 500 } });
  const silent = await openClient(url);
  await expect.poll(silent.isClosed, SOON).toBe(true);
  expect(silent.received()).toBe("");
  expect(cuts).toEqual(["timed-out"]);
});

test("a late second request of a connection is a 408 after the first response", async () => {
  const { url } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: `${REQUEST}POST / HT` });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([200, 408]);
});

test("a late body is a 408, even if the application waits for it", async () => {
  const { url, cuts } = await start({ times: { headMs: 500, bodyMs: 500 } });
  const slow = await openClient(url, {
    first: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n",
  });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
  expect(cuts).toEqual(["timed-out"]);
});

test("a request answered before its body fails gets no second response", async () => {
  const { url, open } = await start({}, () => new Response("early"));
  const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const broken = await openClient(url, { first: head });
  await expect.poll(() => statusesOf(broken), SOON).toEqual([200]);
  broken.send("zz\r\n\r\n");
  await expect.poll(broken.isClosed, SOON).toBe(true);
  expect(statusesOf(broken)).toEqual([200]);
  await expect.poll(open, SOON).toBe(0);
});

test("blank lines between requests do not keep a connection open", async () => {
  const { url } = await start({ times: { headMs: 500, keepAliveMs: 100 } });
  const idle = await openClient(url, { first: REQUEST });
  const blanks = setInterval(() => idle.send("\r\n"), 20);
  onTestFinished(() => clearInterval(blanks));
  await expect.poll(idle.isClosed, SOON).toBe(true);
  expect(statusesOf(idle)).toEqual([200]);
});

test("honest clients are answered while slow networks fill all connections", async () => {
  const { url, cuts, most } = await start({ limits: { inAll: 8, perNetwork: 2 } });
  for (const from of strangers(100)) {
    await openClient(url, { from, first: "POST / HTTP/1.1\r\nX: " });
    if (from.endsWith("0.1")) expect(await ask(url, "127.8.1.1")).toEqual([200]);
  }
  expect(most()).toBe(8);
  expect(new Set(cuts)).toEqual(new Set(["dropped"]));
});

test("slow clients of one network occupy only the share of that network", async () => {
  const { url, cuts, open } = await start({ limits: { inAll: 8, perNetwork: 2 } });
  const slow = await openMany(url, Array<string>(6).fill("127.9.9.1"));
  const isOpen = () => slow.map((one) => !one.isClosed());
  await expect.poll(isOpen, SOON).toEqual([false, false, false, false, true, true]);
  expect(open()).toBe(2);
  expect(cuts).toEqual(Array(4).fill("dropped-network"));
  expect(await ask(url, "127.9.9.200")).toEqual([200]);
  expect(await ask(url, "127.8.1.1")).toEqual([200]);
});

test("a client that waits for its response is never dropped", async () => {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  let begun = 0;
  const { url, cuts } = await start({ limits: { inAll: 2, perNetwork: 2 } }, async () => {
    begun += 1;
    await gate;
    return new Response("late");
  });
  const waiting = await openMany(url, strangers(2));
  for (const one of waiting) one.send(REQUEST);
  await expect.poll(() => begun, SOON).toBe(2);
  expect(await ask(url, "127.8.1.1")).toEqual([]);
  expect(cuts).toEqual(["refused"]);
  answer();
  for (const one of waiting) await expect.poll(() => statusesOf(one), SOON).toEqual([200]);
});

test("a client with an incomplete body can be dropped", async () => {
  const { url, cuts } = await start({ limits: { inAll: 2, perNetwork: 2 } });
  const slow = await openMany(url, strangers(2));
  for (const one of slow) {
    one.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");
  }
  expect(await ask(url, "127.8.1.1")).toEqual([200]);
  await expect.poll(() => slow[0]?.isClosed(), SOON).toBe(true);
  expect(cuts).toEqual(["dropped"]);
});

test("a client whose body ends after its response still waits, and can be dropped", async () => {
  const { url, cuts } = await start({ limits: { inAll: 2, perNetwork: 2 } }, () => {
    return new Response("early");
  });
  const [late, second] = await openMany(url, strangers(2));
  late?.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
  await expect.poll(() => late && statusesOf(late), SOON).toEqual([200]);
  late?.send("12345");
  second?.send(REQUEST);
  await expect.poll(() => second && statusesOf(second), SOON).toEqual([200]);
  expect(await ask(url, "127.8.1.1")).toEqual([200]);
  await expect.poll(() => late?.isClosed(), SOON).toBe(true);
  expect([second?.isClosed(), cuts]).toEqual([false, ["dropped"]]);
});

test("a trusted proxy may use all connections and loses none", async () => {
  const { url, cuts, open } = await start({ limits: { inAll: 4, perNetwork: 1 } });
  const proxy = await openMany(url, Array<string>(4).fill("127.0.0.1"));
  await expect.poll(open, SOON).toBe(4);
  expect(await ask(url, "127.8.1.1")).toEqual([]);
  expect(cuts).toEqual(["refused"]);
  for (const one of proxy) one.send(REQUEST);
  for (const one of proxy) await expect.poll(() => statusesOf(one), SOON).toEqual([200]);
});
