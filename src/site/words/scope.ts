import type { Scope } from "../../model/service/interference.ts";
import type { VantageKind } from "../../model/service/vantage.ts";
import type { PlaceStatus } from "../view.ts";
import type { ByLanguage, Words } from "./by-language.ts";
import type { Language } from "./language.ts";

/** The name of a country; its two letters if it has none. */
export function nameCountry(country: string, language: Language): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(country) ?? country;
}

/** Marks in the list: scopes that a visitor can use. */
export const SCOPE_MARKS: Words<Extract<Scope, "russia" | "everywhere" | "network">> = {
  ru: {
    russia: "за границей открывается",
    everywhere: "и за границей не открывается",
    network: "не во всех сетях",
  },
  en: {
    russia: "opens abroad",
    everywhere: "does not open abroad either",
    network: "not on all networks",
  },
};

interface PlacesWords {
  readonly title: string;
  readonly hint: string;
  readonly place: string;
  readonly result: string;
  readonly moscow: string;
  readonly runner: string;
  readonly since: string;
  readonly uncalibrated: string;
}

export const PLACES_WORDS: ByLanguage<PlacesWords> = {
  ru: {
    title: "Где открывается",
    hint: "Главные адреса сервиса проверяют и из других мест. Ответы оттуда подписаны и не старше десяти минут; если их нет, так и написано.",
    place: "Откуда",
    result: "Что там",
    moscow: "Москва",
    runner: "наш узел",
    since: "последний ответ",
    uncalibrated: "за границей этот сервис обычно закрыт",
  },
  en: {
    title: "Where it opens",
    hint: "Other places check the main addresses of the service as well. Their answers are signed and at most ten minutes old; where there is none, it says so.",
    place: "From",
    result: "Result",
    moscow: "Moscow",
    runner: "our probe",
    since: "last answer",
    uncalibrated: "abroad this service is usually closed",
  },
};

export const PLACE_STATUS_WORDS: Words<PlaceStatus> = {
  ru: {
    opens: "открывается",
    fails: "не открывается",
    denied: "сервис отказывает этой стране",
    unknown: "не проверено",
    silent: "нет свежих данных",
    "white-list": "сеть пропускает только разрешённые сайты",
  },
  en: {
    opens: "opens",
    fails: "does not open",
    denied: "the service refuses this country",
    unknown: "not checked",
    silent: "no recent data",
    "white-list": "this network lets only listed sites through",
  },
};

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
