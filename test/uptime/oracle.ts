import type { CheckVerdict, UptimeCount, UptimeWindow } from "../../src/model/monitor.ts";
import { DAY_MS } from "../../src/model/time.ts";
import { SLOT_MS } from "../../src/model/uptime.ts";

/** One check, remembered for ever. */
interface Check {
  readonly id: string;
  readonly slot: number;
  readonly kind: CheckVerdict["kind"];
}

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** The rules of docs/uptime.md, obeyed by keeping every check and counting anew each time. */
export class Oracle {
  #checks: readonly Check[] = [];
  #lastSlot = -1;

  /** Whether the run counts. */
  check(atMs: number, verdicts: ReadonlyMap<string, CheckVerdict>): boolean {
    const slot = Math.floor(atMs / SLOT_MS);
    if (slot <= this.#lastSlot) return false;
    this.#lastSlot = slot;
    const checks = [...verdicts].map(([id, { kind }]) => ({ id, slot, kind }));
    this.#checks = [...this.#checks, ...checks];
    return true;
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
    const healthy = mine.filter(({ kind }) => kind === "healthy").length;
    const failing = mine.filter(({ kind }) => kind === "failing").length;
    return { decided: healthy + failing, healthy };
  }
}

function toDay(slot: number): number {
  return Math.floor((slot * SLOT_MS) / DAY_MS);
}
