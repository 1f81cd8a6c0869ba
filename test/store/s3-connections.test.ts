import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { S3Store } from "../../src/store/s3.ts";
import { parseS3Url } from "../../src/store/location.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "us-east-1" };
const before = { ...process.env };
beforeAll(() => void Object.assign(process.env, KEYS));
afterAll(() => {
  for (const name of Object.keys(KEYS)) delete process.env[name];
  Object.assign(process.env, before);
});

const LIMITS = { connectMs: 1_000, requestMs: 1_000, patienceMs: 3_000 };

/** A store whose connections can be forgotten by something on the way: requests over those get no answer. */
async function openStore(headers: Readonly<Record<string, string>> = { etag: '"a"' }) {
  const forgotten = new Set<Socket>();
  const open = new Set<Socket>();
  const asked: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(request.headers["if-match"]);
    request.resume();
    if (!forgotten.has(request.socket)) response.writeHead(200, headers).end("body");
  });
  server.on("connection", (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const parsed = parseS3Url(`s3://bucket?endpoint=http://127.0.0.1:${port}`);
  if (parsed.kind !== "s3") throw new Error(JSON.stringify(parsed));
  const store = new S3Store(parsed.location, {
    role: "private",
    random: () => 0,
    sleep: async () => undefined,
    limits: LIMITS,
  });
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
