import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export interface Blackhole {
  /** SYNs to it are dropped. */
  readonly port: number;
  /** A port on which nobody listens. */
  readonly refusedPort: number;
  close(): Promise<void>;
}

/**
 * Below those that systems give out by themselves, and assigned to nothing. One of the others may be the client's own: a socket that
 * connects to the port it was given is connected to itself.
 */
const REFUSED_PORT = 4;

/** How long a connect may take on loopback before it counts as dropped. */
const DROPPED_AFTER_MS = 150;

/**
 * Node accepts whatever comes in, so the listener lives in a thread that stops right after `listen`. Once
 * its queue of finished connections is full, Linux drops further SYNs (net/ipv4/tcp_input.c, tcp_conn_request).
 */
const LISTENER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer();
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData), 0, 0);
    process.exit();
  });
`;

/** Opens it and fills its queue. Throws when connections to it still succeed after that. */
export async function openBlackhole(): Promise<Blackhole> {
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(LISTENER, { eval: true, workerData: gate });
  const [message] = await once(worker, "message");
  const port = Number(message);
  const fillers: Socket[] = [];
  async function close(): Promise<void> {
    for (const filler of fillers) filler.destroy();
    const exited = once(worker, "exit");
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    await exited;
  }

  for (let count = 0; count < 16; count += 1) {
    const filler = connect(port, "127.0.0.1");
    filler.on("error", () => filler.destroy());
    fillers.push(filler);
    // One after the other: a queue that overflows between SYN and ACK leaves the client believing in a connection.
    const isConnected = await Promise.race([
      once(filler, "connect").then(() => true),
      // The kernel connects loopback at once: on a busy machine the news may lie behind the timer, but not behind a turn of the loop.
      sleep(DROPPED_AFTER_MS).then(() => turn(false)),
    ]);
    if (isConnected) continue;
    // Its SYN would be sent again and get in, should a place ever come free: it takes its leave.
    fillers.pop()?.destroy();
    if (count === 0) break;
    return { port, refusedPort: REFUSED_PORT, close };
  }
  await close();
  throw new Error("this system accepts connections beyond the backlog: no black hole to be had");
}
