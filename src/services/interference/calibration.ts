import { toUtcDay } from "../../model/time.ts";
import type { DayTally, HeardResult } from "../../model/service/vantage.ts";

/** Days that count. */
const DAYS = 7;

/** Slots that a control needs before its failures mean anything. */
const MIN_SLOTS = 200;

/** Share of these slots in which it has to have worked. Source: docs/services/scope.md, "Calibration". */
const MIN_HEALTHY_RATIO = 0.95;

/**
 * Whether a failure of this endpoint means anything at this vantage: it usually works there. Government sites and banks answer Russia
 * only, and walls against bots refuse data centres, so that a control never sees them.
 */
export function isCalibrated(days: readonly DayTally[], nowMs: number): boolean {
  const recent = days.filter(({ day }) => isRecent(day, nowMs));
  const healthy = recent.reduce((sum, one) => sum + one.healthy, 0);
  const slots = recent.reduce((sum, one) => sum + one.healthy + one.failed, 0);
  return slots >= MIN_SLOTS && healthy >= MIN_HEALTHY_RATIO * slots;
}

/**
 * The tally with one more slot, in which the endpoint answered the runner. A result that says nothing about the endpoint changes
 * nothing.
 */
export function tally(
  days: readonly DayTally[],
  { code }: HeardResult,
  nowMs: number,
): readonly DayTally[] {
  if (code === "skipped" || code === "denied") return days;
  const day = toUtcDay(nowMs);
  const kept = days.filter((one) => isRecent(one.day, nowMs) && one.day !== day);
  const today = days.find((one) => one.day === day) ?? { day, healthy: 0, failed: 0 };
  const counted =
    code === "ok"
      ? { ...today, healthy: today.healthy + 1 }
      : { ...today, failed: today.failed + 1 };
  return [...kept, counted];
}

function isRecent(day: number, nowMs: number): boolean {
  const today = toUtcDay(nowMs);
  // A clock that was set back leaves days in the future, which must not count for ever.
  return day > today - DAYS && day <= today;
}
