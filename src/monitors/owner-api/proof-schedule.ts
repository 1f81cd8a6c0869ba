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

/** Looks for proofs: every 5 minutes while a challenge is open, daily afterwards, each in its turn. */
export class ProofSchedule {
  readonly #deps: ProofScheduleDependencies;
  readonly #startedMs: number;
  /** The last look at each monitor, and how many in a row met silence. */
  readonly #looked = new Map<string, { readonly look: ProofLook; readonly silent: number }>();
  readonly #line = createLookLine<ProofLook>((id) => this.#lookOnce(id));

  constructor(deps: ProofScheduleDependencies) {
    this.#deps = deps;
    this.#startedMs = deps.nowMs();
  }

  /** Looks for the proof of a monitor soon, or joins a look. Undefined: too many wait. Never rejects. */
  async lookNow(id: string, sender: string): Promise<ProofLook | undefined> {
    const owned = this.#deps.book.index.get(id);
    const known = this.#line.find(id);
    if (owned === undefined || known !== undefined) return known;
    return this.#line.asked() >= MAX_ASKED
      ? undefined
      : this.#line.ask(this.#turnOf(owned, sender));
  }

  /** The last look since the start of this process: at the new address, if there is one. */
  lastLook(id: string): ProofLook | undefined {
    return this.#looked.get(id)?.look;
  }

  /** Begins the looks that are due. Never throws. */
  tick(): void {
    const { book, nowMs } = this.#deps;
    for (const id of this.#looked.keys())
      if (book.index.get(id) === undefined) this.#looked.delete(id);
    const due = [...book.index.ids()].flatMap((id) => {
      const owned = book.index.get(id);
      if (owned === undefined || this.#line.find(id) !== undefined) return [];
      return nowMs() < this.#nextLookMs(owned) ? [] : [this.#turnOf(owned)];
    });
    this.#line.setDue(due);
  }

  /** Resolves when no look runs and none is waited for. */
  idle(): Promise<void> {
    return this.#line.idle();
  }

  /** @param sender of a visitor who waits for the answer. */
  #turnOf(owned: OwnedMonitor, sender?: string): LookTurn {
    const nowMs = this.#deps.nowMs();
    const { id } = owned.monitor;
    const hosts = queriesOf(owned, nowMs, 0).map(hostOf);
    const domains = hosts.map(registrableDomainOf);
    // A monitor that is proved belongs to its domain, whatever the network of its owner.
    const [challenge] = openChallenges(owned, nowMs);
    const network = sender ?? challenge?.network ?? domains[0] ?? "";
    return {
      id,
      hosts,
      domains,
      network,
      block: `block ${blockOfSender(network)}`,
      lastMs: this.lastLook(id)?.atMs ?? Number.NEGATIVE_INFINITY,
      isAsked: sender !== undefined,
    };
  }

  /** Looks everywhere where the record has something to find. Never rejects. */
  async #lookOnce(id: string): Promise<ProofLook | undefined> {
    const { book, look, nowMs } = this.#deps;
    let last: ProofLook | undefined;
    const silent = this.#looked.get(id)?.silent ?? 0;
    const owned = book.index.get(id);
    for (const query of owned === undefined ? [] : queriesOf(owned, nowMs(), silent)) {
      last = await look(query);
      this.#looked.set(id, { look: last, silent: isSilent(last) ? silent + 1 : 0 });
      await this.#note(query, last);
    }
    return last;
  }

  /** Writes down what a look has changed. */
  async #note({ id, url }: ProofQuery, look: ProofLook): Promise<void> {
    const { book, persist } = this.#deps;
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

  /**
   * The time of the next look for a proof; infinite: never. A proof that was not looked at since the start waits for its time of day, so
   * that a start does not look for all at once.
   */
  #nextLookMs(owned: OwnedMonitor): number {
    const nowMs = this.#deps.nowMs();
    const looked = this.#looked.get(owned.monitor.id);
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
    return nextTimeOfDay(owned.monitor.id, looked?.look.atMs ?? this.#startedMs);
  }
}

/** The site let time pass at every place that was asked. */
function isSilent({ isDenied, places }: ProofLook): boolean {
  const asked = [...places].filter(([method]) => method !== "dns");
  const isTimeout = asked.every(
    ([, { finding }]) => finding.kind === "failed" && finding.code.endsWith("-timeout"),
  );
  return !isDenied && asked.length > 0 && isTimeout;
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
