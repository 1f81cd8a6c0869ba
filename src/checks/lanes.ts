import { type CheckVerdict, countRefusal } from "../model/monitor.ts";
import type { EndpointResult, Outcome } from "../model/outcome.ts";
import { measureEndpoint } from "../probe/confirm.ts";
import { createPool, type Pool } from "../probe/pool.ts";
import type { Probe } from "../probe/probe.ts";
import type { Pace } from "./messages.ts";
import type { HostGroup } from "./plan.ts";
import { hostOf, toProbeTarget, type CheckTarget } from "./target.ts";
import { judgeCheck } from "./verdict.ts";

export interface LanesDependencies {
  readonly probe: Probe;
  readonly pace: Pace;
  /** Ends what is under way; what waits for its confirmation is not told any more. */
  readonly signal: AbortSignal;
  readonly sleep: (ms: number) => Promise<void>;
  /** A monotonic clock, milliseconds. */
  readonly now: () => number;
  readonly report: (id: string, verdict: CheckVerdict) => void;
  /** There are fewer targets left than lanes. Told again and again until more come. */
  readonly onLow: () => void;
}

/**
 * Monitors that wait for their confirmation at once, some kilobytes each. When the whole world seems to fail, the lanes
 * wait for them, and the deadline skips the rest.
 */
const MAX_WAITING = 20_000;

/**
 * Checks hosts side by side, and the monitors of one host one after another: a host holds one lane at most. A lane goes
 * on while a monitor waits for its confirmation; that has a pool of its own. Nothing is made for a target before its turn.
 */
export class Lanes {
  readonly #deps: LanesDependencies;
  readonly #confirmations: Pool;
  #queue: HostGroup[] = [];
  #next = 0;
  #busy = 0;
  #waiting = 0;
  #backlog = 0;
  readonly #blocked: (() => void)[] = [];

  constructor(deps: LanesDependencies) {
    this.#deps = deps;
    this.#confirmations = createPool({ concurrency: deps.pace.confirmations, perHost: 1 });
  }

  /** Targets not begun yet. */
  get backlog(): number {
    return this.#backlog;
  }

  /** Lanes at work. */
  get busy(): number {
    return this.#busy;
  }

  add(groups: readonly HostGroup[]): void {
    this.#queue = [...this.#queue.slice(this.#next), ...groups];
    this.#next = 0;
    for (const group of groups) this.#backlog += group.length;
    const idle = this.#deps.pace.lanes - this.#busy;
    // A lane that throws is a defect and ends the worker.
    for (let lane = 0; lane < Math.min(idle, this.#queue.length); lane += 1) void this.#runLane();
  }

  async #runLane(): Promise<void> {
    this.#busy += 1;
    for (let group = this.#take(); group !== undefined; group = this.#take()) {
      for (const target of group) {
        this.#backlog -= 1;
        if (this.#backlog < this.#deps.pace.lanes) this.#deps.onLow();
        if (!this.#deps.signal.aborted) await this.#check(target);
      }
    }
    this.#busy -= 1;
  }

  #take(): HostGroup | undefined {
    if (this.#deps.signal.aborted) return undefined;
    const group = this.#queue[this.#next];
    this.#next += 1;
    return group;
  }

  async #check(target: CheckTarget): Promise<void> {
    const host = hostOf(target.url);
    if (host === "") return this.#report(target, { kind: "refused", code: "url-refused" });
    while (this.#waiting >= MAX_WAITING) await this.#untilFewerWait();
    const first = await this.#deps.probe(toProbeTarget(target), 0, this.#deps.signal);
    this.#waiting += 1;
    void this.#conclude(target, host, first);
  }

  async #conclude(target: CheckTarget, host: string, first: Outcome): Promise<void> {
    const { outcome } = await this.#confirm(target, host, first);
    this.#waiting -= 1;
    this.#blocked.shift()?.();
    this.#report(target, judgeCheck(outcome));
  }

  #report({ id, wasHealthy = false }: CheckTarget, verdict: CheckVerdict): void {
    this.#deps.report(id, countRefusal(verdict, wasHealthy));
  }

  async #confirm(target: CheckTarget, host: string, first: Outcome): Promise<EndpointResult> {
    // A refusal is our own word: while it does not count, it needs no confirmation.
    if (judgeCheck(first).kind === "refused" && target.wasHealthy !== true)
      return { outcome: first, isFlaky: false, attempts: [first] };
    const { probe, pace, signal, sleep, now } = this.#deps;
    return measureEndpoint(
      // How fast a monitor answers is not judged.
      { lastState: target.lastState, slowMs: Number.POSITIVE_INFINITY },
      {
        probe: (attempt) =>
          attempt === 0
            ? Promise.resolve(first)
            : this.#confirmations(host, () => probe(toProbeTarget(target), attempt, signal)),
        sleep,
        now,
        delaysMs: pace.confirmDelaysMs,
        onWait: () => {},
      },
    );
  }

  #untilFewerWait(): Promise<void> {
    return new Promise((resolve) => this.#blocked.push(resolve));
  }
}
