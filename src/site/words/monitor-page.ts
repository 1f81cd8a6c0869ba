import type { MonitorWarning } from "../../model/monitor.ts";
import type { MonitorCondition } from "../../model/uptime.ts";
import type { ByLanguage, Words } from "./by-language.ts";

/** Names of the pictures of a badge, the usual one first. Source: docs/monitors/badges.md. */
export const BADGE_FORMS = [
  "badge.svg",
  "badge-24h.svg",
  "badge-7d.svg",
  "badge-90d.svg",
  "badge.png",
] as const;

export interface MonitorWords {
  readonly kind: string;
  readonly uptimeHint: string;
  readonly days: string;
  readonly daysHint: string;
  readonly response: string;
  readonly responseHint: string;
  readonly lastCheck: string;
  readonly badge: string;
  readonly badgeHint: string;
  readonly badgeAlt: string;
  readonly badgeForm: string;
  readonly badgeForms: Readonly<Record<(typeof BADGE_FORMS)[number], string>>;
  readonly copy: string;
  readonly description: string;
  readonly notOurs: string;
  readonly since: string;
  readonly reason: string;
  readonly feed: string;
  /** Title of the feed. */
  readonly feedTitle: (name: string) => string;
  /** Of an entry of the feed about a failure that is over. */
  readonly isOver: string;
  /** The length stands after it. */
  readonly lasted: string;
}

export const MONITOR_WORDS: ByLanguage<MonitorWords> = {
  ru: {
    kind: "Монитор сайта",
    uptimeHint:
      "Доля удачных проверок, округлена вниз: 100% значит, что не было ни одной неудачной.",
    days: "90 дней",
    daysHint:
      "Сбой считается долгим, если неудачных проверок за сутки 5% или больше: это 72 минуты.",
    response: "Время ответа за 24 часа",
    responseHint: "Одна удачная проверка каждого часа.",
    lastCheck: "Проверено",
    badge: "Значок для вашего сайта",
    badgeHint: "Показывает аптайм и обновляется каждые 5 минут.",
    badgeForm: "Вид значка",
    badgeForms: {
      "badge.svg": "30 дней",
      "badge-24h.svg": "24 часа",
      "badge-7d.svg": "7 дней",
      "badge-90d.svg": "90 дней",
      "badge.png": "30 дней, PNG",
    },
    badgeAlt: "Аптайм",
    copy: "Скопировать",
    description: "Проверки из Москвы каждые 5 минут: аптайм, сбои и время ответа.",
    notOurs: "Название и адрес указал владелец монитора.",
    since: "Без изменений с",
    reason: "Причина",
    feed: "Лента сбоев (Atom)",
    feedTitle: (name) => `${name}: сбои`,
    isOver: "Сбой закончился",
    lasted: "Сбой длился",
  },
  en: {
    kind: "Site monitor",
    uptimeHint: "Share of healthy checks, rounded down: 100% means that not one check failed.",
    days: "90 days",
    daysHint: "An outage is long if 5% of the checks of a day failed or more, which is 72 minutes.",
    response: "Response time in the last 24 hours",
    responseHint: "One healthy check of each hour.",
    lastCheck: "Checked",
    badge: "Badge for your site",
    badgeHint: "Shows the uptime and is updated every 5 minutes.",
    badgeForm: "Form of the badge",
    badgeForms: {
      "badge.svg": "30 days",
      "badge-24h.svg": "24 hours",
      "badge-7d.svg": "7 days",
      "badge-90d.svg": "90 days",
      "badge.png": "30 days, PNG",
    },
    badgeAlt: "Uptime",
    copy: "Copy",
    description: "Checks from Moscow every 5 minutes: uptime, outages and response time.",
    notOurs: "The owner of the monitor gave the name and address.",
    since: "Unchanged since",
    reason: "Reason",
    feed: "Feed of outages (Atom)",
    feedTitle: (name) => `${name}: outages`,
    isOver: "The outage is over",
    lasted: "The outage lasted",
  },
};

/** Result of the last check that was not skipped. */
export const CONDITION_WORDS: Words<MonitorCondition> = {
  ru: {
    healthy: "Открывается",
    failing: "Не открывается",
    refused: "Адрес не проверяется",
    unknown: "Ещё не проверялся",
  },
  en: {
    healthy: "Opens",
    failing: "Does not open",
    refused: "The address is not checked",
    unknown: "Not checked yet",
  },
};

/** What the condition means. */
export const CONDITION_HINTS: Words<MonitorCondition> = {
  ru: {
    healthy: "Последняя проверка из Москвы прошла удачно.",
    failing: "Проверка из Москвы не проходит.",
    refused:
      "Адрес ведёт туда, куда проверки не ходят, например во внутреннюю сеть. Простоем это не считается.",
    unknown: "Первые данные появятся после ближайшей проверки: они идут каждые 5 минут.",
  },
  en: {
    healthy: "The last check from Moscow succeeded.",
    failing: "The check from Moscow fails.",
    refused:
      "The address leads to where checks do not go, such as a private network. That is not counted as downtime.",
    unknown: "The first data comes with the next check: there is one every 5 minutes.",
  },
};

/** Warnings for the owner of a healthy monitor, one sentence each. */
export const WARNING_WORDS: Words<MonitorWarning> = {
  ru: {
    "mixed-addresses":
      "Но DNS выдаёт для этого имени и такие адреса, которых не может быть у сайта в интернете: у части посетителей он может не открываться.",
  },
  en: {
    "mixed-addresses":
      "But DNS also gives addresses for its name that no site on the internet can have: it may not open for some visitors.",
  },
};
