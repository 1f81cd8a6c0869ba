import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ephemeral ports of Linux (32,768 to 60,999), which any outgoing connection can take, and above those of well-known
 * servers. Source: ip(7), `ip_local_port_range`.
 */
const FIRST_PORT = 12_000;
const END_PORT = 32_000;

/** Random, because other test processes search as well; ascends, so that no port is found twice here. */
let next = randomInt(FIRST_PORT, END_PORT);

/** A port of 127.0.0.1 without a listener that the system does not assign to connections. */
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
