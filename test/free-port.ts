import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ports that Linux gives out by itself (32,768 to 60,999), and above those of well-known servers. A port that the system
 * gave once it can give to any outgoing connection next. Source: ip(7), `ip_local_port_range`.
 */
const FIRST_PORT = 12_000;
const END_PORT = 32_000;

/** Begins anywhere, for other test processes search as well, and goes on, so that no port is found twice here. */
let next = randomInt(FIRST_PORT, END_PORT);

/** A port of 127.0.0.1 on which nobody listens, and which the system gives to no connection in the meantime. */
export async function findFreePort(): Promise<number> {
  for (let tries = FIRST_PORT; tries < END_PORT; tries += 1) {
    const port = next;
    next = port + 1 < END_PORT ? port + 1 : FIRST_PORT;
    if (await canListen(port)) return port;
  }
  throw new Error(`no port of 127.0.0.1 from ${FIRST_PORT} to ${END_PORT - 1} is free`);
}

function canListen(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
