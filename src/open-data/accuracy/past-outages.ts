import {
  type AccuracyLedger,
  MAX_PAST_DAYS,
  MIN_PAST_OUTAGES,
  type PastOutages,
  type ToldOutage,
} from "../../model/service/accuracy.ts";
import type { Service } from "../../model/service/catalogue.ts";
import { groupBy } from "../../model/lists.ts";
import { DAY_MS } from "../../model/time.ts";

/** The past outages of a service, as of a moment; undefined: too few are known. */
export type PastOutagesOf = (slug: string, atMs: number) => PastOutages | undefined;

/**
 * How long the outages of each service lasted, by the record: those that we told, whose end a check saw. `own` knows those of the service
 * alone, `nearest` those of its category where these are too few. Pure.
 */
export function indexPastOutages(
  { sinceMs, outages }: Pick<AccuracyLedger, "sinceMs" | "outages">,
  services: readonly Pick<Service, "slug" | "category">[],
): { readonly own: PastOutagesOf; readonly nearest: PastOutagesOf } {
  const categoryOf = new Map(services.map(({ slug, category }) => [slug, category]));
  const bySlug = groupBy(outages, ({ slug }) => slug);
  const byCategory = groupBy(outages, ({ slug }) => categoryOf.get(slug));
  const sum = (of: PastOutages["of"], told: readonly ToldOutage[] | undefined, atMs: number) =>
    sinceMs === null ? undefined : sumPast(of, told ?? [], sinceMs, atMs);
  const own: PastOutagesOf = (slug, atMs) => sum("service", bySlug.get(slug), atMs);
  return {
    own,
    nearest: (slug, atMs) => {
      const category = categoryOf.get(slug);
      const told = category === undefined ? [] : byCategory.get(category);
      return own(slug, atMs) ?? sum("category", told, atMs);
    },
  };
}

function sumPast(
  of: PastOutages["of"],
  told: readonly ToldOutage[],
  sinceMs: number,
  atMs: number,
): PastOutages | undefined {
  const days = Math.min(MAX_PAST_DAYS, Math.floor((atMs - sinceMs) / DAY_MS));
  const fromMs = atMs - days * DAY_MS;
  const lengths = told
    .flatMap(({ toldAtMs, endedAtMs, isEndUnseen }) => {
      const isPast = endedAtMs !== null && endedAtMs <= atMs && toldAtMs >= fromMs;
      return isPast && !isEndUnseen ? [endedAtMs - toldAtMs] : [];
    })
    .toSorted((a, b) => a - b);
  const [medianMs, longestMs] = [lengths[Math.ceil(lengths.length / 2) - 1], lengths.at(-1)];
  if (days < 1 || lengths.length < MIN_PAST_OUTAGES) return undefined;
  if (medianMs === undefined || longestMs === undefined) return undefined;
  return { of, days, count: lengths.length, medianMs, longestMs };
}
