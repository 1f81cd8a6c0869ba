import { once } from "node:events";
import { connect, Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ProbeLimits } from "../../../src/probe/limits.ts";
import { exchange, type HttpRequest } from "../../../src/probe/network/http.ts";
import { listen } from "../../simulated-internet/front.ts";
import { LIMITS } from "../harness.ts";

const URL_HERE = new URL("http://h.test:8080/a?b=c#d");
const GET: HttpRequest = { method: "GET", headers: {} };
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n";

/** An open connection to a server that answers a request in this way. */
async function connectTo(answer: (socket: Socket, request: string) => void): Promise<Socket> {
  const server = await listen((socket) => {
    let seen = "";
    socket.on("data", (bytes) => {
      seen += bytes.toString("latin1");
      if (seen.includes("\r\n\r\n")) answer(socket, seen);
    });
  });
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  return socket;
}

interface Options {
  readonly limits?: Partial<ProbeLimits>;
  readonly deadlineMs?: number;
}

function ask(stream: Socket, { limits, deadlineMs = Infinity }: Options = {}) {
  return exchange(URL_HERE, { stream, raw: stream }, { ...LIMITS, ...limits }, deadlineMs, GET);
}

/** The status and the text, or the code of the failure, with the failure of the body. */
function wordsOf(result: Awaited<ReturnType<typeof exchange>>): readonly unknown[] {
  if (result.kind === "failed") return [result.code];
  const { status, body, bodyFailure } = result;
  return [status, body.toString(), ...(bodyFailure === undefined ? [] : [bodyFailure])];
}

test("a connection lost before the request is not replaced", async () => {
  const stream = new Socket().destroy();
  expect(await ask(stream)).toEqual({ kind: "failed", code: "http-closed" });
});

describe("the head of a request", () => {
  /** What the server reads of a request. */
  async function sent(request: HttpRequest): Promise<string> {
    let all = "";
    const stream = await connectTo((socket, seen) => {
      all = seen;
      const length = Number(/^content-length: (\d+)/mu.exec(seen)?.[1] ?? 0);
      if (seen.split("\r\n\r\n")[1]?.length === length)
        socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
    await exchange(URL_HERE, { stream, raw: stream }, LIMITS, Infinity, request);
    return all;
  }

  test("of a GET asks for any type, uncompressed, over its own connection", async () => {
    expect(await sent({ method: "GET", headers: { "user-agent": "x" } })).toBe(
      [
        "GET /a?b=c HTTP/1.1",
        "host: h.test:8080",
        "connection: close",
        "accept-encoding: identity",
        "accept: */*",
        "accept-language: ru,en;q=0.5",
        "user-agent: x",
        "",
        "",
      ].join("\r\n"),
    );
  });

  test("of a POST has the length of its body and the headers of its caller", async () => {
    const headers = { "Accept-Encoding": "gzip", "X-Tag": "a\r\nb: c\0" };
    expect(await sent({ method: "POST", headers, body: Buffer.from("hello") })).toBe(
      [
        "POST /a?b=c HTTP/1.1",
        "host: h.test:8080",
        "connection: close",
        "accept-encoding: gzip",
        "x-tag: ab: c",
        "content-length: 5",
        "",
        "hello",
      ].join("\r\n"),
    );
  });
});

describe("an answer", () => {
  test("has its head, its body and its times, and the connection is closed", async () => {
    const stream = await connectTo((socket) => socket.write(`${OK}0123456789rest`));
    const result = await ask(stream);
    expect(result).toEqual({
      kind: "answer",
      status: 200,
      headers: { "content-length": "10" },
      oddities: [],
      body: Buffer.from("0123456789"),
      firstByteMs: expect.any(Number),
      bodyMs: expect.any(Number),
    });
    const { firstByteMs, bodyMs } = result as Extract<typeof result, { kind: "answer" }>;
    expect(Math.min(firstByteMs, bodyMs)).toBeGreaterThanOrEqual(0);
    expect(stream.destroyed).toBe(true);
  });

  test.each([
    [7, "0123456"],
    [9, "012345678"],
    [10, "0123456789"],
    [11, "0123456789"],
  ])("is read up to %d bytes of its body", async (bodyBytes, text) => {
    const stream = await connectTo((socket) => {
      socket.write(`${OK}01234`);
      setImmediate(() => socket.write("56789"));
    });
    expect(wordsOf(await ask(stream, { limits: { bodyBytes } }))).toEqual([200, text]);
  });

  test("without a length is whole at the end of the connection, another one is not", async () => {
    const open = await connectTo((socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nabc"));
    expect(wordsOf(await ask(open))).toEqual([200, "abc"]);
    const cut = await connectTo((socket) => socket.end(`${OK}abc`));
    expect(wordsOf(await ask(cut))).toEqual([200, "abc", "body-closed"]);
    const headless = await connectTo((socket) => socket.end("HTTP/1.1 200 OK\r\n"));
    expect(wordsOf(await ask(headless))).toEqual(["http-closed"]);
  });
});

describe.each([
  ["ECONNRESET", "reset"],
  ["EPIPE", "reset"],
  ["ETIMEDOUT", "timeout"],
  ["EPROTO", "malformed"],
  [undefined, "malformed"],
])("an error %s of the connection", (code, word) => {
  const error = Object.assign(new Error("lost"), { code });

  test(`in the head is http-${word}`, async () => {
    const stream = await connectTo(() => stream.destroy(error));
    expect(wordsOf(await ask(stream))).toEqual([`http-${word}`]);
  });

  test(`in the body is body-${word}`, async () => {
    const stream = await connectTo((socket) => socket.write(`${OK}abc`));
    const asked = ask(stream);
    stream.on("data", () => {
      if (stream.bytesRead === OK.length + 3) stream.destroy(error);
    });
    expect(wordsOf(await asked)).toEqual([200, "abc", `body-${word}`]);
  });
});

/** An open connection on which these bytes have come, before any request, and nothing comes any more. */
async function silentAfter(text: string): Promise<Socket> {
  const server = await listen((socket) => void socket.write(text));
  onTestFinished(() => server.close());
  const options = { port: server.port, host: "127.0.0.1", highWaterMark: 2 * text.length + 1 };
  const stream = connect(options);
  await once(stream, "connect");
  await expect.poll(() => stream.bytesRead).toBe(text.length);
  return stream;
}

describe("a silence", () => {
  const AT_ONCE = { stallMs: 1, firstByteMs: 1 };

  test.each([
    [9_999, "http-timeout"],
    [10_000, "body-stall"],
    [40_000, "body-stall"],
    [40_001, "http-timeout"],
  ])(
    "after %d bytes of a head is a %s: filters freeze after some kilobytes",
    async (bytes, code) => {
      const head = `HTTP/1.1 200 OK\r\na: ${"x".repeat(bytes - 20)}`;
      const stream = await silentAfter(head);
      expect(wordsOf(await ask(stream, { limits: AT_ONCE }))).toEqual([code]);
    },
  );

  test("after a head is a stall, and at the end of the probe a time-out", async () => {
    const after = async (text: string, options: Options) =>
      wordsOf(await ask(await silentAfter(text), options));
    expect(await after(`${OK}abc`, { limits: AT_ONCE })).toEqual([200, "abc", "body-stall"]);
    expect(await after(`${OK}abc`, { deadlineMs: 0 })).toEqual([200, "abc", "body-timeout"]);
    expect(await after("", { deadlineMs: 0 })).toEqual(["http-timeout"]);
    expect(await after("", { limits: AT_ONCE })).toEqual(["http-timeout"]);
  });
});
