import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { connectionFailure, connectTcp } from "../../../src/probe/network/tcp.ts";

test.each([
  ["ECONNREFUSED", "tcp-refused"],
  ["ECONNRESET", "tcp-reset"],
  ["ETIMEDOUT", "tcp-timeout"],
  ["ENETUNREACH", "tcp-unreachable"],
  ["EHOSTUNREACH", "tcp-unreachable"],
  ["ENETDOWN", "tcp-unreachable"],
  ["EHOSTDOWN", "tcp-unreachable"],
  ["EADDRNOTAVAIL", "tcp-unreachable"],
  ["EAFNOSUPPORT", "tcp-unreachable"],
  ["EACCES", "tcp-error"],
  [undefined, "tcp-error"],
] as const)("a connection that ends with %s fails as %s", (errno, code) => {
  const error = Object.assign(new Error("no connection"), { code: errno });
  expect(connectionFailure(error)).toEqual({ kind: "failed", code });
});

test.each(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM"])(
  "%s is a fault of this machine, not of the service",
  (code) => {
    const error = Object.assign(new Error("no socket"), { code });
    expect(connectionFailure(error)).toEqual({ kind: "skipped", reason: "runner-exhausted" });
  },
);

test("a connection that begins after the end of a run is not opened", async () => {
  const server = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connect = (signal: AbortSignal) => connectTcp("127.0.0.1", port, 1_000, signal);
  const late = await connect(AbortSignal.abort());
  expect(late).toEqual({ kind: "failed", code: "tcp-timeout" });
  const inTime = await connect(new AbortController().signal);
  expect(inTime.kind).toBe("connected");
  if (inTime.kind === "connected") inTime.socket.destroy();
});
