import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ask } from "./ask.ts";
import { type FrontHarness, openFrontHarness } from "./front-harness.ts";
import type { FrontName } from "./fronts.ts";

const FRONTS: readonly FrontName[] = ["nginx", "varnish", "caddy", "nginx-directory"];
const CLIENTS = 50;
/** The longest of the shipped time-outs is that of Hitch for a handshake: 30 s. */
const CUT_WITHIN_MS = 45_000;
const BYTE_EVERY_MS = 500;

let harness: FrontHarness;

beforeAll(async () => {
  harness = await openFrontHarness(inject("ceph"));
});

afterAll(() => harness.close());

/** A client that never ends the head of its request. */
function dripHead({ hostname, port }: URL): Socket {
  const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
  socket.write("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\nX: ");
  return socket;
}

/** A client that never begins its handshake. */
function keepSilent({ hostname, port }: URL): Socket {
  return connectPlain({ host: hostname, port: Number(port) });
}

/** Resolves when the server has closed the connection. */
async function untilCut(socket: Socket, isSilent: boolean): Promise<void> {
  socket.on("error", () => undefined).resume();
  const dripping = setInterval(() => isSilent || socket.write("x"), BYTE_EVERY_MS);
  // A reset cuts off as well: `once` of node:events would reject at its error.
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(dripping);
}

test.concurrent.each(FRONTS)(
  "%s cuts off clients that end no head or begin no handshake, and serves others",
  async (name) => {
    const front = await harness.start(name);
    try {
      const heads = Array.from({ length: CLIENTS }, () => dripHead(front.url));
      const silent = Array.from({ length: CLIENTS }, () => keepSilent(front.url));
      const cut = Promise.all([
        ...heads.map((socket) => untilCut(socket, false)),
        ...silent.map((socket) => untilCut(socket, true)),
      ]).then(() => "cut off");
      const answer = await ask(front.url, "/api/v1/status", { from: "127.0.5.1" });
      expect(answer.status).toBe(200);
      const late = new Promise((resolve) => setTimeout(resolve, CUT_WITHIN_MS, "still open"));
      expect(await Promise.race([cut, late])).toBe("cut off");
      for (const socket of [...heads, ...silent]) socket.destroy();
    } finally {
      await front.stop();
    }
  },
);
