import { nameOfMonth, toUtcMonth } from "../../model/service/accuracy.ts";
import type { Service } from "../../model/service/catalogue.ts";
import { countEach, groupBy, sumOf } from "../../model/lists.ts";
import { gradeUptime } from "../../model/monitor/pictures.ts";
import type { MonthView } from "../../site/view.ts";
import type { State } from "../../model/state.ts";
import { DAY_MS, toUtcDay } from "../../model/time.ts";
import type { MonthSummary } from "../../open-data/documents/histories.ts";
import { monthsOfService } from "../../services/history/months.ts";

export type MonthSummaries = Readonly<ReturnType<typeof summariseMonths>>;

/** The checks and outages of each UTC month, of the days that have ended, oldest first. Pure. */
export function summariseMonths(
  { history, accuracy }: Pick<State, "history" | "accuracy">,
  services: readonly Pick<Service, "slug">[],
  nowMs: number,
) {
  const todayMs = toUtcDay(nowMs) * DAY_MS;
  const told = accuracy.outages.filter(({ toldAtMs }) => toldAtMs < todayMs);
  const bySlug = groupBy(told, ({ slug }) => slug);
  const all = services.map(({ slug }) => {
    const months = monthsOfService(history.services.get(slug), nowMs);
    const outages = bySlug.get(slug) ?? [];
    const byMonth = countEach(outages.map(({ toldAtMs }) => toUtcMonth(toldAtMs)));
    const summaries = months.map((one) => ({ ...one, outages: byMonth.get(one.month) ?? 0 }));
    return [slug, summaries] as const;
  });
  const ofSlug = new Map<string, readonly MonthSummary[]>(all);
  const byMonth = groupBy([...ofSlug.values()].flat(), ({ month }) => month);
  return {
    ofService: (slug: string): readonly MonthSummary[] => ofSlug.get(slug) ?? [],
    /** Of all services together. */
    ofAll: [...byMonth]
      .map(([month, ones]) => ({
        month,
        checks: sumOf(ones.map(({ checks }) => checks)),
        down: sumOf(ones.map(({ down }) => down)),
        outages: sumOf(ones.map(({ outages }) => outages)),
      }))
      .toSorted((a, b) => a.month - b.month),
  };
}

/** Months that a page shows. */
const SHOWN_MONTHS = 12;

/** The last months of those, the newest first, with those in between that have no check. */
export function viewMonths(months: readonly MonthSummary[], nowMs: number): readonly MonthView[] {
  const first = months[0];
  if (first === undefined) return [];
  const last = toUtcMonth(nowMs);
  const count = Math.min(SHOWN_MONTHS, last - first.month + 1);
  return Array.from({ length: count }, (_, back) => {
    const month = last - back;
    const found = months.find((one) => one.month === month);
    const { checks = 0, down = 0, outages = 0 } = found ?? {};
    const { value } = gradeUptime({ decided: checks, healthy: checks - down });
    return { month: nameOfMonth(month), uptime: value, outages };
  });
}
