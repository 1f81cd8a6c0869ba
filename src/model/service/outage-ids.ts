import { groupBy } from "../lists.ts";
import { DAY_MS, MINUTE_MS, nameOfMinute, toWholeSeconds } from "../time.ts";
import type { AccuracyLedger, ToldOutage } from "./accuracy.ts";

/** The page of the list shows as many days. */
export const LISTED_MS: number = 31 * DAY_MS;

/** `vtb.202611230258`: no slug contains a full stop. */
export function outageIdOf({ slug, toldAtMs }: Pick<ToldOutage, "slug" | "toldAtMs">): string {
  return `${slug}.${nameOfMinute(toldAtMs)}`;
}

/** Path of the page of an outage by its id, without the language. */
export function outagePath(id: string): string {
  return `/status/${id.replace(".", "/outages/")}`;
}

/** Path of the page of a day in Moscow that is over, `YYYY-MM-DD`, without the language. */
export function dayPath(day: string): string {
  return `/day/${day}`;
}

/** Finds the ids of outages that have a page. Pure. */
export function indexOutages({ outages }: Pick<AccuracyLedger, "outages">) {
  const told = outages.filter(({ about }) => about !== null);
  const bySlug = groupBy(told, ({ slug }) => slug);
  const idOf = (slug: string, isMeant: (outage: ToldOutage) => boolean): string | undefined => {
    const outage = bySlug.get(slug)?.findLast(isMeant);
    return outage && outageIdOf(outage);
  };
  return {
    /** Of the outage of the checks that began at a time. */
    ofFailure: (slug: string, sinceMs: number) =>
      idOf(slug, ({ about }) => about?.sinceMs === toWholeSeconds(sinceMs)),
    /** Of the outage that a change of a verdict begins, continues or ends. Both are told in whole seconds, of two clocks. */
    ofChange: (slug: string, atMs: number) =>
      idOf(slug, ({ toldAtMs, endedAtMs }) => {
        return toldAtMs - MINUTE_MS <= atMs && atMs <= (endedAtMs ?? atMs) + MINUTE_MS;
      }),
    /** The newest first, of those that the list shows. */
    newest: (nowMs: number): readonly ToldOutage[] =>
      told
        .filter(({ toldAtMs }) => toldAtMs > nowMs - LISTED_MS)
        .toSorted((a, b) => b.toldAtMs - a.toldAtMs),
  };
}
