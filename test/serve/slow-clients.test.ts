import { expect, onTestFinished, test } from "vitest";
import type { ConnectionCut, NetworkOf } from "../../src/model/connections.ts";
import { type FetchHandler, listen, type ListenOptions } from "../../src/serve/listen.ts";
import { openClient, type RawClient, statusesOf } from "./raw-client.ts";

const REQUEST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";
const SOON = { timeout: 10_000 };

/** Waits longer than any test, so that only what a test makes shorter can be the reason. */
const PATIENT = { headMs: 60_000, bodyMs: 60_000, checkMs: 20, keepAliveMs: 60_000, lingerMs: 100 };

/** 127.0.0.0/16 is a proxy; of every other loopback address the /24 is a network. */
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
  const server = await listen(handler, {
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

test("a head that does not come in time is a 408, and then the connection is closed", async () => {
  const { url, cuts, open } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: "POST / HTTP/1.1\r\nHo" });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
  expect(slow.received()).toContain('{"error":"request timeout"}');
  await expect.poll(open, SOON).toBe(0);
  expect(cuts).toEqual(["timed-out"]);
});

test("one that comes a byte at a time is no better", async () => {
  const { url } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: "POST / HTTP/1.1\r\nX: " });
  const dripping = setInterval(() => slow.send("x"), 20);
  onTestFinished(() => clearInterval(dripping));
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
});

test("a connection on which nothing came is closed without a word", async () => {
  const { url, cuts } = await start({ times: { headMs: 500 } });
  const silent = await openClient(url);
  await expect.poll(silent.isClosed, SOON).toBe(true);
  expect(silent.received()).toBe("");
  expect(cuts).toEqual(["timed-out"]);
});

test("the second request of a connection has as long as the first, and gets the 408 after its answer", async () => {
  const { url } = await start({ times: { headMs: 500 } });
  const slow = await openClient(url, { first: `${REQUEST}POST / HT` });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([200, 408]);
});

test("a body that does not come in time is a 408, where the application would wait for ever", async () => {
  const { url, cuts } = await start({ times: { headMs: 500, bodyMs: 500 } });
  const slow = await openClient(url, {
    first: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n",
  });
  await expect.poll(slow.isClosed, SOON).toBe(true);
  expect(statusesOf(slow)).toEqual([408]);
  expect(cuts).toEqual(["timed-out"]);
});

test("a request that was answered before its body went wrong gets no second answer", async () => {
  const { url, open } = await start({}, () => new Response("early"));
  const head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
  const broken = await openClient(url, { first: head });
  await expect.poll(() => statusesOf(broken), SOON).toEqual([200]);
  broken.send("zz\r\n\r\n");
  await expect.poll(broken.isClosed, SOON).toBe(true);
  expect(statusesOf(broken)).toEqual([200]);
  await expect.poll(open, SOON).toBe(0);
});

test("blank lines between two requests keep no connection open", async () => {
  const { url } = await start({ times: { headMs: 500, keepAliveMs: 100 } });
  const idle = await openClient(url, { first: REQUEST });
  const blanks = setInterval(() => idle.send("\r\n"), 20);
  onTestFinished(() => clearInterval(blanks));
  await expect.poll(idle.isClosed, SOON).toBe(true);
  expect(statusesOf(idle)).toEqual([200]);
});

test("honest clients are all answered while slow ones of many networks hold every connection", async () => {
  const { url, cuts, most } = await start({ limits: { inAll: 8, perNetwork: 2 } });
  for (const from of strangers(100)) {
    await openClient(url, { from, first: "POST / HTTP/1.1\r\nX: " });
    if (from.endsWith("0.1")) expect(await ask(url, "127.8.1.1")).toEqual([200]);
  }
  expect(most()).toBe(8);
  expect(new Set(cuts)).toEqual(new Set(["dropped"]));
});

test("slow clients of one network take its share and nothing else, and honest ones of it are answered", async () => {
  const { url, cuts, open } = await start({ limits: { inAll: 8, perNetwork: 2 } });
  const slow = await openMany(url, Array<string>(6).fill("127.9.9.1"));
  const isOpen = () => slow.map((one) => !one.isClosed());
  await expect.poll(isOpen, SOON).toEqual([false, false, false, false, true, true]);
  expect(open()).toBe(2);
  expect(cuts).toEqual(Array(4).fill("dropped-network"));
  expect(await ask(url, "127.9.9.200")).toEqual([200]);
  expect(await ask(url, "127.8.1.1")).toEqual([200]);
});

test("a client that waits for its answer is never dropped; the newest is refused instead", async () => {
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

test("a client whose body is on its way makes room like one whose head is", async () => {
  const { url, cuts } = await start({ limits: { inAll: 2, perNetwork: 2 } });
  const slow = await openMany(url, strangers(2));
  for (const one of slow) {
    one.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n12345");
  }
  expect(await ask(url, "127.8.1.1")).toEqual([200]);
  await expect.poll(() => slow[0]?.isClosed(), SOON).toBe(true);
  expect(cuts).toEqual(["dropped"]);
});

test("a trusted proxy may have every connection, and loses none to a stranger", async () => {
  const { url, cuts, open } = await start({ limits: { inAll: 4, perNetwork: 1 } });
  const proxy = await openMany(url, Array<string>(4).fill("127.0.0.1"));
  await expect.poll(open, SOON).toBe(4);
  expect(await ask(url, "127.8.1.1")).toEqual([]);
  expect(cuts).toEqual(["refused"]);
  for (const one of proxy) one.send(REQUEST);
  for (const one of proxy) await expect.poll(() => statusesOf(one), SOON).toEqual([200]);
});
