import type { ConnectionCut } from "../model/connections.ts";

/** How many connections may be open at once. */
export interface PoolLimits {
  readonly inAll: number;
  readonly perNetwork: number;
}

/** What becomes of a connection that has just come. */
export type Admission<T> =
  | { readonly kind: "admitted" }
  /** Admitted in place of another one, which has left the pool and is to be closed. */
  | { readonly kind: "replacing"; readonly dropped: T; readonly reason: ConnectionCut }
  | { readonly kind: "refused"; readonly reason: ConnectionCut };

/**
 * How many connections the system may hold back for the server. The loop may take all of them in one turn, so there are no more than
 * half of what can be open: then those of a turn never have to push out one another before a byte of them was read.
 */
export function backlogOf({ inAll }: PoolLimits): number {
  return Math.max(1, Math.min(MAX_BACKLOG, Math.floor(inAll / 2)));
}

/** What Node asks for by itself. */
const MAX_BACKLOG = 511;

/** The connections of one network. */
interface Network<T> {
  readonly name: string;
  open: number;
  /** In the order in which they began to wait. */
  readonly waiting: Set<T>;
}

/**
 * The open connections of a server, of whatever kind. Decides who stays when there are too many: the newest is taken, and the one
 * that has waited longest for its client is dropped. An honest client sends its request at once, so it hardly ever waits; a slow
 * one does nothing else, so the slow push out each other. Only if nobody can be dropped, because every client waits for the
 * server, the newest is refused. A network at its limit makes room for itself in the same way. Never throws.
 */
export class ConnectionPool<T> {
  readonly #limits: PoolLimits;
  readonly #open = new Map<T, Network<T> | undefined>();
  readonly #networks = new Map<string, Network<T>>();
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<T>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /** @param name of its network; undefined for a trusted proxy, which has no limit of its own and is never dropped. */
  admit(connection: T, name: string | undefined): Admission<T> {
    const network = name === undefined ? undefined : this.#networks.get(name);
    const isNetworkFull = network !== undefined && network.open >= this.#limits.perNetwork;
    if (!isNetworkFull && this.size < this.#limits.inAll) {
      this.#add(connection, name);
      return { kind: "admitted" };
    }
    const suffix = isNetworkFull ? "-network" : "";
    const longest = (isNetworkFull ? network.waiting : this.#waiting).values().next();
    if (longest.done === true) return { kind: "refused", reason: `refused${suffix}` };
    this.remove(longest.value);
    this.#add(connection, name);
    return { kind: "replacing", dropped: longest.value, reason: `dropped${suffix}` };
  }

  /** From now on the server waits for the client, so the connection may be dropped, as the last of those that wait now. */
  wait(connection: T): void {
    const network = this.#open.get(connection);
    if (network === undefined) return;
    this.hold(connection);
    this.#waiting.add(connection);
    network.waiting.add(connection);
  }

  /** From now on the client waits for the server. */
  hold(connection: T): void {
    this.#waiting.delete(connection);
    this.#open.get(connection)?.waiting.delete(connection);
  }

  remove(connection: T): void {
    this.hold(connection);
    const network = this.#open.get(connection);
    this.#open.delete(connection);
    if (network === undefined) return;
    network.open -= 1;
    if (network.open === 0) this.#networks.delete(network.name);
  }

  #add(connection: T, name: string | undefined): void {
    this.#open.set(connection, name === undefined ? undefined : this.#join(name));
  }

  #join(name: string): Network<T> {
    const network = this.#networks.get(name) ?? { name, open: 0, waiting: new Set<T>() };
    this.#networks.set(name, network);
    network.open += 1;
    return network;
  }
}
