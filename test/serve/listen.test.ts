import { once } from "node:events";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { ListenError, listen } from "../../src/serve/listen.ts";
import { exchange, send } from "./raw-http.ts";

const sayHello = () => new Response("hello");

const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

test("listens on the loopback unless told otherwise, and names its URL", async () => {
  const server = await listen(sayHello, { port: 0 });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200, body: "hello" });
});

test("of every interface it names one that a browser can open", async () => {
  const server = await listen(sayHello, { port: 0, host: "0.0.0.0" });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200 });
});

test.skipIf(!hasIpv6)("an IPv6 address stands in brackets", async () => {
  const server = await listen(sayHello, { port: 0, host: "::1" });
  onTestFinished(() => server.close());
  expect(server.url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await send(server.url, "GET", "/")).toMatchObject({ status: 200 });
});

test("a port that is taken is an error that says so", async () => {
  const first = await listen(sayHello, { port: 0 });
  onTestFinished(() => first.close());
  const port = Number(new URL(first.url).port);
  const second = listen(sayHello, { port });
  await expect(second).rejects.toThrow(ListenError);
  await expect(second).rejects.toThrow(
    `Cannot listen on 127.0.0.1, port ${port}: another program listens there.`,
  );
});

test("an address of another machine is an error that says so", async () => {
  // 192.0.2.0/24 is for documentation (RFC 5737), so it is nobody's.
  await expect(listen(sayHello, { port: 0, host: "192.0.2.1" })).rejects.toThrow(
    "this machine has no such address",
  );
});

test("a closed server frees its port, and closing twice is fine", async () => {
  const server = await listen(sayHello, { port: 0 });
  const port = Number(new URL(server.url).port);
  await server.close();
  await server.close();
  const again = await listen(sayHello, { port });
  await again.close();
});

/** Something that a handler tells a test. */
function createStart(): { readonly begin: () => void; readonly begun: Promise<void> } {
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  return { begin, begun };
}

test("closing waits neither for silent connections nor for a handler that never ends", async () => {
  const { begin, begun } = createStart();
  const server = await listen(
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

test("a request in hand is answered although the server closes", async () => {
  let finish = (): void => undefined;
  const { begin, begun } = createStart();
  const server = await listen(
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
  ["no HTTP at all", "what is this\r\n\r\n", 400],
  ["a method that nobody knows", "FOO / HTTP/1.1\r\nHost: a\r\n\r\n", 405],
  ["a tunnel", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405],
  ["a request without Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["a Host that is none", "GET / HTTP/1.1\r\nHost: a/b\r\nConnection: close\r\n\r\n", 400],
  ["endless headers", `GET / HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
])("%s is refused with the headers of every answer, and in JSON", async (_, request, status) => {
  const server = await listen(sayHello, { port: 0 });
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

test("a handler that throws is a 500, and the server lives on", async () => {
  let hasThrown = false;
  const server = await listen(
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
])(
  "behind a front: %s: an idle connection is promised for as long as `%s`",
  async (isBehindFront, promised) => {
    const server = await listen(sayHello, { port: 0, isBehindFront });
    onTestFinished(() => server.close());
    const { headers } = await fetch(server.url);
    expect(headers.get("keep-alive")).toBe(promised);
  },
);
