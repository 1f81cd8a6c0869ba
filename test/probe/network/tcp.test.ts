import { expect, test } from "vitest";
import { connectionFailure } from "../../../src/probe/network/tcp.ts";

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
