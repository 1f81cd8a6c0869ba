import { Socket } from "node:net";
import { expect, test } from "vitest";
import { exchange } from "../../src/probe/http.ts";
import { LIMITS } from "./lab.ts";

test("a connection that is gone before the request has closed, and no other is made", async () => {
  const stream = new Socket().destroy();
  const url = new URL("http://127.0.0.1:9/");
  const result = await exchange(url, { stream, raw: stream }, LIMITS, Infinity);
  expect(result).toEqual({ kind: "failed", code: "http-closed" });
});
