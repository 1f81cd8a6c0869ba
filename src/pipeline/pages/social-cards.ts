import type { BadgePicture } from "../../images/badge/badge-renderer.ts";
import { signatureOfBadge } from "../../images/badge/content.ts";
import { toDocument } from "../../model/service/snapshot.ts";
import type { BadgeContent } from "../../model/monitor/monitor.ts";
import { type CardContent, type DrawCard, signatureOfCard } from "../../model/monitor/pictures.ts";
import { DAY_MS } from "../../model/time.ts";
import { indexOutages } from "../../model/service/outage-ids.ts";
import { type MonitorOutput, viewMonitor } from "./monitor-outputs.ts";
import { type GroupFamily, NO_GROUPS, signaturesOf } from "../../publish/object-groups.ts";
import type { SiteSources } from "./site-view.ts";
import {
  cardKey,
  cardOfList,
  cardOfMonitor,
  cardOfService,
  LIST_CARD,
  listCardId,
  presentCardOf,
  cardOfOutage,
  OVERALL_BADGE_ID,
  overallBadgeOf,
  pictureKeys,
  readServiceCardId,
  serviceBadgeId,
  serviceBadgeOf,
  serviceCardId,
} from "../../site/pictures.ts";
import {
  OVERALL_SITUATIONS,
  type OverallSituation,
  overallSituation,
} from "../../site/situation.ts";
import type { SiteAddress } from "../../site/view.ts";
import type { Language } from "../../contract/codes/language.ts";

/** The pictures of monitors. */
export function toCardOutput(address: SiteAddress, drawCard: DrawCard): MonitorOutput {
  return {
    keysOf: (id) => [cardKey(`m/${id}`)],
    signatureOf: (subject) => signatureOfCard(cardOfMonitor(address, viewMonitor(subject))),
    build: async (subject) => {
      const view = viewMonitor(subject);
      const card = await drawCard(cardOfMonitor(address, view));
      return [toDocument(cardKey(`m/${view.id}`), card)];
    },
  };
}

export interface SitePictures {
  readonly drawCard: DrawCard;
  /** The SVG of a badge, and the same for shields.io. */
  readonly drawBadge: (content: BadgeContent) => Promise<Pick<BadgePicture, "svg" | "json">>;
  /** Of the badges. */
  readonly language: Language;
}

const DRAWN_AHEAD: OverallSituation = "outage";

/** How long a picture with a start stays after its outage, for links that were shared during it. */
const PAST_PICTURES_MS = DAY_MS;

/**
 * Plans the pictures of services and of the list: a badge and a card for each. A card that says since when has a name of its own,
 * because messengers keep what they fetched, and stays for a day, that of an outage as long as the list has it; one without a start stays, so that a verdict that returns finds it.
 * The card of the list for outages is drawn in advance, because links are shared in the first minutes. The first publish draws
 * none, so that documents come first.
 */
export function planPictures(
  address: SiteAddress,
  sources: SiteSources,
  { drawCard, drawBadge, language }: SitePictures,
): GroupFamily {
  const { publication } = sources.state;
  if (publication.objects.size === 0) return NO_GROUPS;
  const known = new Map(signaturesOf("service", publication.groups));
  const cards = new Map([
    ...cardsOfServices(address, sources, known),
    ...cardsOfList(address, sources, known),
  ]);
  const badges = badgesOf(sources, language);
  const slugs = sources.snapshot.services.map(({ slug }) => slug);
  const owners = new Set([OVERALL_BADGE_ID, LIST_CARD, ...slugs, ...slugs.map(serviceBadgeId)]);
  return {
    ...NO_GROUPS,
    signatures: new Map([
      ...[...badges].map(([id, badge]) => [id, `${signatureOfBadge(badge)}|json`] as const),
      ...[...cards].map(([id, card]) => [id, signatureOfCard(card)] as const),
    ]),
    // Cards come and go with the verdicts of a service that is in the catalogue.
    isDeliberate: (id) => owners.has(id.split(".", 1)[0] ?? ""),
    keysOf: pictureKeys,
    build: async (id) => {
      const badge = badges.get(id);
      if (badge !== undefined) {
        const { svg, json } = await drawBadge(badge);
        return [toDocument(`${id}.svg`, svg), toDocument(`${id}.json`, json)];
      }
      const card = cards.get(id);
      return card === undefined ? [] : [toDocument(cardKey(id), await drawCard(card))];
    },
  };
}

type Cards = ReadonlyMap<string, CardContent>;

/** @param known the pictures that exist, with their signatures. */
function cardsOfServices(
  address: SiteAddress,
  { snapshot, state, nowMs }: SiteSources,
  known: ReadonlyMap<string, string | null>,
): Cards {
  const names = new Map(snapshot.services.map(({ slug, name }) => [slug, name]));
  const fromMs = snapshot.updatedAtMs - PAST_PICTURES_MS;
  const existing = [...known.keys()]
    .map(readServiceCardId)
    .filter((card) => card !== undefined && (card.sinceMs ?? fromMs) >= fromMs);
  const present = snapshot.services.map(({ slug, verdict }) => presentCardOf(slug, verdict));
  const told = indexOutages(state.accuracy)
    .newest(nowMs)
    .flatMap((outage) => cardOfOutage(outage) ?? []);
  return new Map(
    [...existing, ...told, ...present].flatMap((card) => {
      const name = names.get(card?.slug ?? "");
      if (card === undefined || name === undefined) return [];
      return [[serviceCardId(card), cardOfService(address, name, card)] as const];
    }),
  );
}

/** The present one, those that exist, and once the present one is drawn, that for outages. */
function cardsOfList(
  address: SiteAddress,
  { snapshot }: SiteSources,
  known: ReadonlyMap<string, string | null>,
): Cards {
  const situation = overallSituation(snapshot.services);
  const cardOf = (each: OverallSituation) => cardOfList(address, each);
  const isDrawn = known.get(listCardId(situation)) === signatureOfCard(cardOf(situation));
  const wanted = OVERALL_SITUATIONS.filter(
    (each) =>
      each === situation || known.has(listCardId(each)) || (isDrawn && each === DRAWN_AHEAD),
  );
  return new Map(wanted.map((each) => [listCardId(each), cardOf(each)]));
}

function badgesOf(
  { catalogue, snapshot }: SiteSources,
  language: Language,
): ReadonlyMap<string, BadgeContent> {
  const named = new Map(catalogue.services.map((service) => [service.slug, service]));
  return new Map([
    [OVERALL_BADGE_ID, overallBadgeOf(snapshot.services, language)],
    ...snapshot.services.map(({ slug, name, verdict }) => {
      const badge = serviceBadgeOf(named.get(slug) ?? { name }, verdict, language);
      return [serviceBadgeId(slug), badge] as const;
    }),
  ]);
}
