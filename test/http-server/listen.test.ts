import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { ListenError } from "../../src/http-server/listen.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { openClient } from "./raw-client.ts";
import { exchange, send } from "./raw-http.ts";

const sayHello = () => new Response("hello");

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

test("the default host is the loopback address", async () => {
  const server = await listenPreview(sayHello, { port: 0 });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200, body: "hello" });
});

test("the URL for all interfaces can be opened in a browser", async () => {
  const server = await listenPreview(sayHello, { port: 0, host: "0.0.0.0" });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200 });
});

test.skipIf(!hasIpv6)("the URL has an IPv6 address in brackets", async () => {
  const server = await listenPreview(sayHello, { port: 0, host: "::1" });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200 });
});

test.skipIf(!hasIpv6)("the URL for all interfaces of IPv6 can be opened, too", async () => {
  const server = await listenPreview(sayHello, { port: 0, host: "::" });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200 });
});

test("a taken port is reported", async () => {
  const first = await listenPreview(sayHello, { port: 0 });
  onTestFinished(() => first.close());
  const port = Number(new URL(first.url).port);
  const second = listenPreview(sayHello, { port });
  await expect(second).rejects.toThrow(ListenError);
  await expect(second).rejects.toThrow(
    `Cannot listen on 127.0.0.1, port ${port}: another program listens there. Stop it, or choose another port.`,
  );
});

test("an address of another machine is reported", async () => {
  // 192.0.2.0/24 is reserved for documentation (RFC 5737), so no machine has it.
  await expect(listenPreview(sayHello, { port: 0, host: "192.0.2.1" })).rejects.toThrow(
    "Cannot listen on 192.0.2.1, port 0: this machine has no such address. Choose another host.",
  );
});

test("a host name without an address is reported", async () => {
  // No resolver is asked for a name with an empty part.
  await expect(listenPreview(sayHello, { port: 0, host: "a..b" })).rejects.toThrow(
    "Cannot listen on a..b, port 0: this host name has no address. Choose another host.",
  );
});

/** The first port that every user may listen on: 0 in some containers. */
function firstFreePort(): number {
  const file = "/proc/sys/net/ipv4/ip_unprivileged_port_start";
  return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
}

// Root may use every port, so for this test alone the process runs as the user `nobody`.
test.runIf(firstFreePort() > 99)("a port that this user may not use is reported", async () => {
  if (process.getuid?.() === 0) {
    onTestFinished(() => void process.seteuid?.(0));
    process.seteuid?.(65_534);
  }
  await expect(listenPreview(sayHello, { port: 99 })).rejects.toThrow(
    "Cannot listen on 127.0.0.1, port 99: this user may not listen there. Choose a port from 1024.",
  );
});

test("a closed server frees its port and can be closed again", async () => {
  const server = await listenPreview(sayHello, { port: 0 });
  const port = Number(new URL(server.url).port);
  await server.close();
  await server.close();
  const again = await listenPreview(sayHello, { port });
  await again.close();
});

/** Lets a handler signal to a test that it has begun. */
function createStart(): { readonly begin: () => void; readonly begun: Promise<void> } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return { begin, begun };
}

test("closing does not wait for silent connections or endless handlers", async () => {
  const { begin, begun } = createStart();
  const server = await listenPreview(
    () => {
      begin();
      return new Promise<Response>(() => undefined);
    },
    { port: 0 },
  );
  const port = Number(new URL(server.url).port);
  const silent = connect(port, "127.0.0.1");
  const waiting = connect(port, "127.0.0.1");
  for (const socket of [silent, waiting]) socket.on("error", () => undefined).resume();
  await Promise.all([once(silent, "connect"), once(waiting, "connect")]);
  waiting.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await begun;
  const closed = Promise.all([once(silent, "close"), once(waiting, "close")]);
  await server.close();
  await closed;
});

test("an open request is answered while the server closes", async () => {
  let finish = (): void => undefined;
  const { begin, begun } = createStart();
  const server = await listenPreview(
    () => {
      begin();
      return new Promise<Response>((resolve) => {
        finish = () => resolve(new Response("late"));
      });
    },
    { port: 0 },
  );
  const answer = send(server.url, "GET", "/");
  await begun;
  const closed = server.close();
  finish();
  expect(await answer).toMatchObject({ status: 200, body: "late" });
  await closed;
});

const ERRORS = new Map([
  [400, "bad request"],
  [405, "method not allowed"],
  [431, "request header too large"],
]);

test.each([
  ["text that is not HTTP", "what is this\r\n\r\n", 400],
  ["an unknown method", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 405],
  ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405],
  ["a request without Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["an invalid Host", "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", 400],
  ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
])("%s is refused in JSON with the common headers", async (_, request, status) => {
  const server = await listenPreview(sayHello, { port: 0 });
  onTestFinished(() => server.close());
  const answer = await exchange(server.url, request);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": "Age, Date, ETag, Retry-After",
    "x-content-type-options": "nosniff",
    "content-type": "application/json; charset=utf-8",
    "content-length": String(answer.body.length),
    connection: "close",
  });
  expect(JSON.parse(answer.body)).toEqual({ error: ERRORS.get(status) });
  expect(answer.headers["allow"]).toBe(status === 405 ? "GET, HEAD, OPTIONS" : undefined);
  expect(Date.parse(answer.headers["date"] ?? "")).not.toBeNaN();
});

test("HTTP/1.0 needs no Host: load balancers ask so whether a server lives", async () => {
  const server = await listenPreview(sayHello, { port: 0 });
  onTestFinished(() => server.close());
  expect((await exchange(server.url, "GET /healthz HTTP/1.0\r\n\r\n")).status).toBe(200);
});

test("an error in a handler is a 500, and the server continues", async () => {
  let hasThrown = false;
  const server = await listenPreview(
    () => {
      if (hasThrown) return new Response("fine");
      hasThrown = true;
      throw new Error("secret detail");
    },
    { port: 0 },
  );
  onTestFinished(() => server.close());
  const answer = await send(server.url, "GET", "/");
  expect(answer).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
  expect(answer.headers).toMatchObject({ "access-control-allow-origin": "*" });
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200, body: "fine" });
});

test.each([
  [false, "timeout=5"],
  [true, "timeout=150"],
])("with isBehindFront %s, Keep-Alive promises `%s`", async (isBehindFront, promised) => {
  const server = await listenPreview(sayHello, { port: 0, isBehindFront });
  onTestFinished(() => server.close());
  const { headers } = await fetch(server.url);
  expect(headers.get("keep-alive")).toBe(promised);
});

test("an expectation that is not known is ignored", async () => {
  const server = await listenPreview(sayHello, { port: 0 });
  onTestFinished(() => server.close());
  const headers = { Expect: "a miracle" };
  expect(await send(server.url, "GET", "/", headers)).toMatchObject({ status: 200, body: "hello" });
});

test("connections are told with their limit, from the first to the last", async () => {
  const told: (readonly [number, number])[] = [];
  const server = await listenPreview(sayHello, {
    port: 0,
    limits: { inAll: 5 },
    observer: { onOpen: (open, limit) => void told.push([open, limit]) },
  });
  onTestFinished(() => server.close());
  expect(told).toEqual([[0, 5]]);
  await send(server.url, "GET", "/");
  await expect
    .poll(() => told)
    .toEqual([
      [0, 5],
      [1, 5],
      [0, 5],
    ]);
});

test.each([
  ["text that is not HTTP", "what is this\r\n\r\n", ["malformed"]],
  ["an unknown method", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", ["unknown-method"]],
  ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", ["unknown-method"]],
  ["an invalid Host", "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", ["malformed"]],
  [
    "a handler that throws",
    "GET /throw HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ["internal"],
  ],
  ["a request", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", []],
  // The application finds this one itself.
  ["a bad chunk", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", []],
])("%s is told as a fault: %#", async (_, request, faults) => {
  const told: string[] = [];
  const server = await listenPreview(
    async (asked) => {
      if (asked.url.endsWith("/throw")) throw new Error("a defect");
      await asked.text().catch(() => undefined);
      return new Response("done");
    },
    { port: 0, observer: { onFault: (fault) => void told.push(fault) } },
  );
  onTestFinished(() => server.close());
  await exchange(server.url, request);
  expect(told).toEqual(faults);
});

test("a network has an eighth of the connections, at least four, unless all are one", async () => {
  const openOf = async (networkOf?: () => string) => {
    const cuts: string[] = [];
    const server = await listenPreview(sayHello, {
      port: 0,
      limits: { inAll: 16 },
      ...(networkOf === undefined ? {} : { networkOf }),
      observer: { onCut: (reason) => void cuts.push(reason) },
    });
    onTestFinished(() => server.close());
    for (let count = 0; count < 5; count += 1) await openClient(server.url);
    await send(server.url, "GET", "/");
    return cuts;
  };
  expect(await openOf()).toEqual([]);
  expect(await openOf(() => "home")).toEqual(["dropped-network", "dropped-network"]);
});
