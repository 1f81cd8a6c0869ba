import { fnv1a } from "../../model/fnv1a.ts";
import type {
  OwnedMonitor,
  LookForProof,
  ProofLook,
  ProofQuery,
} from "../../model/monitor/owned-monitor.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../model/time.ts";
import type { RecordEdit } from "../ownership/apply-edit.ts";
import { concludeLook } from "../ownership/read-proof.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { openChallenges, phaseOf, SEEN_EVERY_MS } from "../ownership/owner-phase.ts";
import { registrableDomainOf } from "../../model/registrable-domain.ts";
import { blockOfSender } from "../ownership/sender.ts";
import { createLookLine, type LookTurn } from "./look-line.ts";
import type { OwnerBook } from "./owner-book.ts";

/** Time between two looks while a challenge is open. Doubled with each look that met silence, this often at most. */
const LOOK_EVERY_MS = 5 * MINUTE_MS;
const MAX_DOUBLINGS = 5;

/** Time for a first look, so that silent sites cost little. Doubled with each look that met silence, because some sites are slow. */
const FIRST_LOOK_MS = 4 * SECOND_MS;
const MAX_LOOK_MS = 20 * SECOND_MS;

/** Visitors that wait for a look; more are told to come back. */
const MAX_ASKED = 200;

export interface ProofScheduleDependencies {
  readonly book: OwnerBook;
  readonly look: LookForProof;
  readonly persist: (edit: RecordEdit) => Promise<"kept" | "refused">;
  readonly nowMs: () => number;
}

export type ProofSchedule = ReturnType<typeof createProofSchedule>;

/** The last look at a monitor, and how many in a row met silence. */
interface Looked {
  readonly look: ProofLook;
  readonly silent: number;
}

/** Looks for proofs: every 5 minutes while a challenge is open, daily afterwards, each in its turn. */
export function createProofSchedule(deps: ProofScheduleDependencies) {
  const { book, nowMs } = deps;
  const looked = new Map<string, Looked>();
  const line = createLookLine<ProofLook>((id) => lookOnce(deps, looked, id));
  const startedMs = nowMs();
  const turnOf = (owned: OwnedMonitor, sender?: string): LookTurn =>
    toTurn(owned, sender, looked.get(owned.monitor.id)?.look.atMs, nowMs());
  return {
    /** Looks for the proof of a monitor soon, or joins a look. Undefined: too many wait. Never rejects. */
    lookNow: async (id: string, sender: string): Promise<ProofLook | undefined> => {
      const owned = book.index.get(id);
      const known = line.find(id);
      if (owned === undefined || known !== undefined) return known;
      return line.asked() >= MAX_ASKED ? undefined : line.ask(turnOf(owned, sender));
    },
    /** The last look since the start of this process: at the new address, if there is one. */
    lastLook: (id: string) => looked.get(id)?.look,
    /** Begins the looks that are due. Never throws. */
    tick: (): void => {
      for (const id of looked.keys()) if (book.index.get(id) === undefined) looked.delete(id);
      const due = [...book.index.ids()].flatMap((id) => {
        const owned = book.index.get(id);
        if (owned === undefined || line.find(id) !== undefined) return [];
        return nowMs() < nextLookMs(owned, looked.get(id), startedMs, nowMs())
          ? []
          : [turnOf(owned)];
      });
      line.setDue(due);
    },
    /** Resolves when no look runs and none is waited for. */
    idle: line.idle,
  };
}

/** @param sender of a visitor who waits for the answer. */
function toTurn(
  owned: OwnedMonitor,
  sender: string | undefined,
  lastMs = Number.NEGATIVE_INFINITY,
  nowMs: number,
): LookTurn {
  const hosts = queriesOf(owned, nowMs, 0).map(hostOf);
  const domains = hosts.map(registrableDomainOf);
  // A monitor that is proved belongs to its domain, whatever the network of its owner.
  const [challenge] = openChallenges(owned, nowMs);
  const network = sender ?? challenge?.network ?? domains[0] ?? "";
  return {
    id: owned.monitor.id,
    hosts,
    domains,
    network,
    block: `block ${blockOfSender(network)}`,
    lastMs,
    isAsked: sender !== undefined,
  };
}

/** Looks everywhere where the record has something to find. Never rejects. */
async function lookOnce(
  deps: ProofScheduleDependencies,
  looked: Map<string, Looked>,
  id: string,
): Promise<ProofLook | undefined> {
  let last: ProofLook | undefined;
  const silent = looked.get(id)?.silent ?? 0;
  const owned = deps.book.index.get(id);
  for (const query of owned === undefined ? [] : queriesOf(owned, deps.nowMs(), silent)) {
    last = await deps.look(query);
    looked.set(id, { look: last, silent: isSilent(last) ? silent + 1 : 0 });
    await note(deps, query, last);
  }
  return last;
}

/** The site let time pass at every place that was asked. */
function isSilent({ isDenied, places }: ProofLook): boolean {
  const asked = [...places].filter(([method]) => method !== "dns");
  const isTimeout = asked.every(
    ([, { finding }]) => finding.kind === "failed" && finding.code.endsWith("-timeout"),
  );
  return !isDenied && asked.length > 0 && isTimeout;
}

/**
 * The time of the next look for a proof; infinite: never. A proof that was not looked at since `startedMs` waits for its time of day, so that
 * a start does not look for all at once.
 */
export function nextLookMs(
  owned: OwnedMonitor,
  looked: Looked | undefined,
  startedMs: number,
  nowMs: number,
): number {
  const phase = phaseOf(owned, nowMs);
  const open = openChallenges(owned, nowMs);
  const isOver = phase === "refused" || phase === "expired";
  if (isOver || looked?.look.hasEndedReader === true) return Number.POSITIVE_INFINITY;
  // A thief may have removed it: only a new key is looked for then.
  if (phase === "removed" && !open.some(({ goal }) => goal.kind === "key"))
    return Number.POSITIVE_INFINITY;
  if (open.length > 0) {
    if (looked === undefined) return Number.NEGATIVE_INFINITY;
    return looked.look.atMs + LOOK_EVERY_MS * 2 ** Math.min(looked.silent, MAX_DOUBLINGS);
  }
  if (owned.proof === undefined) return Number.POSITIVE_INFINITY;
  return nextTimeOfDay(owned.monitor.id, looked?.look.atMs ?? startedMs);
}

/** The next time, after a moment, at which the day of a monitor begins. */
function nextTimeOfDay(id: string, afterMs: number): number {
  const beginMs = (fnv1a(id) / 2 ** 32) * DAY_MS;
  return (Math.floor((afterMs - beginMs) / DAY_MS) + 1) * DAY_MS + beginMs;
}

/** What to look for: at the address of the record, its proof, a first one and new keys; and a move at its own address. */
function queriesOf(owned: OwnedMonitor, nowMs: number, silent: number): readonly ProofQuery[] {
  const open = openChallenges(owned, nowMs);
  const { id, url } = owned.monitor;
  const withinMs = Math.min(MAX_LOOK_MS, FIRST_LOOK_MS * 2 ** silent);
  const here = open.flatMap(({ goal, token }) => (goal.kind === "url" ? [] : [token]));
  const tokens = [...here, ...(owned.proof === undefined ? [] : [owned.proof.token])];
  const moves = open.flatMap(({ goal, token }) =>
    goal.kind === "url" ? [{ id, url: goal.url, tokens: [token], withinMs }] : [],
  );
  return [...(tokens.length === 0 ? [] : [{ id, url, tokens, withinMs }]), ...moves];
}

/** Writes down what a look has changed. */
async function note(
  { book, persist }: ProofScheduleDependencies,
  { id, url }: ProofQuery,
  look: ProofLook,
): Promise<void> {
  const owned = book.index.get(id);
  if (owned === undefined) return;
  const { proof } = owned;
  const isMove = url !== owned.monitor.url;
  // What a new address says decides nothing about the old one.
  const outcome = concludeLook(look, isMove ? undefined : proof?.method);
  if (outcome === undefined || (isMove && outcome.kind === "denied")) return;
  const isKnown =
    outcome.kind === "proof-seen" &&
    outcome.token === proof?.token &&
    proof.lostAtMs === undefined &&
    look.atMs - proof.seenAtMs < SEEN_EVERY_MS;
  if (!isKnown) await persist({ ...outcome, id, atMs: look.atMs });
}
