import type { Catalogue, Service } from "../../model/service/catalogue.ts";
import { hashText } from "../../model/fnv1a.ts";
import type { Document } from "../../model/service/snapshot.ts";
import {
  type AccuracyLedger,
  nameOfMonth,
  type OutageEntry,
  type ToldOutage,
  toUtcMonth,
  type TruthEntry,
} from "../../model/service/accuracy.ts";
import type { State } from "../../model/state.ts";
import { groupBy } from "../../model/lists.ts";
import { DAY_MS, MINUTE_MS, toWholeSeconds } from "../../model/time.ts";
import { listOutages, outageIdOf } from "../../open-data/accuracy/outage-entries.ts";
import {
  buildOutage,
  buildOutageIndex,
  buildOutageMonth,
  outageKey,
} from "../../open-data/documents/outages.ts";
import { type GroupFamily, NO_GROUPS, signaturesOf } from "../../publish/object-groups.ts";
import { type MonthSummaries, viewMonths } from "./month-summaries.ts";
import { LANGUAGES } from "../../contract/codes/language.ts";
import type { MonthView, OutageLink, OutagePageView } from "../../site/view.ts";

export const OUTAGES = "outage";

/** The page of the list shows as many days. */
const LISTED_MS = 31 * DAY_MS;

const INDEX_ID = "index";

interface OutageSources {
  readonly catalogue: Catalogue;
  readonly state: Pick<State, "publication" | "accuracy">;
  /** What others know. */
  readonly truth: readonly TruthEntry[];
  readonly months: MonthSummaries;
  readonly nowMs: number;
}

/** Templates of the pages, for an address. */
export interface OutageTemplates {
  readonly page: (outage: OutagePageView) => readonly Document[];
  readonly list: (
    outages: readonly OutagePageView[],
    months: readonly MonthView[],
  ) => readonly Document[];
  /** Changes with what pages of the list have in common. */
  readonly design: string;
}

/** Path of the page of an outage by its id, without the language. */
export function outagePath(id: string): string {
  return `/status/${id.replace(".", "/outages/")}`;
}

/** The paths of the pages of outages, without the language. Pure. */
export function indexOutagePaths({ outages }: Pick<AccuracyLedger, "outages">, nowMs: number) {
  const bySlug = groupBy(
    outages.filter(({ about }) => about !== null),
    ({ slug }) => slug,
  );
  const pathOf = (slug: string, isMeant: (outage: ToldOutage) => boolean): string | undefined => {
    const outage = bySlug.get(slug)?.findLast(isMeant);
    return outage && outagePath(outageIdOf(outage));
  };
  return {
    /** Of the outage of the checks that began at a time. */
    ofFailure: (slug: string, sinceMs: number) =>
      pathOf(slug, ({ about }) => about?.sinceMs === toWholeSeconds(sinceMs)),
    /** Of the outage that a change of a verdict begins, continues or ends. Both are told in whole seconds, of two clocks. */
    ofChange: (slug: string, atMs: number) =>
      pathOf(slug, ({ toldAtMs, endedAtMs }) => {
        return toldAtMs - MINUTE_MS <= atMs && atMs <= (endedAtMs ?? atMs) + MINUTE_MS;
      }),
    newest: [...bySlug.values()]
      .flat()
      .filter(({ toldAtMs }) => toldAtMs > nowMs - LISTED_MS)
      .toSorted((a, b) => b.toldAtMs - a.toldAtMs)
      .map((outage) => outagePath(outageIdOf(outage))),
  };
}

/** The keys of a group: an outage, a month, or the list. */
export function outageKeys(id: string): readonly string[] {
  if (id !== INDEX_ID && !id.includes(".")) return [outageKey(id)];
  const path = id === INDEX_ID ? "/outages" : outagePath(id);
  const pages = LANGUAGES.map((language) => (language === "ru" ? path.slice(1) : `en${path}`));
  return [outageKey(id), ...pages];
}

/**
 * A group for each outage, for each month that is over, and for the list. The page of an outage that is over is written again only for a
 * correction, or at another address: so its signature says no more, which keeps the state small. What can no longer be drawn stays as
 * it is: addresses are permanent. The first publish has none, so that the API comes first.
 */
export function planOutages(
  { state, catalogue, truth, months: { ofAll }, nowMs }: OutageSources,
  address: string,
  templates: OutageTemplates,
): GroupFamily {
  const { publication, accuracy } = state;
  if (publication.objects.size === 0) return NO_GROUPS;
  const entries = listOutages(accuracy, truth);
  const viewOf = createViewer(catalogue.services);
  const known = [...signaturesOf(OUTAGES, publication.groups)].filter(isKnown);
  const place = hashText(address);
  const signed = entries.flatMap((entry) => {
    const correction = entry.corrections.length === 0 ? "" : sign(entry.corrections);
    if (entry.endedAtMs !== null) return [[entry, `${place}|${correction}`] as const];
    return viewOf(entry).map((view) => [entry, `${place}|${correction}|${sign(view)}`] as const);
  });
  const slugs = new Set(catalogue.services.map(({ slug }) => slug));
  const drawn = signed.filter(([{ slug }]) => slugs.has(slug));
  const signatureOf = new Map(drawn.map(([{ id }, signature]) => [id, signature]));
  const months = monthsOf(entries, nowMs);
  const listed = entries.filter(({ toldAtMs }) => toldAtMs > nowMs - LISTED_MS).flatMap(viewOf);
  const index = buildOutageIndex(entries);
  const shown = viewMonths(ofAll, nowMs);
  return {
    ...NO_GROUPS,
    signatures: new Map([
      ...known,
      ...signatureOf,
      ...[...months].map(([month, ofMonth]) => {
        const parts = ofMonth.map(({ id, endedAtMs }) => [id, endedAtMs, signatureOf.get(id)]);
        return [month, sign(parts)] as const;
      }),
      [INDEX_ID, sign([templates.design, listed, shown, Buffer.from(index.body).toString()])],
    ]),
    keysOf: outageKeys,
    build: async (id) => {
      if (id === INDEX_ID) return [index, ...templates.list(listed, shown)];
      const ofMonth = months.get(id);
      if (ofMonth !== undefined) return [buildOutageMonth(id, ofMonth)];
      const entry = signatureOf.has(id) ? entries.find((one) => one.id === id) : undefined;
      const [view] = entry === undefined ? [] : viewOf(entry);
      return entry === undefined || view === undefined
        ? []
        : [buildOutage(entry), ...templates.page(view)];
    },
  };
}

function isKnown(group: readonly [string, string | null]): group is readonly [string, string] {
  return group[1] !== null;
}

function sign(value: unknown): string {
  return hashText(JSON.stringify(value));
}

/** The outages of each month before that of now, by `YYYY-MM`. */
function monthsOf(entries: readonly OutageEntry[], nowMs: number) {
  const byMonth = groupBy(entries, ({ toldAtMs }) => toUtcMonth(toldAtMs));
  const isOver = ([month]: readonly [number, unknown]) => month < toUtcMonth(nowMs);
  return new Map([...byMonth].filter(isOver).map(([month, all]) => [nameOfMonth(month), all]));
}

/** What the page of an outage shows; empty if its service has left the catalogue, because it has no name then. */
function createViewer(
  services: readonly Service[],
): (entry: OutageEntry) => readonly OutagePageView[] {
  const bySlug = new Map(services.map((service) => [service.slug, service]));
  const linkTo = (id: string): readonly OutageLink[] => {
    const service = bySlug.get(id.split(".")[0] ?? "");
    if (service === undefined) return [];
    const { slug, name, nameEn } = service;
    return [{ slug, name, ...(nameEn !== undefined && { nameEn }), path: outagePath(id) }];
  };
  return ({ id, toldAtMs, endedAtMs, isEndUnseen, isReported, about, corrections, together }) =>
    linkTo(id).map((link) => ({
      ...link,
      toldAtMs,
      endedAtMs,
      isEndUnseen,
      isReported,
      about,
      corrections,
      together: together.flatMap(linkTo),
      dataKey: outageKey(id),
    }));
}
