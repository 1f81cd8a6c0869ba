import pLimit from "p-limit";
import type { OwnedMonitor } from "../../model/owned-monitor.ts";
import type { LookForProof, ProofLook, ProofQuery } from "../../model/proof-look.ts";
import { DAY_MS, MINUTE_MS } from "../../model/time.ts";
import type { RecordEdit } from "../ownership/apply-edit.ts";
import { concludeLook } from "../ownership/conclude-look.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { openChallenges, phaseOf, SEEN_EVERY_MS } from "../ownership/owner-phase.ts";
import type { OwnerBook } from "./owner-book.ts";

/** Time between two looks while a challenge is open. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;

/** Each may hold a connection for as long as a hostile site likes, so there are few. */
const MOST_AT_ONCE = 8;

/** Visitors that wait for a look; more are told to come back. */
const MOST_WAITING = 200;

export interface ProofScheduleDependencies {
  readonly book: OwnerBook;
  readonly look: LookForProof;
  readonly persist: (edit: RecordEdit) => Promise<"kept" | "refused">;
  readonly nowMs: () => number;
}

export interface ProofSchedule {
  /** Looks for the proof of a monitor now, or joins a look that runs. Undefined: too many wait. Never rejects. */
  readonly lookNow: (id: string) => Promise<ProofLook | undefined>;
  /** The last look since the start of this process. */
  readonly lastLook: (id: string) => ProofLook | undefined;
  /** Begins the looks that are due. Never throws. */
  readonly tick: () => void;
  /** Resolves when no look runs. */
  readonly idle: () => Promise<void>;
}

/** Looks for proofs: every 5 minutes while a challenge is open, monthly afterwards, daily while the proof is gone. */
export function createProofSchedule(deps: ProofScheduleDependencies): ProofSchedule {
  const { book, nowMs } = deps;
  const looks = new Map<string, ProofLook>();
  const running = new Map<string, Promise<ProofLook | undefined>>();
  const busyHosts = new Set<string>();
  const limit = pLimit(MOST_AT_ONCE);
  const begin = (id: string): Promise<ProofLook | undefined> => {
    const look = running.get(id) ?? limit(() => lookOnce(deps, busyHosts, looks, id));
    if (!running.has(id)) void look.finally(() => running.delete(id));
    running.set(id, look);
    return look;
  };
  return {
    lookNow: async (id) =>
      limit.pendingCount >= MOST_WAITING && !running.has(id) ? undefined : begin(id),
    lastLook: (id) => looks.get(id),
    tick: () => {
      for (const id of looks.keys()) if (book.index.get(id) === undefined) looks.delete(id);
      for (const id of book.index.ids()) {
        if (running.size >= MOST_AT_ONCE) return;
        const owned = book.index.get(id);
        if (owned === undefined || running.has(id) || busyHosts.has(hostOf(owned.monitor)))
          continue;
        if (nowMs() >= nextLookMs(owned, looks.get(id), nowMs())) void begin(id);
      }
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}

async function lookOnce(
  deps: ProofScheduleDependencies,
  busyHosts: Set<string>,
  looks: Map<string, ProofLook>,
  id: string,
): Promise<ProofLook | undefined> {
  const owned = deps.book.index.get(id);
  const query = owned && queryOf(owned, deps.nowMs());
  if (query === undefined) return undefined;
  const host = hostOf(query);
  busyHosts.add(host);
  try {
    const look = await deps.look(query);
    looks.set(id, look);
    await note(deps, id, look);
    return look;
  } finally {
    busyHosts.delete(host);
  }
}

/** When the proof of a monitor has to be looked for next; infinite if never. */
export function nextLookMs(
  owned: OwnedMonitor,
  last: ProofLook | undefined,
  nowMs: number,
): number {
  if (last?.hasEndedReader === true) return Number.POSITIVE_INFINITY;
  const afterLast = (everyMs: number): number => (last?.atMs ?? Number.NEGATIVE_INFINITY) + everyMs;
  const phase = phaseOf(owned, nowMs);
  if (phase === "removed" || phase === "refused" || phase === "expired")
    return Number.POSITIVE_INFINITY;
  if (openChallenges(owned, nowMs).length > 0) return afterLast(LOOK_EVERY_MS);
  const { proof } = owned;
  if (proof === undefined) return Number.POSITIVE_INFINITY;
  return proof.lostAtMs === undefined
    ? Math.max(proof.seenAtMs + SEEN_EVERY_MS, afterLast(DAY_MS))
    : afterLast(DAY_MS);
}

/** A move is looked for at its new address; undefined if there is nothing to look for. */
function queryOf(owned: OwnedMonitor, nowMs: number): ProofQuery | undefined {
  const open = openChallenges(owned, nowMs);
  const move = open.find(({ goal }) => goal.kind === "url");
  const { id, url } = owned.monitor;
  if (move?.goal.kind === "url") return { id, url: move.goal.url, tokens: [move.token] };
  const tokens = [...open.map(({ token }) => token), ...(owned.proof ? [owned.proof.token] : [])];
  return tokens.length === 0 ? undefined : { id, url, tokens };
}

/** Writes down what a look has changed. */
async function note(
  { book, persist, nowMs }: ProofScheduleDependencies,
  id: string,
  look: ProofLook,
): Promise<void> {
  const owned = book.index.get(id);
  if (owned === undefined) return;
  const { proof } = owned;
  const isMove = openChallenges(owned, nowMs()).some(({ goal }) => goal.kind === "url");
  // What a new address says decides nothing about the old one.
  const outcome = concludeLook(look, isMove ? undefined : proof?.method);
  if (outcome === undefined || (isMove && outcome.kind === "denied")) return;
  const isKnown =
    outcome.kind === "proof-seen" &&
    outcome.token === proof?.token &&
    proof.lostAtMs === undefined &&
    look.atMs - proof.seenAtMs < DAY_MS;
  if (!isKnown) await persist({ ...outcome, id, atMs: look.atMs });
}
