import { reportAccuracy } from "../../src/open-data/accuracy/report.ts";
import type { PastOutages } from "../../src/model/service/accuracy.ts";
import { TRUTH, TWO_MONTHS } from "../open-data/accuracy/sample-ledger.ts";
import type { Annotation, AnnotationKind, Category } from "../../src/model/service/catalogue.ts";
import type { Outage } from "../../src/model/service/history.ts";
import { FAILURES, type FailureCode } from "../../src/model/failures.ts";
import {
  NO_OPERATOR_SUMS,
  NO_REPORTS,
  type OperatorSums,
} from "../../src/model/service/reports.ts";
import { HOUR_MS, MINUTE_MS } from "../../src/model/time.ts";
import { gradeUptime, gradeUptimes } from "../../src/model/monitor/pictures.ts";
import {
  COLOR_OF,
  type CodeAndColor,
  VERDICT_CODES,
  type VerdictCode,
} from "../../src/contract/codes/verdict.ts";
import type { Language } from "../../src/contract/codes/language.ts";
import type { FrameProps } from "../../src/site/pages/parts/head.tsx";
import { ARCHIVE } from "./archive-fixture.ts";
import { placesOf } from "./places-fixture.ts";
import type {
  ChangeView,
  EndpointStatus,
  EndpointView,
  ScopeView,
  ServiceView,
  SiteAddress,
  SiteView,
  StripCell,
} from "../../src/site/view.ts";

/** Views with each verdict and each endpoint status. */

export const NOW_MS: number = Date.UTC(2026, 10, 21, 9, 5);
export const ADDRESS = {
  origin: "https://status.example.ru",
  root: "",
  year: 2026,
  reportUrl: "",
  isSelfService: false,
  people: {},
  pushKey: null,
} as const;
const [css, script, ownerScript] = ["c0ffee00", "deadbeef", "0ddba115"] as const;
export const ASSETS = { css, script, ownerScript, followScript: "f0110e00" } as const;

/** What pages in a language have besides their content. */
export function frameOf(language: Language, address: SiteAddress = ADDRESS): FrameProps {
  return { address, language, assets: ASSETS };
}

export const CODES: readonly VerdictCode[] = VERDICT_CODES;

export const CATEGORIES: readonly Category[] = [
  { id: "banks", name: "Банки и платежи" },
  { id: "ai", name: "ИИ и нейросети" },
  { id: "shopping", name: "Покупки и доставка" },
  { id: "search", name: "Поиск, почта и облака" },
  { id: "games", name: "Игры" },
  { id: "telecom", name: "Связь и интернет-провайдеры" },
  { id: "messaging", name: "Мессенджеры и звонки" },
  { id: "social", name: "Соцсети" },
  { id: "video", name: "Видео и музыка" },
  { id: "gov", name: "Госуслуги и государство" },
];
const BANKS: Category = { id: "banks", name: "Банки и платежи" };

export const HOSTILE_NAME = `"><script>alert(1)</script><img src=x onerror='alert(2)'> & \u202Etxt`;
export const LONG_NAME =
  "Единый портал государственных и муниципальных услуг с очень длинным названием, которое едва помещается в три строки текста";

/** An outage that began and ended so many minutes ago; null: it lasts. */
export function outageOf(
  beganAgo: number,
  endedAgo: number | null,
  code: FailureCode | null,
  [failing, counted]: readonly [number, number],
): Outage {
  return {
    sinceMs: NOW_MS - beganAgo * MINUTE_MS,
    isSinceExact: true,
    endedAtMs: endedAgo === null ? null : NOW_MS - endedAgo * MINUTE_MS,
    code,
    failing,
    counted,
  };
}

/** A strip that ends with `count` cells of `tail`, after cells of `cell`. */
export function stripOf(
  length: number,
  tail: StripCell,
  count: number,
  cell: StripCell = "up",
): readonly StripCell[] {
  return Array.from({ length }, (_, index) => (index >= length - count ? tail : cell));
}

export const RESPONSE: readonly number[] = Array.from(
  { length: 24 },
  (_, hour) => 220 + ((hour * 37) % 11) * 14,
);
export const NO_RESPONSE: readonly null[] = RESPONSE.map(() => null);
const QUIET_HOURS = RESPONSE.map((_, hour) => (hour % 7 === 3 ? 1 : 0));
const LOUD_HOURS = RESPONSE.map((_, hour) => (hour < 19 ? hour % 3 : 40 + hour * 9));

export const failedAt = (code: FailureCode, httpStatus?: number): EndpointStatus => ({
  kind: "failed",
  stage: FAILURES[code].stage,
  code,
  ...(httpStatus === undefined ? {} : { httpStatus }),
});
export const OK_STATUS: EndpointStatus = { kind: "ok", isFlaky: false, isUnverified: false };

/** The Russian names of the endpoints of this website. */
const RUSSIAN = new Map([
  ["main site", "основной сайт"],
  ["internet bank", "интернет-банк"],
  ["payment API gateway", "шлюз платёжного API"],
  ["store", "магазин"],
  ["portal", "портал"],
  ["sign-in", "вход"],
  ["web mail", "почта в браузере"],
  ["calendar sync", "синхронизация календаря"],
  ["web chat", "чат в браузере"],
]);

export function endpointOf(
  host: string,
  what: string,
  status: EndpointStatus = OK_STATUS,
  isCritical = true,
): EndpointView {
  const whatRu = RUSSIAN.get(what);
  const names = whatRu === undefined ? { what } : { what, whatRu };
  // One that fails has failed for an hour.
  const halfHours = stripOf(48, status.kind === "failed" ? "failing" : "up", 2);
  return { url: `https://${host}/`, ...names, isCritical, status, halfHours };
}

export function annotationOf(kind: AnnotationKind): Annotation {
  return {
    kind,
    since: "2025-06-09",
    reason: "Providers cut the traffic of this service after about 16 KB.",
    reasonRu: "Провайдеры обрывают трафик сервиса примерно после 16 КБ.",
    ...(kind === "partial_ru"
      ? {}
      : { source: { url: "https://example.org/news?id=1&x=2", title: "Новости, 9 июня 2025" } }),
  };
}

/** The code with its colour. */
export function pairOf(code: VerdictCode): CodeAndColor {
  // CodeAndColor is derived from COLOR_OF, but the compiler does not narrow a union through a lookup.
  return { code, color: COLOR_OF[code] } as CodeAndColor;
}

const ALWAYS_UP: ServiceView["uptimes"] = gradeUptimes({
  "24h": { decided: 288, healthy: 288 },
  "7d": { decided: 2_016, healthy: 2_016 },
  "30d": { decided: 8_640, healthy: 8_640 },
  "90d": { decided: 25_920, healthy: 25_920 },
});

export const NO_SCOPE: ScopeView = { scope: "none", isClaimed: false, places: [] };

/** How long the outages of a service have lasted. */
const PAST: PastOutages = {
  of: "service",
  days: 90,
  count: 9,
  medianMs: 35 * MINUTE_MS,
  longestMs: 200 * MINUTE_MS,
};

const USUAL = { percent: 18, of: "service" } as const;

/** One operator makes a surge alone. */
const OF_ONE_OPERATOR: OperatorSums = {
  operators: [
    { operator: "mts", hour: 62, day: 88, percent: 70, usual: USUAL, isUnusual: true },
    { operator: "rostelecom", hour: 6, day: 21, percent: 7, usual: USUAL, isUnusual: false },
    { operator: "t2", hour: null, day: 7, percent: 4, usual: undefined, isUnusual: false },
  ],
  unusual: { shares: [{ operator: "mts", percent: 70, usual: 18 }], isAlone: true },
};

/** An otherwise ordinary service with a verdict. */
export function serviceOf(code: VerdictCode, changes: Partial<ServiceView> = {}): ServiceView {
  return {
    slug: code.replaceAll("_", "-"),
    name: `Сервис ${code}`,
    aliases: [],
    category: BANKS,
    verdict: { ...pairOf(code), live: false, sinceMs: NOW_MS - 50 * HOUR_MS },
    reports: NO_REPORTS,
    unknown: null,
    staleCheckMs: null,
    endpoints: [
      endpointOf("www.example.ru", "main site", OK_STATUS, false),
      endpointOf("online.example.ru", "internet bank"),
    ],
    scope: NO_SCOPE,
    annotations: [],
    reportHours: RESPONSE.map(() => 0),
    usualReports: [],
    operators: NO_OPERATOR_SUMS,
    symptoms: [],
    halfHours: stripOf(48, "up", 0),
    days: stripOf(90, "up", 0),
    uptimes: ALWAYS_UP,
    outages: [],
    months: [],
    past: null,
    pastWhenTold: null,
    responseMs: RESPONSE,
    ...changes,
  };
}

const live = (code: VerdictCode, minutesAgo: number): ServiceView["verdict"] => ({
  ...pairOf(code),
  live: true,
  sinceMs: NOW_MS - minutesAgo * MINUTE_MS,
});
const category = (id: string): Category => CATEGORIES.find((each) => each.id === id) ?? BANKS;

/** A service for each verdict code, with typical data; a new code has a plain one. */
const BY_CODE: Readonly<Partial<Record<VerdictCode, ServiceView>>> = {
  ok: serviceOf("ok", {
    name: "Сбербанк Онлайн",
    reports: { hour: 1, day: 4, isSurging: false },
    reportHours: QUIET_HOURS,
    days: stripOf(90, "up", 60, null).map((cell, day) => (day === 70 ? "failing" : cell)),
    outages: [outageOf(20 * 24 * 60, 20 * 24 * 60 - 90, "tcp-timeout", [2, 2])],
    past: PAST,
  }),
  fail: serviceOf("fail", {
    name: "ВТБ Онлайн",
    verdict: live("fail", 95),
    months: [
      { month: "2026-11", uptime: "99.71%", outages: 3 },
      { month: "2026-10", uptime: null, outages: 0 },
      { month: "2026-09", uptime: "100%", outages: 0 },
    ],
    past: PAST,
    pastWhenTold: PAST,
    scope: { scope: "everywhere", isClaimed: false, places: placesOf("fails") },
    reports: { hour: 240, day: 1_213, isSurging: true },
    reportHours: LOUD_HOURS,
    usualReports: RESPONSE.map((_, hour) => 3 + Math.round(4 * Math.sin(hour / 4) ** 2)),
    symptoms: [
      ["does-not-open", 612],
      ["login", 301],
      ["app", 88],
      ["slow", 40],
    ],
    endpoints: [
      endpointOf("www.vtb.ru", "main site", failedAt("tcp-timeout"), false),
      endpointOf("online.vtb.ru", "internet bank", failedAt("tls-reset")),
      endpointOf("gw.api.vtb.ru", "payment API gateway", { kind: "skipped" }, false),
    ],
    halfHours: stripOf(48, "failing", 4).map((cell, place) => (place === 19 ? "failing" : cell)),
    days: stripOf(90, "failing", 1).map((cell, place) => (place === 80 ? "minor" : cell)),
    uptimes: {
      ...ALWAYS_UP,
      "24h": gradeUptime({ decided: 288, healthy: 266 }),
      "7d": gradeUptime({ decided: 2_016, healthy: 1_991 }),
    },
    outages: [
      outageOf(95, null, "tls-reset", [2, 3]),
      outageOf(14 * 60 + 5, 14 * 60 - 10, "http-server-error", [1, 3]),
      outageOf(9 * 24 * 60, 9 * 24 * 60 - 25, "tcp-timeout", [3, 3]),
    ],
    responseMs: RESPONSE.map((ms, hour) => (hour > 21 ? null : ms)),
  }),
  fail_long: serviceOf("fail_long", {
    name: "Steam",
    category: category("games"),
    scope: { scope: "network", isClaimed: false, places: placesOf("opens", "opens", "opens") },
    verdict: { ...pairOf("fail_long"), live: false, sinceMs: NOW_MS - 30 * 24 * HOUR_MS },
    endpoints: [endpointOf("store.steampowered.com", "store", failedAt("dns-nxdomain"))],
    halfHours: stripOf(48, "failing", 48),
    days: stripOf(90, "failing", 30),
    responseMs: NO_RESPONSE,
  }),
  err: serviceOf("err", {
    name: "Госуслуги",
    category: category("gov"),
    scope: { scope: "mixed", isClaimed: false, places: placesOf("fails", "opens") },
    verdict: live("err", 20),
    pastWhenTold: { ...PAST, of: "category", days: 21, count: 34, medianMs: 21 * MINUTE_MS },
    reports: { hour: 31, day: 44, isSurging: false },
    reportHours: QUIET_HOURS.map((count, hour) => (hour === 23 ? 31 : count)),
    endpoints: [
      endpointOf("www.gosuslugi.ru", "portal", failedAt("http-server-error", 503)),
      endpointOf("esia.gosuslugi.ru", "sign-in", failedAt("http-server-error", 502), false),
    ],
    halfHours: stripOf(48, "server-error", 1),
    days: stripOf(90, "server-error", 1),
  }),
  restricted_fail: serviceOf("restricted_fail", {
    name: "Instagram",
    category: category("social"),
    scope: { scope: "russia", isClaimed: true, places: placesOf("opens") },
    annotations: [annotationOf("restricted")],
    endpoints: [endpointOf("www.instagram.com", "main site", failedAt("body-stall"))],
    halfHours: stripOf(48, "failing", 48),
    days: stripOf(90, "failing", 90),
    responseMs: NO_RESPONSE,
  }),
  restricted: serviceOf("restricted", {
    name: "WhatsApp",
    category: category("messaging"),
    annotations: [annotationOf("restricted")],
  }),
  slow: serviceOf("slow", {
    name: "Rutube",
    category: category("video"),
    halfHours: stripOf(48, "slow", 9),
    days: stripOf(90, "slow", 2),
    responseMs: RESPONSE.map((ms, hour) => (hour > 18 ? ms * 9 : ms)),
  }),
  partial: serviceOf("partial", {
    name: "Яндекс Почта",
    category: category("search"),
    verdict: live("partial", 130),
    endpoints: [
      endpointOf("mail.yandex.ru", "web mail", { kind: "ok", isFlaky: true, isUnverified: false }),
      endpointOf("caldav.yandex.ru", "calendar sync", failedAt("http-unexpected-status", 404)),
      endpointOf("id.yandex.ru", "sign-in", { kind: "ok", isFlaky: false, isUnverified: true }),
    ],
    halfHours: stripOf(48, "partial", 5),
    days: stripOf(90, "partial", 1),
  }),
  spike: serviceOf("spike", {
    name: "МТС",
    category: category("telecom"),
    verdict: { ...live("spike", 0), sinceMs: NOW_MS - 400 * HOUR_MS },
    reports: { hour: 88, day: 160, isSurging: true },
    reportHours: LOUD_HOURS,
    operators: OF_ONE_OPERATOR,
  }),
  slowed_ru: serviceOf("slowed_ru", {
    name: "Telegram",
    category: category("messaging"),
    annotations: [annotationOf("slowed_ru")],
  }),
  partial_ru: serviceOf("partial_ru", {
    name: "Character.AI",
    category: category("ai"),
    annotations: [annotationOf("partial_ru")],
  }),
  provider: serviceOf("provider", {
    name: "ChatGPT",
    category: category("ai"),
    annotations: [annotationOf("provider")],
    endpoints: [endpointOf("chatgpt.com", "web chat", { kind: "denied" })],
    halfHours: stripOf(48, "provider-denied", 48),
    days: stripOf(90, "provider-denied", 90),
  }),
  none: serviceOf("none", {
    name: "Wildberries",
    category: category("shopping"),
    staleCheckMs: NOW_MS - 3 * HOUR_MS,
    halfHours: stripOf(48, null, 6),
    days: stripOf(90, "up", 90),
    responseMs: RESPONSE.map((ms, hour) => (hour > 20 ? null : ms)),
  }),
};

/** Edge cases: never checked, surging without checks, block page, hostile name, very long name. */
export const ODD_SERVICES: readonly ServiceView[] = [
  serviceOf("none", {
    slug: "never-checked",
    name: "Новый сервис",
    category: category("shopping"),
    verdict: { ...pairOf("none"), live: false, sinceMs: null },
    endpoints: [endpointOf("new.example.ru", "main site", { kind: "unknown" })],
    halfHours: stripOf(48, null, 48),
    days: stripOf(90, null, 90),
    responseMs: NO_RESPONSE,
  }),
  serviceOf("spike", {
    slug: "stale-spike",
    name: "Билайн",
    category: category("telecom"),
    verdict: live("spike", 300),
    reports: { hour: 12, day: 15, isSurging: true },
    staleCheckMs: NOW_MS - HOUR_MS,
    halfHours: stripOf(48, null, 2),
    reportHours: QUIET_HOURS.map((count, hour) => (hour === 23 ? 12 : count)),
  }),
  serviceOf("restricted_fail", {
    slug: "stub-page",
    name: "Сайт за заглушкой",
    category: category("video"),
    verdict: live("restricted_fail", 200),
    endpoints: [endpointOf("video.example.org", "main site", failedAt("http-block-page", 200))],
    halfHours: stripOf(48, "failing", 7),
  }),
  serviceOf("ok", { slug: "hostile", name: HOSTILE_NAME, category: category("games") }),
  serviceOf("ok", { slug: "long-name", name: LONG_NAME, category: category("gov") }),
];

const codeServices = CODES.map((code) => BY_CODE[code] ?? serviceOf(code));

const CHANGES: readonly ChangeView[] = codeServices.slice(0, 9).map((service, index) => ({
  slug: service.slug,
  name: service.name,
  atMs: NOW_MS - (index * 47 + 20) * MINUTE_MS,
  code: service.verdict.code,
  before: service.verdict.code === "ok" ? "err" : "ok",
  ...(service.pastWhenTold !== null && { past: service.pastWhenTold }),
}));

/** A website with every verdict at once. */
export const SITE_FIXTURE: SiteView = {
  address: ADDRESS,
  categories: CATEGORIES,
  services: [...codeServices, ...ODD_SERVICES],
  changes: CHANGES,
  outagePaths: ["/status/fail/outages/202611210730"],
  archive: ARCHIVE,
  connectivityIssue: "half",
  whiteLists: [],
  slowNetworks: [],
  failingOperators: [],
  accuracy: reportAccuracy(TWO_MONTHS, TRUTH),
};
