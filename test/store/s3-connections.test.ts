import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { openBucketAt, useKeys } from "./s3-server.ts";

useKeys();

const LIMITS = { connectMs: 1_000, requestMs: 1_000, patienceMs: 3_000 };

/** A store whose connections can be forgotten by something on the way: requests over those get no answer. */
async function openStore(headers: Readonly<Record<string, string>> = { etag: '"a"' }) {
  const forgotten = new Set<Socket>();
  const asked: unknown[] = [];
  const { store, open } = await openBucketAt(
    (request, response) => {
      asked.push(request.headers["if-match"]);
      request.resume();
      if (!forgotten.has(request.socket)) response.writeHead(200, headers).end("body");
    },
    { limits: LIMITS },
  );
  const forget = (): void => {
    for (const socket of open) forgotten.add(socket);
  };
  return { store, forget, open, asked };
}

test("connections that a router has forgotten cost one time-out, not one each", async () => {
  const { store, forget, open } = await openStore();
  await Promise.all(Array.from({ length: 8 }, (_, at) => store.read(`a${at}.txt`)));
  expect(open.size).toBeGreaterThanOrEqual(8);
  forget();
  expect(Buffer.from((await store.read("a.txt"))?.body ?? []).toString()).toBe("body");
});

test("a weak tag of a proxy is compared as the strong one of the store", async () => {
  const { store, asked } = await openStore({ etag: 'W/"abc"' });
  const found = await store.read("a.txt");
  const object = { body: Buffer.from("x"), contentType: "x", cacheControl: "x" };
  await store.write("a.txt", object, { kind: "unchanged", etag: found?.etag ?? "" });
  expect([found?.etag, asked.at(-1)]).toEqual(["abc", '"abc"']);
});
