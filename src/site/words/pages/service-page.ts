import type { EndpointStatus } from "../../view.ts";
import type { ByLanguage, Words } from "../by-language.ts";

export interface ServiceWords {
  /** What people search for; in the title after the verdict. */
  readonly question: string;
  readonly back: string;
  readonly live: string;
  readonly reportsHour: string;
  readonly reportsDay: string;
  readonly lastCheck: string;
  readonly staleCheck: string;
  readonly neverChecked: string;
  /** Folds why, and what to do. */
  readonly why: string;
  /** Links to parts of the page. */
  readonly jumps: string;
  readonly past: string;
  readonly follow: string;
  readonly report: string;
  readonly reportHint: string;
  readonly symptom: string;
  readonly press: string;
  readonly reportsChart: string;
  /** Explains the line in the chart of reports. */
  readonly usual: string;
  readonly symptoms: string;
  readonly halfHours: string;
  readonly days: string;
  readonly daysHint: string;
  readonly uptimeHint: string;
  /** In place of a length. */
  readonly response: string;
  readonly responseHint: string;
  readonly evidence: string;
  /** Before the time of a check that is too old for a verdict. */
  readonly staleEvidence: string;
  readonly evidenceData: string;
  readonly evidenceHint: string;
  readonly critical: string;
  readonly failedStage: string;
  readonly annotations: string;
  readonly annotationsHint: string;
  readonly annotatedSince: string;
  readonly source: string;
  readonly archive: string;
  /** In place of a source where no public page is known. */
  readonly unconfirmed: string;
  readonly more: string;
  /** In place of the answers while data is old. */
  readonly unanswered: string;
  /** In place of the answers while the page has another verdict than the API. */
  readonly isChanging: string;
  readonly feed: string;
  readonly data: string;
}

export const SERVICE_WORDS: ByLanguage<ServiceWords> = {
  ru: {
    question: "Не работает сегодня? Сбои и жалобы",
    back: "Все сервисы",
    live: "сейчас",
    reportsHour: "Жалоб за час",
    reportsDay: "За сутки",
    lastCheck: "Проверено",
    staleCheck: "Последний раз проверяли",
    neverChecked: "ещё ни разу",
    why: "Почему так и что делать",
    jumps: "На этой странице",
    past: "История",
    follow: "Следить",
    report: "Не работает у вас?",
    reportHint:
      "От одной сети считается одна жалоба в час. IP-адрес мы не храним: только обезличенную метку сети, новую каждый день.",
    symptom: "Что именно (необязательно)",
    press: "Не работает",
    reportsChart: "Жалобы за 24 часа",
    usual: "Линия: сколько жалоб обычно бывает в этот час.",
    symptoms: "На что жалуются",
    halfHours: "Проверки за 24 часа",
    days: "90 дней",
    daysHint:
      "Худшее состояние за каждые сутки по UTC (с 03:00 по Москве). Сбой считается коротким, если неудачных проверок за сутки меньше 5%: это меньше 72 минут.",
    uptimeHint:
      "Доля проверок, в которых открывались все главные адреса, округлена вниз. Периоды длиннее 24 часов считаются целыми сутками.",
    response: "Время ответа за 24 часа",
    responseHint: "Медиана за каждый час для адреса",
    evidence: "Что показали проверки из Москвы",
    staleEvidence: "Так было в последний раз,",
    evidenceData: "Доказательства в JSON",
    evidenceHint:
      "Каждый адрес проверяется по шагам: имя, соединение, защита, ответ, содержимое. Сбой подтверждают повторные проверки.",
    critical: "главный адрес",
    failedStage: "Не пройден шаг",
    annotations: "Что ещё известно",
    annotationsHint: "Проверки этого не измеряют.",
    annotatedSince: "С",
    source: "Источник",
    archive: "в архиве",
    unconfirmed:
      "По сообщениям пользователей; публичного источника, который это подтверждает, мы не знаем.",
    more: "Следить за сервисом",
    unanswered: "Свежих проверок нет, поэтому мы не знаем, работает ли сервис.",
    isChanging: "Состояние изменилось. Подробности появятся, когда обновится страница.",
    feed: "Лента изменений (Atom)",
    data: "Данные в JSON",
  },
  en: {
    question: "Is it down today? Outages and reports",
    back: "All services",
    live: "now",
    reportsHour: "Reports in the last hour",
    reportsDay: "In the last day",
    lastCheck: "Checked",
    staleCheck: "Last checked",
    neverChecked: "not yet",
    why: "Why, and what to do",
    jumps: "On this page",
    past: "History",
    follow: "Follow",
    report: "Not working for you?",
    reportHint:
      "One report per hour counts from each network. Your IP address is not stored: only an anonymised network ID, new every day.",
    symptom: "What exactly (optional)",
    press: "Not working",
    reportsChart: "Reports in the last 24 hours",
    usual: "The line shows what is usual for that hour.",
    symptoms: "What is reported",
    halfHours: "Checks in the last 24 hours",
    days: "90 days",
    daysHint:
      "The worst state of each UTC day. An outage counts as short if less than 5% of the day's checks failed: less than 72 minutes.",
    uptimeHint:
      "Share of checks in which all critical addresses opened, rounded down. Periods longer than 24 hours are counted in whole days.",
    response: "Response time in the last 24 hours",
    responseHint: "The median of each hour for the address",
    evidence: "What the checks from Moscow found",
    staleEvidence: "This was so the last time,",
    evidenceData: "Evidence as JSON",
    evidenceHint:
      "Each address is checked step by step: name, connection, encryption, answer, content. Further checks confirm a failure.",
    critical: "critical",
    failedStage: "Failed step",
    annotations: "What else is known",
    annotationsHint: "The checks do not measure this.",
    annotatedSince: "Since",
    source: "Source",
    archive: "in the archive",
    unconfirmed: "Reported by users; we know of no public source that confirms it.",
    more: "Follow this service",
    unanswered: "There are no recent checks, so we do not know whether the service works.",
    isChanging: "The status has changed. Details will appear when the page is updated.",
    feed: "Feed of changes (Atom)",
    data: "Data as JSON",
  },
};

/** `FAILURE_WORDS` has the failures. */
type EndpointStatusKind =
  | Exclude<EndpointStatus["kind"], "failed">
  | "flaky"
  | "unverified"
  | "wall";

/** Result of the last check of an endpoint, as the end of a sentence that begins with its name. */
export const ENDPOINT_STATUS_WORDS: Words<EndpointStatusKind> = {
  ru: {
    ok: "отвечает",
    flaky: "отвечает, но не с первой попытки",
    wall: "отвечает защита от роботов",
    unverified: "сертификат не проверен: нужен российский корневой",
    denied: "сам сервис не пускает из этого региона",
    elsewhere: "нашему узлу не отвечает, из других мест в Москве открывается",
    refused: "не отвечает дата-центрам",
    skipped: "в последний раз не успели проверить",
    unknown: "ещё не проверяли",
  },
  en: {
    ok: "answers",
    flaky: "answers, but not on the first attempt",
    wall: "a protection against robots answers",
    unverified: "the certificate is not verified: that needs the Russian national root certificate",
    denied: "the service itself refuses access from this region",
    elsewhere: "does not answer our probe, opens from other places in Moscow",
    refused: "does not answer data centres",
    skipped: "not checked in the last run, for lack of time",
    unknown: "not checked yet",
  },
};
