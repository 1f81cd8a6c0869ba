import { createNewestMap } from "../../model/bounded-map.ts";
import { createSignal } from "../../model/stopping.ts";

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
export function chooseLook<Turn extends LookTurn>(
  waiting: Iterable<Turn>,
  running: readonly LookTurn[],
  servedAt: (key: string) => number | undefined,
): Turn | undefined {
  const lastTurnOf = (key: string): number => servedAt(key) ?? Number.NEGATIVE_INFINITY;
  const isRunning = new Set(running.map(({ id }) => id));
  // One look at a time at each host and domain.
  const busy = new Set(running.flatMap(placesOf));
  const asked = running.filter(({ isAsked }) => isAsked);
  const byThemselves = running.filter(({ isAsked }) => !isAsked);
  let best: Turn | undefined;
  let bestRank: readonly number[] = [];
  for (const turn of waiting) {
    if (isRunning.has(turn.id) || placesOf(turn).some((place) => busy.has(place))) continue;
    if (!hasRoom(turn, turn.isAsked ? asked : byThemselves)) continue;
    const { isAsked, block, network, lastMs } = turn;
    const rank = [isAsked ? 0 : 1, lastTurnOf(block), lastTurnOf(network), lastMs];
    if (best !== undefined && !isBefore(rank, bestRank)) continue;
    best = turn;
    bestRank = rank;
  }
  return best;
}

function placesOf({ hosts, domains }: LookTurn): readonly string[] {
  return [...hosts, ...domains];
}

/** @param running looks of the same kind. */
function hasRoom({ network, block, isAsked }: LookTurn, running: readonly LookTurn[]): boolean {
  const ofNetwork = running.filter((one) => one.network === network).length;
  if (isAsked) return running.length < MOST.asked - (ofNetwork === 0 ? 0 : KEPT_FOR_OTHERS);
  const ofBlock = running.filter((one) => one.block === block).length;
  return running.length < MOST.byItself && ofNetwork < MAX_OF_NETWORK && ofBlock < MAX_OF_BLOCK;
}

function isBefore(a: readonly number[], b: readonly number[]): boolean {
  for (const [at, one] of a.entries()) if (one !== b[at]) return one < (b[at] ?? one);
  return false;
}

interface Queued<Look> extends LookTurn {
  readonly finished: Promise<Look | undefined>;
  readonly finish: (look: Look | undefined) => void;
}

/** Looks that wait and run, each in its turn. If a `look` fails, those who wait for it get undefined. */
export function createLookLine<Look>(look: (id: string) => Promise<Look | undefined>) {
  const served = createNewestMap<string, number>(SERVED);
  const running = new Map<string, Queued<Look>>();
  const asked = new Map<string, Queued<Look>>();
  const due = new Map<string, Queued<Look>>();
  let turns = 0;
  const enqueue = (turn: LookTurn): Queued<Look> => {
    const [finished, finish] = createSignal<Look | undefined>();
    return { ...turn, finished, finish };
  };
  const begin = async ({ id, block, network, ...queued }: Queued<Look>): Promise<void> => {
    turns += 1;
    served.set(block, turns);
    served.set(network, turns);
    const found = await look(id).catch(() => undefined);
    running.delete(id);
    queued.finish(found);
    pump();
  };
  const pump = (): void => {
    for (;;) {
      const waiting = [...asked.values(), ...due.values()];
      const next = chooseLook(waiting, [...running.values()], served.get);
      if (next === undefined) return;
      asked.delete(next.id);
      due.delete(next.id);
      running.set(next.id, next);
      void begin(next);
    }
  };
  return {
    /** The look at a monitor that runs, or that a visitor waits for. */
    find: (id: string) => (running.get(id) ?? asked.get(id))?.finished,
    /** How many looks visitors wait for that have not begun. */
    asked: () => asked.size,
    /** Waits for a look in its turn. */
    ask: (turn: LookTurn): Promise<Look | undefined> => {
      const queued = enqueue(turn);
      asked.set(turn.id, queued);
      pump();
      return queued.finished;
    },
    /** Begins these when it is their turn, in place of those that were due before. */
    setDue: (next: readonly LookTurn[]): void => {
      due.clear();
      for (const turn of next) due.set(turn.id, enqueue(turn));
      pump();
    },
    /** Resolves when no look runs and none is waited for. */
    idle: async (): Promise<void> => {
      due.clear();
      for (const { finished } of [...running.values(), ...asked.values()]) await finished;
    },
  };
}
