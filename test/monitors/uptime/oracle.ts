import type { CheckResult, UptimeCount, UptimeWindow } from "../../../src/model/monitor/monitor.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { type MonitorRecord, SLOT_MS } from "../../../src/model/monitor/uptime.ts";
import { shardOf } from "../../../src/model/monitor/shard.ts";

/** One check, remembered forever. */
interface Check {
  readonly slot: number;
  readonly atMs: number;
  readonly verdict: CheckResult;
  readonly isPublic: boolean;
}

/** The current state on the page. */
export type Condition = Pick<MonitorRecord, "state" | "sinceMs" | "code" | "warning">;

const REFUSALS: ReadonlySet<string | undefined> = new Set([
  "dns-special-address",
  "redirect-refused",
  "url-refused",
]);

const DAYS = { "7d": 7, "30d": 30, "90d": 90 } as const;

/** The rules of docs/monitors/uptime.md, by keeping every check and counting all of them each time. */
export class Oracle {
  /** By id, oldest first. */
  readonly #checks = new Map<string, Check[]>();
  #lastSlot = -1;

  wouldCount(atMs: number): boolean {
    return Math.floor(atMs / SLOT_MS) > this.#lastSlot;
  }

  check(
    atMs: number,
    verdicts: ReadonlyMap<string, CheckResult>,
    publicIds: ReadonlySet<string>,
  ): void {
    const slot = Math.floor(atMs / SLOT_MS);
    for (const [id, seen] of verdicts) {
      const mine = this.#checks.get(id) ?? [];
      this.#checks.set(id, mine);
      const isFailing = seen.kind === "refused" && this.wasHealthy(id, atMs);
      const verdict = isFailing ? { kind: "failing" as const, code: seen.code } : seen;
      mine.push({ slot, atMs, verdict, isPublic: publicIds.has(id) });
    }
    this.#lastSlot = slot;
  }

  /** In the last 90 days, or since the last examination; or it has been refused since, which then counts as failing. */
  wasHealthy(id: string, nowMs: number): boolean {
    const today = toDay(Math.max(Math.floor(nowMs / SLOT_MS), this.#lastSlot));
    const isLate = ({ slot, verdict }: Check): boolean =>
      verdict.kind === "healthy" && today - toDay(slot) < 90;
    const last = this.#of(id).findLast(({ verdict }) => verdict.kind !== "skipped")?.verdict;
    const isRefusedSince = last?.kind === "failing" && REFUSALS.has(last.code);
    return last?.kind === "healthy" || isRefusedSince || this.#of(id).some(isLate);
  }

  /** Undefined for an absent monitor. */
  conditionOf(id: string): Condition | undefined {
    const mine = this.#of(id);
    if (mine[0] === undefined) return undefined;
    let condition: Condition = { state: "unknown", sinceMs: mine[0].atMs };
    for (const { atMs, verdict } of mine) {
      if (verdict.kind === "skipped") continue;
      const { kind } = verdict;
      const sinceMs = kind === condition.state ? condition.sinceMs : atMs;
      const { warning: _, ...before } = condition;
      const code = "code" in verdict ? { code: verdict.code } : {};
      const warning = "warning" in verdict ? { warning: verdict.warning } : {};
      condition = { ...before, ...code, ...warning, state: kind, sinceMs };
    }
    return condition;
  }

  forget(id: string): void {
    this.#checks.delete(id);
  }

  /** Time of the first healthy check in each of the last 24 hours, which begin late for some monitors; null: none. */
  responses(id: string, nowMs: number): readonly (number | null)[] {
    const lateSlots = shardOf(id) % 12;
    const nowHour = Math.floor(Math.max(nowMs, this.#lastSlot * SLOT_MS) / HOUR_MS);
    return [...Array(24).keys()].map((index) => {
      const hour = nowHour - 23 + index;
      const found = this.#of(id).find(
        (check) =>
          check.isPublic &&
          check.slot >= hour * 12 + lateSlots &&
          check.slot < hour * 12 + lateSlots + 12 &&
          check.verdict.kind === "healthy" &&
          check.verdict.totalMs !== undefined,
      );
      return found?.verdict.kind === "healthy" ? (found.verdict.totalMs ?? null) : null;
    });
  }

  /** Each of the last 90 days, in shares of failed checks; null: none was decided. */
  failedShares(id: string, nowMs: number): readonly (number | null)[] {
    const today = toDay(Math.max(Math.floor(nowMs / SLOT_MS), this.#lastSlot));
    const days = Array.from({ length: 90 }, () => ({ decided: 0, failing: 0 }));
    for (const { slot, verdict } of this.#of(id)) {
      const day = days[toDay(slot) - today + 89];
      if (day === undefined) continue;
      if (verdict.kind === "failing") day.failing += 1;
      if (verdict.kind === "failing" || verdict.kind === "healthy") day.decided += 1;
    }
    return days.map(({ decided, failing }) => (decided === 0 ? null : failing / decided));
  }

  #of(id: string): readonly Check[] {
    return this.#checks.get(id) ?? [];
  }

  count(id: string, window: UptimeWindow, nowMs: number): UptimeCount {
    const nowSlot = Math.max(Math.floor(nowMs / SLOT_MS), this.#lastSlot);
    const isWithin = (slot: number): boolean => {
      if (window === "24h") return slot > nowSlot - 288 && slot <= nowSlot;
      const age = toDay(nowSlot) - toDay(slot);
      return age >= 0 && age < DAYS[window];
    };
    const mine = this.#of(id).filter(({ slot }) => isWithin(slot));
    const healthy = mine.filter(({ verdict }) => verdict.kind === "healthy").length;
    const failing = mine.filter(({ verdict }) => verdict.kind === "failing").length;
    return { decided: healthy + failing, healthy };
  }
}

function toDay(slot: number): number {
  return Math.floor((slot * SLOT_MS) / DAY_MS);
}
