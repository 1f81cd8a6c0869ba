import { Socket } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "../../src/probe/network/http.ts";
import { LIMITS } from "./harness.ts";

test("a connection lost before the request is not replaced", async () => {
  const stream = new Socket().destroy();
  const url = new URL("http://127.0.0.1:9/");
  const result = await exchange(url, { stream, raw: stream }, LIMITS, Infinity);
  expect(result).toEqual({ kind: "failed", code: "http-closed" });
});
