import { inLanguages, type Language, type Words } from "../../contract/codes/language.ts";
import type { FailureCode, Stage } from "../../model/failures.ts";
import type { Outage } from "../../model/service/history.ts";
import type { CutBy } from "../../model/service/interference.ts";

/** The stages of a check, in order. Source: docs/probe/measurement.md. */
export const STAGE_WORDS: Words<Stage> = inLanguages({
  dns: ["поиск адреса (DNS)", "finding the address (DNS)"],
  tcp: ["соединение (TCP)", "connecting (TCP)"],
  tls: ["защита соединения (TLS)", "securing the connection (TLS)"],
  http: ["ответ сервера (HTTP)", "the server's answer (HTTP)"],
  body: ["загрузка страницы", "loading the page"],
});

/**
 * Each failure, for readers who do not know the protocols, as the end of a sentence that begins with the endpoint and a colon or
 * a dash. Source: docs/probe/measurement.md, "Failures".
 */
export const FAILURE_WORDS: Words<FailureCode> = {
  ru: {
    "url-refused": "такой адрес мы не проверяем",
    "dns-nxdomain": "DNS отвечает, что такого имени нет",
    "dns-servfail": "DNS не смог найти адрес (SERVFAIL)",
    "dns-refused": "DNS отказался искать адрес (REFUSED)",
    "dns-no-answer": "у имени нет ни одного адреса",
    "dns-timeout": "DNS не ответил вовремя",
    "dns-malformed": "ответ DNS не удалось разобрать",
    "dns-server-unreachable": "сервер DNS недоступен",
    "dns-stub-address": "DNS выдал адрес заглушки провайдера вместо настоящего",
    "dns-special-address": "DNS выдал адрес, которого не может быть у сайта в интернете",
    "tcp-refused": "сервер отказал в соединении",
    "tcp-reset": "сервер отверг соединение",
    "tcp-timeout": "сервер не отвечает на попытку соединиться",
    "tcp-unreachable": "к серверу нет маршрута",
    "tcp-error": "соединиться не удалось",
    "tls-reset": "соединение сброшено при установке защиты (TLS)",
    "tls-closed": "соединение закрыто при установке защиты (TLS)",
    "tls-timeout": "сервер перестал отвечать при установке защищённого соединения (TLS)",
    "tls-alert": "сервер отказался установить защищённое соединение",
    "tls-version": "сервер знает только устаревшие TLS 1.0 и 1.1, браузеры их не принимают",
    "tls-malformed": "вместо защищённого соединения пришли непонятные данные",
    "cert-expired": "сертификат просрочен",
    "cert-not-yet-valid": "сертификат ещё не вступил в силу",
    "cert-wrong-host": "сертификат выдан другому сайту",
    "cert-unknown-issuer": "сертификат выдан неизвестным центром",
    "cert-self-signed": "сертификат самоподписанный",
    "cert-invalid": "сертификат не проходит проверку",
    "http-timeout": "сервер принял запрос, но не ответил вовремя",
    "http-reset": "соединение сброшено до ответа",
    "http-closed": "соединение закрыто до ответа",
    "http-malformed": "ответ сервера не удалось разобрать",
    "http-headers-too-large": "у ответа слишком длинные заголовки",
    "http-informational-flood": "сервер без конца шлёт служебные ответы",
    "http-server-error": "сервер отвечает ошибкой",
    "http-unexpected-status": "сервер отвечает не так, как должен",
    "http-legal-refusal": "пришёл отказ 451 по юридическим причинам",
    "http-block-page": "вместо страницы пришла заглушка провайдера",
    "redirect-loop": "перенаправления идут по кругу",
    "redirect-too-many": "слишком много перенаправлений",
    "redirect-refused": "сервер перенаправляет на адрес, который мы не открываем",
    "redirect-unexpected": "сервер перенаправляет не туда, куда должен",
    "body-stall": "соединение замерло посреди ответа",
    "body-timeout": "страница не загрузилась вовремя",
    "body-reset": "соединение сброшено посреди страницы",
    "body-closed": "соединение закрыто посреди страницы",
    "body-malformed": "страница пришла повреждённой",
    "body-works": "вместо страницы — сообщение о технических работах",
    "body-unexpected": "на странице не то, что должно быть",
  },
  en: {
    "url-refused": "we do not check such an address",
    "dns-nxdomain": "DNS says that there is no such name",
    "dns-servfail": "DNS could not find the address (SERVFAIL)",
    "dns-refused": "DNS refused to look the address up (REFUSED)",
    "dns-no-answer": "the name has no address at all",
    "dns-timeout": "DNS did not answer in time",
    "dns-malformed": "the DNS answer is malformed",
    "dns-server-unreachable": "the DNS server cannot be reached",
    "dns-stub-address": "DNS gave the address of a provider's block page instead of the real one",
    "dns-special-address": "DNS gave an address that no site on the internet can have",
    "tcp-refused": "the server refused the connection",
    "tcp-reset": "the connection was reset while it was being made",
    "tcp-timeout": "the server does not answer attempts to connect",
    "tcp-unreachable": "the network has no route to the server",
    "tcp-error": "connecting failed",
    "tls-reset": "the connection was reset while the secure connection (TLS) was being set up",
    "tls-closed": "the connection was closed while the secure connection (TLS) was being set up",
    "tls-timeout":
      "the server stopped answering while the secure connection (TLS) was being set up",
    "tls-alert": "the server refused to secure the connection",
    "tls-version": "the server knows only the old TLS 1.0 and 1.1, which browsers refuse",
    "tls-malformed": "unintelligible data came instead of a secure connection",
    "cert-expired": "its certificate has expired",
    "cert-not-yet-valid": "its certificate is not valid yet",
    "cert-wrong-host": "its certificate belongs to another site",
    "cert-unknown-issuer": "its certificate comes from an unknown authority",
    "cert-self-signed": "its certificate is self-signed",
    "cert-invalid": "its certificate cannot be verified",
    "http-timeout": "the server accepted the request but did not answer in time",
    "http-reset": "the connection was reset before the answer",
    "http-closed": "the connection was closed before the answer",
    "http-malformed": "the server's answer is malformed",
    "http-headers-too-large": "the headers of the answer are too long",
    "http-informational-flood": "the server keeps sending interim answers",
    "http-server-error": "the server answers with an error",
    "http-unexpected-status": "the server answers with an unexpected status",
    "http-legal-refusal": "the answer was 451, unavailable for legal reasons",
    "http-block-page": "a provider's block page came instead of the page",
    "redirect-loop": "its redirects form a loop",
    "redirect-too-many": "too many redirects",
    "redirect-refused": "it redirects to an address that we do not open",
    "redirect-unexpected": "it redirects to the wrong place",
    "body-stall": "the connection froze in the middle of the answer",
    "body-timeout": "the page did not load in time",
    "body-reset": "the connection was reset in the middle of the page",
    "body-closed": "the connection was closed in the middle of the page",
    "body-malformed": "the page arrived damaged",
    "body-works": "the page says that maintenance is under way",
    "body-unexpected": "the page is not the expected one",
  },
};

/** What the experiment after a failure showed: facts, and no claim. Nothing is said of one that showed nothing. */
export const EXPERIMENT_WORDS: Words<Exclude<CutBy, "unknown">> = {
  ru: {
    name: "Под другим именем тот же адрес отвечает.",
    none: "Под другим именем тот же адрес тоже не отвечает.",
    address: "Другие адреса той же сети отвечают.",
    network: "Другие адреса той же сети тоже не отвечают.",
  },
  en: {
    name: "The same address answers under another name.",
    none: "The same address does not answer under another name either.",
    address: "Other addresses of the same network answer.",
    network: "Other addresses of the same network do not answer either.",
  },
};

/** Texts of the list of the last outages. */
export const OUTAGE_WORDS = inLanguages({
  title: ["Последние сбои", "Latest outages"],
  none: ["Сбоев мы ещё не видели.", "We have not seen an outage yet."],
  /** In place of the length. */
  lasts: ["продолжается", "ongoing"],
});

/** What most failing addresses had, and how many failed: `соединение сброшено …, на 2 из 3 адресов`; empty: not known. */
export function describeCause(
  { code, failing, counted }: Pick<Outage, "code" | "failing" | "counted">,
  language: Language,
): string {
  if (code === null) return "";
  const words = FAILURE_WORDS[language][code];
  if (counted < 2) return words;
  return language === "ru"
    ? `${words}, на ${failing} из ${counted} адресов`
    : `${words}, at ${failing} of ${counted} addresses`;
}
