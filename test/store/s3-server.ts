import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { parseS3Url } from "../../src/store/location.ts";
import { S3Store, type S3StoreOptions } from "../../src/store/s3.ts";

const KEYS = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_REGION: "us-east-1" };

/** The tests of this file have keys, as every program that uses a bucket has. */
export function useKeys(): void {
  const before = { ...process.env };
  beforeAll(() => void Object.assign(process.env, KEYS));
  afterAll(() => {
    for (const name of Object.keys(KEYS)) delete process.env[name];
    Object.assign(process.env, before);
  });
}

/** A store in a bucket of a server on this machine, until the test ends. `query`: more options of its URL. */
export async function openBucketAt(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  {
    path = "bucket",
    query = "",
    ...options
  }: Partial<S3StoreOptions> & {
    readonly path?: string;
    readonly query?: string;
  } = {},
) {
  const open = new Set<Socket>();
  const server = createServer(answer);
  server.on("connection", (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a server on TCP that listens.
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const parsed = parseS3Url(`s3://${path}?endpoint=${endpoint}${query}`);
  if (parsed.kind !== "s3") throw new Error(JSON.stringify(parsed));
  const store = new S3Store(parsed.location, {
    role: "private",
    random: () => 0,
    sleep: async () => undefined,
    ...options,
  });
  return { store, open, endpoint, location: parsed.location };
}
