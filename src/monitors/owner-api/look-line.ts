import { createNewestMap } from "../../model/bounded-map.ts";

/** A look that waits for its turn, or runs. */
export interface LookTurn {
  readonly id: string;
  readonly hosts: readonly string[];
  /** Registrable domains of the hosts. */
  readonly domains: readonly string[];
  /** Whose it is: keyed hashes of a network and of the block around it, or what stands for them. */
  readonly network: string;
  readonly block: string;
  /** When this process looked there last; minus infinity: never. */
  readonly lastMs: number;
  /** A visitor waits for the answer. */
  readonly isAsked: boolean;
}

/** Networks and blocks whose last turn is remembered. */
const SERVED = 10_000;

/** How much runs at once. Source: docs/monitors/owners.md, "Limits". */
const MOST = { byItself: 48, asked: 32 } as const;
/** Of those that are asked for, places for networks that have none. */
const KEPT_FOR_OTHERS = 8;
/** Of those that run by themselves. */
const MAX_OF_NETWORK = 8;
const MAX_OF_BLOCK = 24;

/**
 * The look that begins next; undefined if none may. Of those that may: first those that a visitor waits for, then those of the block
 * that was served longest ago, then of the network, then what was looked at longest ago. So however many one block or network has waiting, it
 * delays the others by one look each. Pure.
 *
 * @param servedAt when a network or block had its last turn, in any unit that rises; undefined: never.
 */
export function chooseLook(
  waiting: Iterable<LookTurn>,
  running: readonly LookTurn[],
  servedAt: (key: string) => number | undefined,
): LookTurn | undefined {
  const isRunning = new Set([...running].map(({ id }) => id));
  const load = loadOf(running);
  let best: LookTurn | undefined;
  let bestRank: readonly number[] = [];
  for (const turn of waiting) {
    if (isRunning.has(turn.id) || !mayRun(turn, load)) continue;
    const rank = rankOf(turn, servedAt);
    if (best !== undefined && !isBefore(rank, bestRank)) continue;
    best = turn;
    bestRank = rank;
  }
  return best;
}

interface Load {
  /** Hosts and domains that are being looked at: one look at a time each. */
  readonly busy: ReadonlySet<string>;
  readonly asked: number;
  readonly byItself: number;
  /** Looks by their kind, and network or block. */
  readonly of: ReadonlyMap<string, number>;
}

function loadOf(running: readonly LookTurn[]): Load {
  const busy = new Set<string>();
  const of = new Map<string, number>();
  let [asked, byItself] = [0, 0];
  for (const turn of running) {
    for (const place of [...turn.hosts, ...turn.domains]) busy.add(place);
    if (turn.isAsked) asked += 1;
    else byItself += 1;
    for (const key of [keyOf(turn, turn.network), keyOf(turn, turn.block)])
      of.set(key, (of.get(key) ?? 0) + 1);
  }
  return { busy, asked, byItself, of };
}

function keyOf({ isAsked }: LookTurn, owner: string): string {
  return `${isAsked} ${owner}`;
}

function mayRun(turn: LookTurn, { busy, asked, byItself, of }: Load): boolean {
  if ([...turn.hosts, ...turn.domains].some((place) => busy.has(place))) return false;
  const ofNetwork = of.get(keyOf(turn, turn.network)) ?? 0;
  if (turn.isAsked) return asked < MOST.asked - (ofNetwork === 0 ? 0 : KEPT_FOR_OTHERS);
  const ofBlock = of.get(keyOf(turn, turn.block)) ?? 0;
  return byItself < MOST.byItself && ofNetwork < MAX_OF_NETWORK && ofBlock < MAX_OF_BLOCK;
}

function rankOf(
  { isAsked, block, network, lastMs }: LookTurn,
  servedAt: (key: string) => number | undefined,
): readonly number[] {
  const never = Number.NEGATIVE_INFINITY;
  return [isAsked ? 0 : 1, servedAt(block) ?? never, servedAt(network) ?? never, lastMs];
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, one] of a.entries()) if (one !== b[at]) return one < (b[at] ?? one);
  return false;
}

interface Queued<Look> {
  readonly turn: LookTurn;
  readonly finished: Promise<Look | undefined>;
  readonly finish: (look: Look | undefined) => void;
}

/** Looks that wait and run, each in its turn. */
export interface LookLine<Look> {
  /** The look at a monitor that runs, or that a visitor waits for. */
  readonly find: (id: string) => Promise<Look | undefined> | undefined;
  /** How many looks visitors wait for that have not begun. */
  readonly asked: () => number;
  /** Waits for a look in its turn. */
  readonly ask: (turn: LookTurn) => Promise<Look | undefined>;
  /** Begins these when it is their turn, in place of those that were due before. */
  readonly setDue: (turns: readonly LookTurn[]) => void;
  /** Resolves when no look runs and none is waited for. */
  readonly idle: () => Promise<void>;
}

/** @param look at a monitor; if it fails, those who wait for it get undefined. */
export function createLookLine<Look>(
  look: (id: string) => Promise<Look | undefined>,
): LookLine<Look> {
  const served = createNewestMap<string, number>(SERVED);
  const running = new Map<string, Queued<Look>>();
  const asked = new Map<string, Queued<Look>>();
  const due = new Map<string, Queued<Look>>();
  let turns = 0;
  const begin = async (queued: Queued<Look>): Promise<void> => {
    const { id, block, network } = queued.turn;
    turns += 1;
    served.set(block, turns);
    served.set(network, turns);
    running.set(id, queued);
    const found = await look(id).catch(() => undefined);
    running.delete(id);
    queued.finish(found);
    pump();
  };
  const pump = (): void => {
    for (;;) {
      const queued = [...asked.values(), ...due.values()];
      const chosen = chooseLook(queued.map(turnOf), [...running.values()].map(turnOf), served.get);
      if (chosen === undefined) return;
      asked.delete(chosen.id);
      due.delete(chosen.id);
      const next = queued.find(({ turn }) => turn === chosen);
      if (next !== undefined) void begin(next);
    }
  };
  return {
    find: (id) => (running.get(id) ?? asked.get(id))?.finished,
    asked: () => asked.size,
    ask: (turn) => {
      const queued = enqueue<Look>(turn);
      asked.set(turn.id, queued);
      pump();
      return queued.finished;
    },
    setDue: (next) => {
      due.clear();
      for (const turn of next) due.set(turn.id, enqueue(turn));
      pump();
    },
    idle: async () => {
      due.clear();
      for (const { finished } of [...running.values(), ...asked.values()]) await finished;
    },
  };
}

function turnOf({ turn }: { readonly turn: LookTurn }): LookTurn {
  return turn;
}

function enqueue<Look>(turn: LookTurn): Queued<Look> {
  const { promise, resolve } = withResolve<Look | undefined>();
  return { turn, finished: promise, finish: resolve };
}

function withResolve<T>() {
  let resolve: ((value: T) => void) | undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value: T) => resolve?.(value) };
}
