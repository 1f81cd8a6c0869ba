import {
  type ByLanguage,
  inLanguages,
  type Language,
  type Words,
} from "../../contract/codes/language.ts";
import type { Scope } from "../../model/service/interference.ts";
import type { VantageKind } from "../../model/service/vantage.ts";
import type { ConnectivityIssue, PlaceStatus } from "../view.ts";

/** The name of a country; its two letters if it has none. */
export function nameCountry(country: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country;
}

/** Marks in the list: scopes that a visitor can use. */
export const SCOPE_MARKS: Words<Exclude<Scope, "none" | "path" | "mixed" | "unknown">> =
  inLanguages({
    russia: ["за границей открывается", "opens abroad"],
    access: ["в дата-центрах открывается", "opens in data centres"],
    client: ["программам отвечает", "answers programs"],
    everywhere: ["и за границей не открывается", "does not open abroad either"],
    network: ["не во всех сетях", "not on all networks"],
  });

/** Texts of the table of places. */
export const PLACES_WORDS = inLanguages({
  title: ["Где открывается", "Where it opens"],
  hint: [
    "Главные адреса сервиса проверяют и из других мест. Ответы оттуда подписаны и не старше десяти минут; если их нет, так и написано.",
    "Other places check the main addresses of the service as well. Their answers are signed and at most ten minutes old; where there is none, it says so.",
  ],
  place: ["Откуда", "From"],
  result: ["Что там", "Result"],
  moscow: ["Москва", "Moscow"],
  runner: ["наш узел", "our probe"],
  since: ["последний ответ", "last answer"],
  uncalibrated: ["за границей этот сервис обычно закрыт", "abroad this service is usually closed"],
});

export const PLACE_STATUS_WORDS: Words<PlaceStatus> = inLanguages({
  opens: ["открывается", "opens"],
  fails: ["не открывается", "does not open"],
  "no-browsers": ["программам отвечает, браузерам нет", "answers programs, not browsers"],
  denied: ["сервис отказывает этой стране", "the service refuses this country"],
  unknown: ["не проверено", "not checked"],
  silent: ["нет свежих данных", "no recent data"],
  "white-list": [
    "сеть пропускает только разрешённые сайты",
    "this network lets only listed sites through",
  ],
});

export const KIND_WORDS: Words<VantageKind> = {
  ru: { control: "", moscow: "Москва", region: "регион", mobile: "мобильная сеть" },
  en: { control: "", moscow: "Moscow", region: "region", mobile: "mobile network" },
};

/** The banner about mobile networks with a white list. */
export const WHITE_LIST_WORDS: ByLanguage<(networks: string) => string> = {
  ru: (networks) =>
    `Мобильный интернет ограничен: открываются только сайты из «белого списка» (${networks}). Проверки оттуда сейчас ничего не говорят о сервисах.`,
  en: (networks) =>
    `Mobile internet is restricted: only sites on a white list open (${networks}). Checks from there say nothing about the services now.`,
};

/** Problems of the runner's own network, for visitors. There is none for `offline`: the verdicts then become "no recent data". */
export const CONNECTIVITY_WORDS: Words<ConnectivityIssue> = inLanguages({
  half: [
    "При последней проверке часть российских сетей была недоступна с нашего узла: новые сбои проверяем дольше, и о части сервисов может не быть данных.",
    "At the last check some Russian networks could not be reached from our probe: new outages take longer to confirm, and some services may have no data.",
  ],
  "abroad-cut": [
    "При последней проверке связь нашего узла с зарубежными сетями была нарушена: сбои зарубежных сервисов проверяем дольше, и о части из них может не быть данных.",
    "At the last check our own connection abroad was disrupted: outages of foreign services take longer to confirm, and some of them may have no data.",
  ],
  lossy: [
    "При последней проверке связь нашего узла была неустойчива, поэтому новые сбои проверяем дольше.",
    "At the last check our own connection was unstable, so new outages take longer to confirm.",
  ],
});

/** Services that are slow together, told once. */
export const SLOW_NETWORK_WORDS: ByLanguage<
  (network: string, services: readonly string[]) => string
> = {
  ru: (network, services) =>
    `Медленно отвечает целая сеть, ${network}: ${services.join(", ")}. Причина, скорее всего, общая: сама сеть или путь к ней.`,
  en: (network, services) =>
    `A whole network answers slowly, ${network}: ${services.join(", ")}. They most likely share one cause: the network itself, or the way to it.`,
};
