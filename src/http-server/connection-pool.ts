export interface PoolLimits {
  readonly inAll: number;
  readonly perNetwork: number;
}

/** Connections that the system may queue. At most half of the pool, so that those of one turn of the event loop never displace each other. */
export function backlogOf({ inAll }: PoolLimits): number {
  return Math.max(1, Math.min(MAX_BACKLOG, Math.floor(inAll / 2)));
}

const MAX_BACKLOG = 511;

interface Network<T> {
  readonly name: string;
  open: number;
  /** Oldest wait first. */
  readonly waiting: Set<T>;
}

/**
 * The open connections of a server. If there are too many, the newest is accepted and the one that has waited longest for its client is
 * dropped: an honest client hardly ever waits, so slow ones displace each other. If all wait for the server, the newest is refused. A
 * network at its limit gives up one of its own connections in the same way. Never throws.
 */
export class ConnectionPool<T> {
  readonly #limits: PoolLimits;
  readonly #open = new Map<T, Network<T> | undefined>();
  readonly #networks = new Map<string, Network<T>>();
  /** Oldest wait first. */
  readonly #waiting = new Set<T>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Admits a connection, perhaps in place of another one, which has left the pool and must be closed; or refuses it.
   *
   * @param name of its network; undefined for a trusted proxy, which has no limit of its own and is never dropped.
   */
  admit(connection: T, name: string | undefined) {
    const network = name === undefined ? undefined : this.#networks.get(name);
    const isNetworkFull = network !== undefined && network.open >= this.#limits.perNetwork;
    if (!isNetworkFull && this.size < this.#limits.inAll) {
      this.#add(connection, name);
      return { kind: "admitted" } as const;
    }
    const suffix = isNetworkFull ? "-network" : "";
    const longest = (isNetworkFull ? network.waiting : this.#waiting).values().next();
    if (longest.done === true) return { kind: "refused", reason: `refused${suffix}` } as const;
    this.remove(longest.value);
    this.#add(connection, name);
    return { kind: "replacing", dropped: longest.value, reason: `dropped${suffix}` } as const;
  }

  /** The server now waits for the client, so the connection may be dropped, after those that already wait. */
  wait(connection: T): void {
    const network = this.#open.get(connection);
    if (network === undefined) return;
    this.hold(connection);
    this.#waiting.add(connection);
    network.waiting.add(connection);
  }

  /** The client now waits for the server. */
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
    if (name === undefined) return void this.#open.set(connection, undefined);
    const network = this.#networks.get(name) ?? { name, open: 0, waiting: new Set<T>() };
    this.#networks.set(name, network);
    network.open += 1;
    this.#open.set(connection, network);
  }
}
