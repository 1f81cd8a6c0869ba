import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { RequestFault } from "../../src/model/connections.ts";
import type { FetchHandler } from "../../src/http-server/listen.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { openClient, statusesOf } from "./raw-client.ts";

const REQUEST = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n";

/** A server, the faults that it counts, and how many connections it has. */
async function start(handler: FetchHandler = () => new Response("hello")) {
  const faults: RequestFault[] = [];
  let open = 0;
  const server = await listenPreview(handler, {
    port: 0,
    observer: {
      onFault: (fault) => void faults.push(fault),
      onOpen: (connections) => void (open = connections),
    },
  });
  onTestFinished(() => server.close());
  return { url: server.url, faults, open: () => open };
}

async function connectTo(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

test("a connection that its client resets has no fault", async () => {
  const { url, faults, open } = await start();
  for (const first of ["", REQUEST]) {
    const socket = await connectTo(url);
    await expect.poll(open).toBe(1);
    if (first !== "") {
      socket.write(first);
      await once(socket, "data");
    }
    socket.resetAndDestroy();
    await expect.poll(open).toBe(0);
  }
  expect(faults).toEqual([]);
});

test("a connection has one fault, however much of it arrives before its answer", async () => {
  let answer = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { url, faults } = await start(async () => {
    await gate;
    return new Response("late");
  });
  const client = await openClient(url, { first: `${REQUEST}what is this\r\n\r\n` });
  await expect.poll(() => faults).toEqual(["malformed"]);
  for (let count = 0; count < 3; count += 1) {
    client.send("and this\r\n\r\n");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  answer();
  await expect.poll(client.isClosed).toBe(true);
  expect(statusesOf(client)).toEqual([200, 400]);
  expect(faults).toEqual(["malformed"]);
});
