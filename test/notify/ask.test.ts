import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import {
  askReceiver,
  boundWait,
  faultInWay,
  resultOf,
  waitIn,
} from "../../src/notify/channels/ask.ts";
import { listenHere } from "./listen-here.ts";
import { LOOPBACK_PROBE } from "./loopback-probe.ts";

/** An address to which no machine has a way, because it belongs to each of its networks. */
const V6_NOWHERE = "ff02::1";

test.each([
  [199, "failed"],
  [200, "delivered"],
  [299, "delivered"],
  [300, "failed"],
  [404, "gone"],
  [405, "failed"],
])("an answer with status %i means: %s", (status, kind) => {
  expect(resultOf({ kind: "answer", status }, [404]).kind).toBe(kind);
});

test("a failure says its status, and how long to wait if that is known", () => {
  const answer = { kind: "answer", status: 503 } as const;
  const failed = { kind: "failed", reason: "status 503" };
  expect(resultOf(answer, [])).toEqual(failed);
  expect(resultOf({ ...answer, retryAfterMs: 0 }, [])).toEqual({ ...failed, retryAfterMs: 0 });
  const closed = { kind: "failed", reason: "http-closed" } as const;
  expect(resultOf(closed, [])).toBe(closed);
});

test.each([
  ["0", 0],
  ["1", 1_000],
  ["86400", 86_400_000],
  ["86401", 86_400_000],
  ["999999999", 86_400_000],
  ["9999999999", undefined],
  ["1.5", undefined],
  ["-1", undefined],
  [" 1", undefined],
  ["", undefined],
  [undefined, undefined],
  [["5"], 5_000],
  [["5", "6"], undefined],
])("Retry-After %j is a wait of %j ms", (header, waitMs) => {
  expect(waitIn(header)).toBe(waitMs);
});

test("a wish to wait is followed for a day at most", () => {
  expect([boundWait(86_399.5), boundWait(86_400), boundWait(86_401)]).toEqual([
    86_399_500, 86_400_000, 86_400_000,
  ]);
});

describe("a receiver", () => {
  const { signal } = new AbortController();
  const deps = { probe: LOOPBACK_PROBE, signal };
  const POST = { method: "POST", headers: {} } as const;
  const NOWHERE = new URL("http://127.0.0.1:1/");

  /** One that counts its connections, and whose body is not what its coding says. */
  async function startReceiver() {
    const seen = { connections: 0 };
    const server = createServer((_, response) => {
      response.writeHead(503, { "Content-Encoding": "gzip", "Retry-After": "7" }).end("plain");
    });
    server.on("connection", () => (seen.connections += 1));
    const port = await listenHere(server);
    return { seen, url: new URL(`http://127.0.0.1:${port}/`) };
  }

  test("whose body cannot be decoded has answered without one", async () => {
    const { url } = await startReceiver();
    expect(await askReceiver(url, POST, 100, deps)).toEqual({
      kind: "answer",
      status: 503,
      body: Buffer.alloc(0),
      retryAfterMs: 7_000,
    });
  });

  test("that is not there is a failure with its code", async () => {
    const failed = { kind: "failed", reason: "tcp-refused" };
    expect(await askReceiver(NOWHERE, POST, 100, deps)).toEqual(failed);
    expect(await faultInWay(NOWHERE, deps)).toBe("tcp-refused");
  });

  test("that can be reached is in nothing's way", async () => {
    const { url, seen } = await startReceiver();
    expect(await faultInWay(url, deps)).toBeUndefined();
    expect(seen.connections).toBe(1);
  });

  test("that the guard refuses gets no connection", async () => {
    const { url, seen } = await startReceiver();
    const refusing = { ...LOOPBACK_PROBE, refusalOfUrl: () => "its port is not allowed" };
    const guarded = { probe: refusing, signal };
    const refused = { kind: "failed", reason: "url-refused" };
    expect(await askReceiver(url, POST, 100, guarded)).toEqual(refused);
    expect(await faultInWay(url, guarded)).toBe("its port is not allowed");
    expect(seen.connections).toBe(0);
  });

  test("that only IPv6 reaches fails with the lack of IPv6 as its reason", async () => {
    const resolve: typeof LOOPBACK_PROBE.resolve = async (_, family) =>
      family === 6
        ? { kind: "records", records: [V6_NOWHERE] }
        : { kind: "failed", code: "dns-no-answer" };
    const { addressRules } = LOOPBACK_PROBE;
    const open = { ...addressRules, refusalOf: () => undefined };
    const probe = { ...LOOPBACK_PROBE, resolve, addressRules: open };
    const url = new URL("http://receiver.example/");
    const reason = "ipv6-unavailable";
    expect(await askReceiver(url, POST, 100, { probe, signal })).toEqual({
      kind: "failed",
      reason,
    });
    expect(await faultInWay(url, { probe, signal })).toBe(reason);
  });
});
