import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { openTunnel, type Tunnel } from "../../../src/probe/browser/tunnel.ts";
import { listen } from "../../simulated-internet/front.ts";

const ESTABLISHED = "HTTP/1.1 200 Connection established\r\n\r\n";

/** A tunnel to a server that behaves so, and how often its progress was told. */
async function open(serve: (socket: Socket) => void, maxRawBytes = 1_000_000) {
  const server = await listen(serve);
  onTestFinished(() => server.close());
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  let changes = 0;
  const tunnel = await openTunnel(socket, maxRawBytes, () => void (changes += 1));
  if (tunnel === undefined) throw new Error("no port is left");
  onTestFinished(() => tunnel.close());
  return { tunnel, socket, changes: () => changes };
}

const echo = (socket: Socket): void => void socket.pipe(socket);

/** A connection to the tunnel with what came over it. */
function dial({ proxyUrl }: Tunnel) {
  const client = connect(Number(new URL(proxyUrl).port), "127.0.0.1");
  client.on("error", () => undefined);
  onTestFinished(() => void client.destroy());
  let text = "";
  client.on("data", (bytes) => (text += bytes.toString()));
  return { client, text: () => text, isClosed: () => client.destroyed };
}

/** A request of this many bytes with the password of the tunnel. */
function requestFor({ proxyUrl }: Tunnel, bytes = 0, method = "CONNECT"): string {
  const { username, password } = new URL(proxyUrl);
  const basic = Buffer.from(`${username}:${password}`).toString("base64");
  const lines = [`${method} h.test:443 HTTP/1.1`, `Proxy-Authorization: Basic ${basic}`];
  const head = `${lines.join("\r\n")}\r\n`;
  const rest = "\r\n\r\n";
  return `${head}a:${"x".repeat(Math.max(0, bytes - head.length - 2 - rest.length))}${rest}`;
}

describe("a tunnel", () => {
  test("joins its client with the server, and sees what goes through", async () => {
    const { tunnel, changes } = await open(echo);
    const { client, text } = dial(tunnel);
    client.write(requestFor(tunnel));
    await expect.poll(text).toBe(ESTABLISHED);
    expect(tunnel.progress).toEqual({
      hasBegun: false,
      isServerClosed: false,
      rawBytes: 0,
      isSecured: false,
    });
    client.write("hello");
    await expect.poll(text).toBe(`${ESTABLISHED}hello`);
    expect(tunnel.progress).toMatchObject({ hasBegun: true, rawBytes: 5, isServerClosed: false });
    expect(changes()).toBe(2);
  });

  test("takes a request that comes in parts", async () => {
    const { tunnel } = await open(echo);
    const { client, text, isClosed } = dial(tunnel);
    client.setNoDelay(true);
    const request = requestFor(tunnel);
    for (const part of [request.slice(0, 40), request.slice(40, -1)]) {
      client.write(part);
      await setTimeout(10);
    }
    expect([text(), isClosed()]).toEqual(["", false]);
    client.write(request.slice(-1));
    await expect.poll(text).toBe(ESTABLISHED);
  });

  test("closes a client that comes after the end of the server's connection", async () => {
    const { tunnel, socket } = await open(echo);
    const { client, text, isClosed } = dial(tunnel);
    const request = requestFor(tunnel);
    client.write(request.slice(0, 40));
    await setTimeout(10);
    socket.destroy();
    client.write(request.slice(40));
    await expect.poll(isClosed).toBe(true);
    expect(text()).toBe("");
    expect(tunnel.progress).toMatchObject({ hasBegun: false, rawBytes: 0 });
  });

  test("takes no second client", async () => {
    const { tunnel } = await open(echo);
    const first = dial(tunnel);
    first.client.write(requestFor(tunnel));
    await expect.poll(first.text).toBe(ESTABLISHED);
    const second = dial(tunnel);
    await expect.poll(second.isClosed).toBe(true);
    expect(second.text()).toBe("");
  });

  test("takes a request of up to 4,096 bytes", async () => {
    const { tunnel } = await open(echo);
    const long = dial(tunnel);
    long.client.write(requestFor(tunnel, 4_097));
    await expect.poll(long.isClosed).toBe(true);
    const short = dial(tunnel);
    short.client.write(requestFor(tunnel, 4_096));
    await expect.poll(short.text).toBe(ESTABLISHED);
    expect(long.text()).toBe("");
  });

  test("closes a client without its password, or with another request", async () => {
    const { tunnel } = await open(echo);
    const [, password = ""] = /Basic (\S+)/u.exec(requestFor(tunnel)) ?? [];
    for (const request of [
      requestFor(tunnel, 0, "GET"),
      requestFor(tunnel).replace(password, "cHJvYmU6cHJvYmU="),
      `CONNECT h.test:443 HTTP/1.1\r\n\r\n`,
      "x".repeat(4_097),
    ]) {
      const { client, text, isClosed } = dial(tunnel);
      client.write(request);
      await expect.poll(isClosed).toBe(true);
      expect(text()).toBe("");
    }
  });

  test("ends its client when the server closes, and tells it", async () => {
    const { tunnel } = await open((socket) => socket.once("data", () => socket.end("bye")));
    const { client, text } = dial(tunnel);
    client.write(requestFor(tunnel));
    await expect.poll(text).toBe(ESTABLISHED);
    client.write("hello");
    await expect.poll(() => client.readableEnded).toBe(true);
    expect(text()).toBe(`${ESTABLISHED}bye`);
    expect(tunnel.progress).toMatchObject({ isServerClosed: true, rawBytes: 3 });
  });

  test("closes the server when its client does", async () => {
    const { tunnel, socket } = await open(echo);
    const { client, text } = dial(tunnel);
    client.write(requestFor(tunnel));
    await expect.poll(text).toBe(ESTABLISHED);
    client.destroy();
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test("that is closed ends both connections", async () => {
    const { tunnel, socket } = await open(echo);
    const { client, text, isClosed } = dial(tunnel);
    client.write(requestFor(tunnel));
    await expect.poll(text).toBe(ESTABLISHED);
    tunnel.close();
    expect(socket.destroyed).toBe(true);
    await expect.poll(isClosed).toBe(true);
  });

  test("to a server that has gone takes no client", async () => {
    const { tunnel, socket } = await open(echo);
    socket.destroy();
    await once(socket, "close");
    const { isClosed } = dial(tunnel);
    await expect.poll(isClosed).toBe(true);
  });

  test("reads no more from the server once enough has come", async () => {
    const readWith = async (maxRawBytes: number): Promise<number> => {
      const { tunnel, socket } = await open(echo, maxRawBytes);
      const { client, text } = dial(tunnel);
      client.write(requestFor(tunnel));
      await expect.poll(text).toBe(ESTABLISHED);
      client.write("0123456789");
      await expect.poll(() => tunnel.progress.rawBytes).toBe(10);
      expect(socket.isPaused()).toBe(maxRawBytes <= 10);
      return tunnel.progress.rawBytes;
    };
    expect([await readWith(9), await readWith(10), await readWith(11)]).toEqual([10, 10, 10]);
  });
});
