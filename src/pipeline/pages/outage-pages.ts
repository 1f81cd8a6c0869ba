import type { Service } from "../../model/service/catalogue.ts";
import { dayPath, LISTED_MS, outagePath } from "../../model/service/outage-ids.ts";
import { hashText } from "../../model/fnv1a.ts";
import { nameOfMonth, type OutageEntry, toUtcMonth } from "../../model/service/accuracy.ts";
import type { State } from "../../model/state.ts";
import { groupBy } from "../../model/lists.ts";
import { listOutages } from "../../open-data/accuracy/report.ts";
import {
  buildOutage,
  buildOutageIndex,
  buildOutagesOf,
  outageKey,
} from "../../open-data/documents/outages.ts";
import { type GroupFamily, NO_GROUPS, signaturesOf } from "../../publish/object-groups.ts";
import { viewMonths } from "./month-summaries.ts";
import type { SiteSources } from "./site-view.ts";
import { outageFeedPath, pageKeys } from "../../site/pages/parts/links.ts";
import { toMoscowDay } from "../../site/words/time.ts";
import type { toTemplates } from "../../site/site-files.ts";
import type { OutageLink, OutagePageView } from "../../site/view.ts";

const INDEX_ID = "index";

interface OutageSources extends Pick<SiteSources, "catalogue" | "truth" | "months" | "nowMs"> {
  readonly state: Pick<State, "publication" | "accuracy">;
}

/** The keys of a group: an outage, a month, a day in Moscow, or the list with its feed. */
export function outageKeys(id: string): readonly string[] {
  if (MONTH.test(id)) return [outageKey(id)];
  const path = id === INDEX_ID ? "/outages" : DAY.test(id) ? dayPath(id) : outagePath(id);
  return [outageKey(id), ...pageKeys(path), ...(id === INDEX_ID ? [outageFeedPath.slice(1)] : [])];
}

const MONTH = /^\d{4}-\d\d$/u;
const DAY = /^\d{4}-\d\d-\d\d$/u;

/**
 * A group for each outage, for each month (UTC) and day (in Moscow) that is over, and for the list. The page of an outage that is over
 * is written again only for a correction, or at another address: so its signature says no more, which keeps the state small. What can no
 * longer be drawn stays as it is: addresses are permanent. The first publish has none, so that the API comes first.
 */
export function planOutages(
  { state, catalogue, truth, months: { ofAll }, nowMs }: OutageSources,
  address: string,
  templates: ReturnType<typeof toTemplates>,
): GroupFamily {
  const { publication, accuracy } = state;
  if (publication.objects.size === 0) return NO_GROUPS;
  const entries = listOutages(accuracy, truth);
  const viewOf = createViewer(catalogue.services);
  const categories = new Map(catalogue.services.map(({ slug, category }) => [slug, category]));
  const categoryOf = (slug: string) => categories.get(slug);
  const knownSignatures = new Map([...signaturesOf("outage", publication.groups)].filter(isKnown));
  const drawn = entries.filter(({ slug }) => categories.has(slug));
  const signatureOf = new Map(drawn.map((entry) => [entry.id, signEntry(entry, address, viewOf)]));
  const periods = new Map(
    [(atMs: number) => nameOfMonth(toUtcMonth(atMs)), toMoscowDay].flatMap((nameOf) =>
      endedPeriods(entries, nowMs, nameOf),
    ),
  );
  const outages = entries.filter(({ toldAtMs }) => toldAtMs > nowMs - LISTED_MS).flatMap(viewOf);
  const index = buildOutageIndex(entries, categoryOf);
  const days = [...periods.keys()];
  const months = viewMonths(ofAll, nowMs);
  const list = { outages, categories: catalogue.categories, days: new Set(days), months };
  return {
    ...NO_GROUPS,
    signatures: new Map([
      ...knownSignatures,
      ...signatureOf,
      ...[...periods].flatMap(([period, told]) => {
        const isWhole = told.length >= countSigned(knownSignatures.get(period));
        return isWhole ? [[period, signPeriod(told, address)] as const] : [];
      }),
      [INDEX_ID, sign([templates.design, { ...list, days }, Buffer.from(index.body).toString()])],
    ]),
    keysOf: outageKeys,
    build: async (id) => {
      if (id === INDEX_ID) return [index, ...templates.list(list)];
      const told = periods.get(id);
      if (told !== undefined) {
        const pages = DAY.test(id) ? templates.day(id, told.flatMap(viewOf)) : [];
        return [buildOutagesOf(id, told, categoryOf), ...pages];
      }
      const entry = drawn.find((one) => one.id === id);
      if (entry === undefined) return [];
      return [buildOutage(entry, categoryOf), ...viewOf(entry).flatMap(templates.page)];
    },
  };
}

function isKnown(group: readonly [string, string | null]): group is readonly [string, string] {
  return group[1] !== null;
}

/** Address and number of outages; and those that last or were corrected, because only these change the objects once more. */
function signPeriod(told: readonly OutageEntry[], address: string): string {
  const unsettled = told.filter(({ endedAtMs, corrections }) => {
    return endedAtMs === null || corrections.length > 0;
  });
  const those = unsettled.map(({ id, corrections }) => [id, corrections]);
  return `${hashText(address)}|${told.length}|${those.length === 0 ? "" : sign(those)}`;
}

/** How many outages a period had when it was signed. If the record has forgotten some since, its objects stay as they are. */
function countSigned(signature: string | undefined): number {
  return Number(signature?.split("|")[1] ?? 0);
}

function signEntry(
  entry: OutageEntry,
  address: string,
  viewOf: (entry: OutageEntry) => readonly OutagePageView[],
): string {
  const correction = entry.corrections.length === 0 ? "" : sign(entry.corrections);
  const settled = `${hashText(address)}|${correction}`;
  return entry.endedAtMs === null ? `${settled}|${viewOf(entry).map(sign).join("")}` : settled;
}

function sign(value: unknown): string {
  return hashText(JSON.stringify(value));
}

/** The outages of each month or day before that of now, by its name: `YYYY-MM` or `YYYY-MM-DD`. */
function endedPeriods(entries: readonly OutageEntry[], nowMs: number, nameOf: typeof toMoscowDay) {
  const byName = groupBy(entries, ({ toldAtMs }) => nameOf(toldAtMs));
  return [...byName].filter(([name]) => name < nameOf(nowMs));
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
      category: bySlug.get(link.slug)?.category ?? "",
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
