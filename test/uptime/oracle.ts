import type { CheckVerdict, UptimeCount, UptimeWindow } from "../../src/model/monitor.ts";
import { DAY_MS } from "../../src/model/time.ts";
import { type MonitorRecord, SLOT_MS } from "../../src/model/uptime.ts";

/** One check, remembered for ever. */
interface Check {
  readonly id: string;
  readonly slot: number;
  readonly atMs: number;
  readonly verdict: CheckVerdict;
}

/** What the page says of now. */
export type Condition = Pick<MonitorRecord, "state" | "sinceMs" | "code">;

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** The rules of docs/uptime.md, obeyed by keeping every check and counting anew each time. */
export class Oracle {
  #checks: readonly Check[] = [];
  #lastSlot = -1;

  wouldCount(atMs: number): boolean {
    return Math.floor(atMs / SLOT_MS) > this.#lastSlot;
  }

  check(atMs: number, verdicts: ReadonlyMap<string, CheckVerdict>): void {
    const slot = Math.floor(atMs / SLOT_MS);
    this.#lastSlot = slot;
    const checks = [...verdicts].map(([id, verdict]) => ({ id, slot, atMs, verdict }));
    this.#checks = [...this.#checks, ...checks];
  }

  /** Undefined for a monitor that is not there. */
  conditionOf(id: string): Condition | undefined {
    const mine = this.#checks.filter((check) => check.id === id);
    if (mine[0] === undefined) return undefined;
    let condition: Condition = { state: "unknown", sinceMs: mine[0].atMs };
    for (const { atMs, verdict } of mine) {
      if (verdict.kind === "skipped") continue;
      const { kind } = verdict;
      const sinceMs = kind === condition.state ? condition.sinceMs : atMs;
      condition = { ...condition, ...verdict, state: kind, sinceMs };
    }
    const { state, sinceMs, code } = condition;
    return { state, sinceMs, ...(code === undefined ? {} : { code }) };
  }

  forget(id: string): void {
    this.#checks = this.#checks.filter((check) => check.id !== id);
  }

  count(id: string, window: UptimeWindow, nowMs: number): UptimeCount {
    const nowSlot = Math.max(Math.floor(nowMs / SLOT_MS), this.#lastSlot);
    const isWithin = (slot: number): boolean => {
      if (window === "24h") return slot > nowSlot - 288 && slot <= nowSlot;
      const age = toDay(nowSlot) - toDay(slot);
      return age >= 0 && age < DAYS[window];
    };
    const mine = this.#checks.filter((check) => check.id === id && isWithin(check.slot));
    const healthy = mine.filter(({ verdict }) => verdict.kind === "healthy").length;
    const failing = mine.filter(({ verdict }) => verdict.kind === "failing").length;
    return { decided: healthy + failing, healthy };
  }
}

function toDay(slot: number): number {
  return Math.floor((slot * SLOT_MS) / DAY_MS);
}
