import { execFile } from "node:child_process";
import { createServer, connect, type AddressInfo } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The address of this machine that every namespace reaches. No other interface carries it. */
const HOST = "10.77.0.1";

const netOf = (at: number): string => `10.77.${at + 1}`;

/** Network namespaces of this machine, each with a way to one address of it and to nothing else. */
export interface Namespaces {
  readonly names: readonly string[];
  /** Makes a server of the loopback reachable; gives its port at `host`. */
  readonly relay: (port: number) => Promise<number>;
  readonly host: string;
  /** The address of a namespace itself. */
  readonly addressOf: (at: number) => string;
  readonly close: () => Promise<void>;
}

/** Whether this machine lets us make namespaces, which needs root. */
export async function canMakeNamespaces(): Promise<boolean> {
  const name = `status-try-${process.pid}`;
  try {
    await run("ip", ["netns", "add", name]);
    await run("ip", ["netns", "del", name]);
    return true;
  } catch {
    return false;
  }
}

/** Makes so many namespaces. `close` removes all that this made. */
export async function openNamespaces(count: number): Promise<Namespaces> {
  const ip = (line: string) => run("ip", line.split(" "));
  const names = Array.from({ length: count }, (_, at) => `status-${process.pid}-${at}`);
  const servers: ReturnType<typeof createServer>[] = [];
  const close = async (): Promise<void> => {
    for (const server of servers) server.close();
    // A namespace takes its end of the pair along, and so the other.
    for (const name of names) await ip(`netns del ${name}`).catch(() => undefined);
    await ip(`addr del ${HOST}/32 dev lo`).catch(() => undefined);
  };
  try {
    await ip(`addr add ${HOST}/32 dev lo`);
    for (const [at, name] of names.entries()) {
      const [ours, theirs] = [`ss${process.pid}a${at}`, `ss${process.pid}b${at}`];
      const net = netOf(at);
      await ip(`netns add ${name}`);
      await ip(`link add ${ours} type veth peer name ${theirs} netns ${name}`);
      await ip(`addr add ${net}.1/24 dev ${ours}`);
      await ip(`link set ${ours} up`);
      await ip(`-n ${name} addr add ${net}.2/24 dev ${theirs}`);
      await ip(`-n ${name} link set ${theirs} up`);
      await ip(`-n ${name} link set lo up`);
      await ip(`-n ${name} route add default via ${net}.1`);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return {
    names,
    host: HOST,
    addressOf: (at) => `${netOf(at)}.2`,
    relay: async (port) => {
      const server = createServer((socket) => {
        const inside = connect(port, "127.0.0.1");
        socket.pipe(inside).pipe(socket);
        for (const [one, other] of [
          [socket, inside],
          [inside, socket],
        ] as const)
          one.on("error", () => other.destroy()).on("close", () => other.destroy());
      });
      servers.push(server);
      await new Promise<void>((resolve) => void server.listen(0, HOST, resolve));
      // A TCP server has this kind of address.
      return (server.address() as AddressInfo).port;
    },
    close,
  };
}
