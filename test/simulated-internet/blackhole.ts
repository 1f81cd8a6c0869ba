import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";

export interface Blackhole {
  /** SYNs to this port are dropped. */
  readonly port: number;
  /** A port without a listener. */
  readonly refusedPort: number;
  close(): Promise<void>;
}

/**
 * Unassigned, and below the ephemeral ports. An ephemeral port could be the client's own: a socket that connects to its own port is
 * connected to itself.
 */
const REFUSED_PORT = 4;

/** A connect on loopback that takes longer counts as dropped. */
const DROPPED_AFTER_MS = 150;

/**
 * Node accepts every connection, so the listener is in a thread that blocks right after `listen`. As soon as its
 * accept queue is full, Linux drops further SYNs (net/ipv4/tcp_input.c, tcp_conn_request).
 */
const LISTENER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer();
  const { port, host } = workerData;
  server.listen({ port, host, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(workerData.gate), 0, 0);
    process.exit();
  });
`;

/**
 * Opens the listener and fills its accept queue. Throws if connections still succeed after that.
 *
 * @param host address of the loopback.
 * @param wantedPort 0: any that is free.
 */
export async function openBlackhole(host = "127.0.0.1", wantedPort = 0): Promise<Blackhole> {
  const gate = new SharedArrayBuffer(4);
  const workerData = { gate, host, port: wantedPort };
  const worker = new Worker(LISTENER, { eval: true, workerData });
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
    const filler = connect(port, host);
    filler.on("error", () => filler.destroy());
    fillers.push(filler);
    // Sequentially: if the queue overflows between SYN and ACK, the client considers itself connected.
    const isConnected = await Promise.race([
      once(filler, "connect").then(() => true),
      // Loopback connects at once: on a busy machine the event may come after the timer, but not after an event loop turn.
      sleep(DROPPED_AFTER_MS).then(() => turn(false)),
    ]);
    if (isConnected) continue;
    // Its SYN would be retransmitted and take the next free place in the queue.
    fillers.pop()?.destroy();
    if (count === 0) break;
    return { port, refusedPort: REFUSED_PORT, close };
  }
  await close();
  throw new Error("this system accepts connections beyond the backlog, so SYNs cannot be dropped");
}
