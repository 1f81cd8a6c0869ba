import { signatureOfBadge } from "../images/badge/content.ts";
import { signatureOfCard } from "../images/social-card/signature.ts";
import { CACHE_A_MINUTE } from "../model/cache-policy.ts";
import type { BadgeContent } from "../model/monitor.ts";
import type { Document } from "../model/snapshot.ts";
import type { CardContent, DrawCard } from "../model/social-card.ts";
import { VERDICT_CODES, type VerdictCode } from "../model/verdict.ts";
import type { MonitorOutput } from "./monitor-outputs.ts";
import { viewMonitor } from "./monitor-view.ts";
import { type GroupFamily, groupId, NO_GROUPS } from "../publish/object-groups.ts";
import { SERVICE_CARDS, type SiteSources } from "./site-view.ts";
import {
  cardId,
  cardKey,
  cardOfList,
  cardOfMonitor,
  cardOfService,
  LIST_CARD,
} from "../site/card-content.ts";
import { OVERALL_SITUATIONS, type OverallSituation, overallSituation } from "../site/situation.ts";
import {
  OVERALL_BADGE_ID,
  OVERALL_BADGE_KEY,
  overallBadgeOf,
  pictureKey,
} from "../site/overall-badge.ts";
import type { SiteAddress } from "../site/view.ts";
import type { Language } from "../site/words/language.ts";

/** The pictures of monitors. */
export function toCardOutput(address: SiteAddress, drawCard: DrawCard): MonitorOutput {
  return {
    keysOf: (id) => [cardKey(`m/${id}`)],
    signatureOf: (subject) => signatureOfCard(cardOfMonitor(address, viewMonitor(subject))),
    build: async (subject) => {
      const view = viewMonitor(subject);
      return [await toCard(cardKey(`m/${view.id}`), cardOfMonitor(address, view), drawCard)];
    },
  };
}

/** What draws the pictures of the website. */
export interface SitePictures {
  readonly drawCard: DrawCard;
  /** The SVG of a badge. */
  readonly drawBadge: (content: BadgeContent) => Promise<Uint8Array>;
  /** Of the badges. */
  readonly language: Language;
}

/** Drawn in advance, because links to a failing service are shared in its first minutes. */
const DRAWN_AHEAD: VerdictCode = "fail";

/**
 * Plans the badge of all services, and a picture for each service and verdict code. Each has a key of its own, because messengers cache what they fetched, and a
 * verdict that returns finds its picture there. Planned are the current code, those drawn before, and `DRAWN_AHEAD` once the
 * current one is drawn. The list has one for each situation that it was in, and for outages. The first publish draws none, so that documents come
 * first.
 */
export function planPictures(
  address: SiteAddress,
  { state, snapshot }: SiteSources,
  { drawCard, drawBadge, language }: SitePictures,
): GroupFamily {
  const { objects, groups } = state.publication;
  if (objects.size === 0) return NO_GROUPS;
  const looks = new Map<string, CardContent>();
  for (const { slug, name, verdict } of snapshot.services) {
    const groupOf = (code: VerdictCode) => groups.get(groupId(SERVICE_CARDS, cardId(slug, code)));
    const plan = (code: VerdictCode): CardContent => {
      const look = cardOfService(address, name, code);
      looks.set(cardId(slug, code), look);
      return look;
    };
    const current = plan(verdict.code);
    for (const code of VERDICT_CODES) if (groupOf(code) !== undefined) plan(code);
    if (groupOf(verdict.code)?.digest === signatureOfCard(current)) plan(DRAWN_AHEAD);
  }
  const situation = overallSituation(snapshot.services);
  const groupOfList = (each: OverallSituation) =>
    groups.get(groupId(SERVICE_CARDS, cardId(LIST_CARD, each)));
  const ofList = cardOfList(address, situation);
  const isDrawn = groupOfList(situation)?.digest === signatureOfCard(ofList);
  for (const each of OVERALL_SITUATIONS) {
    if (each === situation || groupOfList(each) !== undefined || (isDrawn && each === "outage"))
      looks.set(cardId(LIST_CARD, each), cardOfList(address, each));
  }
  const badge = overallBadgeOf(snapshot.services, language);
  const slugs = new Set([LIST_CARD, ...snapshot.services.map(({ slug }) => slug)]);
  return {
    ...NO_GROUPS,
    signatures: new Map([
      [OVERALL_BADGE_ID, signatureOfBadge(badge)],
      ...[...looks].map(([id, look]) => [id, signatureOfCard(look)] as const),
    ]),
    // An older version had one picture for each service, by its slug alone.
    isDeliberate: (id) => slugs.has(id),
    keysOf: (id) => [pictureKey(id)],
    build: async (id) => {
      if (id === OVERALL_BADGE_ID) return [toBadgeDocument(await drawBadge(badge))];
      const look = looks.get(id);
      return look === undefined ? [] : [await toCard(cardKey(id), look, drawCard)];
    },
  };
}

function toBadgeDocument(body: Uint8Array): Document {
  const contentType = "image/svg+xml; charset=utf-8";
  return { key: OVERALL_BADGE_KEY, contentType, cacheControl: CACHE_A_MINUTE, body };
}

async function toCard(key: string, look: CardContent, drawCard: DrawCard): Promise<Document> {
  const body = await drawCard(look);
  return { key, contentType: "image/png", cacheControl: CACHE_A_MINUTE, body };
}
