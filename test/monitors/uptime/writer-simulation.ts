import type { CheckResult } from "../../../src/model/monitor/monitor.ts";
import {
  type MonitorRecord,
  type MonitorsState,
  NO_MONITORS,
  type PendingChanges,
  type UptimeShard,
} from "../../../src/model/monitor/uptime.ts";
import { decodeShard, encodeShard } from "../../../src/state/codec/monitor-shard.ts";
import { applyPending, planRemovals, planRun } from "../../../src/monitors/uptime/journal.ts";
import { SHARD_COUNT, shardOf } from "../../../src/model/monitor/shard.ts";

/** Where a writer dies; each step has happened if the number is larger. */
export const STEPS = { settleOlder: 1, win: 2, settleOwn: 3, confirm: 4 } as const;

/** Result of an attempt to advance the state. */
export type Advanced = "won" | "died-before" | "already-counted";

/** State and shards in a store, and a writer that may die anywhere. Shards are stored as bytes. */
export class WriterSimulation {
  state: MonitorsState = NO_MONITORS;
  generation = 0;
  readonly #shards = new Map<number, Uint8Array>();
  /** Bytes are decoded thousands of times. */
  readonly #decoded = new WeakMap<Uint8Array, UptimeShard>();
  readonly #journals: PendingChanges[] = [];

  recordOf(id: string): MonitorRecord | undefined {
    const { pending } = this.state;
    const shard = this.#load(shardOf(id));
    return (pending ? applyPending(shardOf(id), shard, pending) : shard)?.records.get(id);
  }

  /** Ids with a record. */
  ids(): readonly string[] {
    const { pending } = this.state;
    return [...Array(SHARD_COUNT).keys()].flatMap((number) => {
      const shard = this.#load(number);
      const next = pending ? applyPending(number, shard, pending) : shard;
      return [...(next?.records.keys() ?? [])];
    });
  }

  run(
    atMs: number,
    verdicts: ReadonlyMap<string, CheckResult>,
    publicIds: ReadonlySet<string>,
    removedIds: readonly string[],
    diesAfter: number,
    half: number,
  ): Advanced {
    const sequence = this.generation + 1;
    const planned = planRun(this.state.clock, (id) => this.recordOf(id), {
      sequence,
      atMs,
      verdicts,
      publicIds,
      removedIds,
    });
    if (planned === "already-counted") return planned;
    return this.#advance(planned.clock, planned.pending, diesAfter, half);
  }

  remove(atMs: number, removedIds: readonly string[], diesAfter: number, half: number): Advanced {
    const { clock } = this.state;
    const pending = planRemovals(clock, this.generation + 1, atMs, removedIds);
    return this.#advance(clock, pending, diesAfter, half);
  }

  /** A delayed writer applies an old journal once more. */
  settleAgain(pick: number): void {
    const known = this.#journals.at(pick % Math.max(1, this.#journals.length));
    if (known !== undefined) this.#settle(known, 1);
  }

  #advance(
    clock: MonitorsState["clock"],
    pending: PendingChanges,
    diesAfter: number,
    half: number,
  ): Advanced {
    const older = this.state.pending;
    if (older !== null) this.#settle(older, diesAfter < STEPS.settleOlder ? half : 1);
    if (diesAfter < STEPS.win) return "died-before";
    this.generation += 1;
    this.state = { ...this.state, clock, pending };
    this.#journals.push(pending);
    this.#settle(pending, diesAfter < STEPS.settleOwn ? half : 1);
    if (diesAfter >= STEPS.confirm) this.state = { ...this.state, pending: null };
    return "won";
  }

  /** Writes a share of the shards, 0 to 1. */
  #settle(pending: PendingChanges, share: number): void {
    for (let number = 0; number < SHARD_COUNT * share; number += 1) {
      const shard = this.#load(number);
      const next = applyPending(number, shard, pending);
      if (next !== undefined && next !== shard) this.#shards.set(number, encodeShard(next));
    }
  }

  #load(number: number): UptimeShard | undefined {
    const bytes = this.#shards.get(number);
    if (bytes === undefined) return undefined;
    const known = this.#decoded.get(bytes);
    if (known !== undefined) return known;
    const decoded = decodeShard(bytes);
    if (decoded.kind === "invalid") throw new Error(decoded.message);
    this.#decoded.set(bytes, decoded.value);
    return decoded.value;
  }
}
