import type { Catalogue, Service } from "../../model/service/catalogue.ts";
import { hashText } from "../../model/fnv1a.ts";
import type { Document } from "../../model/service/snapshot.ts";
import type {
  AccuracyLedger,
  OutageEntry,
  ToldOutage,
  TruthEntry,
} from "../../model/service/accuracy.ts";
import type { State } from "../../model/state.ts";
import { groupBy } from "../../model/lists.ts";
import { DAY_MS, MINUTE_MS } from "../../model/time.ts";
import { listOutages, outageIdOf } from "../../open-data/accuracy/outage-entries.ts";
import {
  buildOutage,
  buildOutageIndex,
  buildOutageMonths,
  outageKey,
} from "../../open-data/documents/outages.ts";
import { type GroupFamily, NO_GROUPS, signaturesOf } from "../../publish/object-groups.ts";
import { LANGUAGES } from "../../contract/codes/language.ts";
import type { OutageLink, OutagePageView } from "../../site/view.ts";

export const OUTAGES = "outage";

/** The page of the list shows as many days. */
const LISTED_MS = 31 * DAY_MS;

const INDEX_ID = "index";

interface OutageSources {
  readonly catalogue: Catalogue;
  readonly state: Pick<State, "publication" | "accuracy">;
  /** What others know. */
  readonly truth: readonly TruthEntry[];
  readonly nowMs: number;
}

/** Templates of the pages, for an address. */
export interface OutageTemplates {
  readonly page: (outage: OutagePageView) => readonly Document[];
  readonly list: (outages: readonly OutagePageView[]) => readonly Document[];
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
      pathOf(slug, ({ about }) => about?.sinceMs === sinceMs),
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
 * A group for each outage, for each month, and for the list. A page that is over is written again only for a correction, or at another
 * address: so its signature has no design. What can no longer be drawn stays as it is: addresses are permanent. The first publish has
 * none, so that the API comes first.
 */
export function planOutages(
  { state, catalogue, truth, nowMs }: OutageSources,
  address: string,
  templates: OutageTemplates,
): GroupFamily {
  const { publication, accuracy } = state;
  if (publication.objects.size === 0) return NO_GROUPS;
  const entries = listOutages(accuracy, truth);
  const services = new Map(catalogue.services.map((service) => [service.slug, service]));
  const views = viewOutages(entries, services);
  const index = buildOutageIndex(entries);
  const months = buildOutageMonths(entries);
  const listed = [...views.values()].filter(({ toldAtMs }) => toldAtMs > nowMs - LISTED_MS);
  const known = [...signaturesOf(OUTAGES, publication.groups)];
  const kept = known.flatMap(([id, signature]) =>
    signature === null ? [] : ([[id, signature]] as const),
  );
  const sign = (value: unknown): string => hashText(JSON.stringify([address, value]));
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return {
    ...NO_GROUPS,
    signatures: new Map([
      ...kept,
      ...[...views].map(([id, view]) => [id, sign(view)] as const),
      ...[...months].map(([month, document]) => [month, hashText(textOf(document))] as const),
      [INDEX_ID, sign([templates.design, listed, textOf(index)])],
    ]),
    keysOf: outageKeys,
    build: async (id) => {
      if (id === INDEX_ID) return [index, ...templates.list(listed)];
      const month = months.get(id);
      if (month !== undefined) return [month];
      const [entry, view] = [byId.get(id), views.get(id)];
      return entry === undefined || view === undefined
        ? []
        : [buildOutage(entry), ...templates.page(view)];
    },
  };
}

function textOf({ body }: Document): string {
  return Buffer.from(body).toString();
}

/** By id, the newest first; those of services that left the catalogue have no name. */
function viewOutages(
  entries: readonly OutageEntry[],
  services: ReadonlyMap<string, Service>,
): ReadonlyMap<string, OutagePageView> {
  const linkTo = (id: string): readonly OutageLink[] => {
    const service = services.get(id.split(".")[0] ?? "");
    if (service === undefined) return [];
    const { slug, name, nameEn } = service;
    return [{ slug, name, ...(nameEn !== undefined && { nameEn }), path: outagePath(id) }];
  };
  return new Map(
    entries.flatMap(({ id, toldAtMs, endedAtMs, isEndUnseen, isReported, ...entry }) =>
      linkTo(id).map((link) => {
        const { about, corrections } = entry;
        const view: OutagePageView = {
          ...link,
          toldAtMs,
          endedAtMs,
          isEndUnseen,
          isReported,
          about,
          corrections,
          together: entry.together.flatMap(linkTo),
          dataKey: outageKey(id),
        };
        return [id, view] as const;
      }),
    ),
  );
}
