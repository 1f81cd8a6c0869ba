import {
  EMPTY_LEDGER,
  type Report,
  type ReportLedger,
} from "../../../src/model/service/reports.ts";
import { evaluateSurges } from "../../../src/reports/counting/evaluate-surges.ts";
import { foldReports } from "../../../src/reports/counting/fold-reports.ts";

export const SLOT_MS = 300_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** A Wednesday, 12:00 UTC: the start of a slot and of an hour. */
export const NOON_MS: number = Date.UTC(2026, 3, 15, 12);

/** Reports of different networks, each in a separate block, one second apart. */
export function crowd(
  count: number,
  fromMs: number,
  slug = "sberbank",
  name = "n",
): readonly Report[] {
  return Array.from({ length: count }, (_, place) => ({
    slug,
    atMs: fromMs + place * 1_000,
    network: `${name}-${fromMs % 9_999_999}-${place}`.slice(0, 16),
    block: `b-${place}`,
  }));
}

/** A ledger whose service had its only report 30 days before noon: the expected number is the minimum. */
export function quietLedger(slug = "sberbank"): ReportLedger {
  const firstMs = NOON_MS - 30 * DAY_MS;
  const { ledger } = foldReports(EMPTY_LEDGER, crowd(1, firstMs, slug), firstMs);
  return quietUntil(ledger, [slug], firstMs, NOON_MS - HOUR_MS);
}

/** Evaluates every hour, which covers every slot. */
export function quietUntil(
  ledger: ReportLedger,
  slugs: readonly string[],
  fromMs: number,
  untilMs: number,
): ReportLedger {
  let result = ledger;
  for (let atMs = fromMs; atMs <= untilMs; atMs += HOUR_MS) {
    result = evaluateSurges(result, slugs, atMs);
  }
  return result;
}
