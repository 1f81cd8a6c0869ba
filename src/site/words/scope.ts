import type { Scope } from "../../model/interference.ts";
import type { VantageKind } from "../../model/vantage.ts";
import type { PlaceStatus, PlaceView, ScopeView } from "../view.ts";
import type { ByLanguage, Words } from "./by-language.ts";
import type { Language } from "./language.ts";

/** Where a service fails, in one sentence. Countries stand in brackets, so that they need no cases. */
interface Sentences {
  readonly abroad: (works: string) => string;
  /** Follow it: what is claimed, or what is not known. */
  readonly claimed: string;
  readonly doubt: string;
  readonly everywhere: (fails: string) => string;
  readonly network: string;
  readonly path: string;
  readonly mixed: (works: string, fails: string) => string;
}

const SENTENCES: ByLanguage<Sentences> = {
  ru: {
    abroad: (works) => `За границей открывается${works}, из Москвы нет.`,
    claimed: "Похоже на блокировку: тот же сервер отвечает, если назвать ему другое имя.",
    doubt: "Блокировка это или сбой по пути, мы не знаем.",
    everywhere: (fails) =>
      `За границей тоже не открывается${fails}. Похоже на сбой самого сервиса.`,
    network:
      "Из другой сети в Москве открывается. Причина может быть в сети, из которой мы проверяем.",
    path: "За границей открывается, но связь нашего узла с зарубежными сетями сейчас нарушена, поэтому причины мы не знаем.",
    mixed: (works, fails) =>
      `За границей открывается не везде: где-то да${works}, где-то нет${fails}.`,
  },
  en: {
    abroad: (works) => `It opens abroad${works}, but not from Moscow.`,
    claimed: "This looks like blocking: the same server answers under another name.",
    doubt: "Whether it is blocked or the route is broken, we do not know.",
    everywhere: (fails) =>
      `It does not open abroad either${fails}. This looks like a failure of the service itself.`,
    network: "It opens from another network in Moscow. The cause may be the network we check from.",
    path: "It opens abroad, but our own connection abroad is disrupted at the moment, so we do not know the cause.",
    mixed: (works, fails) => `Abroad it opens in some places${works} and not in others${fails}.`,
  },
};

/**
 * Where the service fails, in one sentence; undefined if that is not known, or it does not fail.
 *
 * @param isRestricted it is known to be restricted, so that there is no doubt about blocking
 */
export function describeScope(
  view: ScopeView,
  language: Language,
  isRestricted = false,
): string | undefined {
  const sentences = SENTENCES[language];
  const controls = view.places.filter(({ kind }) => kind === "control");
  const works = countriesOf(controls, "opens", language);
  const fails = countriesOf(controls, "fails", language);
  switch (view.scope) {
    case "russia":
      return [
        sentences.abroad(works),
        ...(view.isClaimed ? [sentences.claimed] : isRestricted ? [] : [sentences.doubt]),
      ].join(" ");
    case "everywhere":
      return sentences.everywhere(fails);
    case "mixed":
      return sentences.mixed(works, fails);
    case "network":
    case "path":
      return sentences[view.scope];
    case "none":
    case "unknown":
      return undefined;
  }
}

function countriesOf(
  places: readonly PlaceView[],
  status: PlaceStatus,
  language: Language,
): string {
  const names = places
    .filter((place) => place.status === status)
    .map(({ country }) => nameCountry(country, language));
  return names.length === 0 ? "" : ` (${[...new Set(names)].join(", ")})`;
}

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
