import { type Symptom } from "../../../model/service/choices.ts";
import { inLanguages, type Words } from "../../../contract/codes/language.ts";

/** Texts of the page of a service. */
export const SERVICE_WORDS = inLanguages({
  /** What people search for; in the title after the verdict. */
  question: ["Не работает сегодня? Сбои и жалобы", "Is it down today? Outages and reports"],
  back: ["Все сервисы", "All services"],
  reportsHour: ["Жалоб за час", "Reports in the last hour"],
  reportsDay: ["За сутки", "In the last day"],
  lastCheck: ["Проверено", "Checked"],
  staleCheck: ["Последний раз проверяли", "Last checked"],
  neverChecked: ["ещё ни разу", "not yet"],
  /** Folds why, and what to do. */
  why: ["Почему так и что делать", "Why, and what to do"],
  jumps: ["На этой странице", "On this page"],
  past: ["История", "History"],
  follow: ["Следить", "Follow"],
  report: ["Не работает у вас?", "Not working for you?"],
  reportHint: [
    "От одной сети считается одна жалоба в час. IP-адрес мы не храним: только обезличенную метку сети, новую каждый день, и оператора.",
    "One report per hour counts from each network. Your IP address is not stored: only an anonymised network ID, new every day, and the operator.",
  ],
  symptom: ["Что именно (необязательно)", "What exactly (optional)"],
  press: ["Не работает", "Not working"],
  reportsChart: ["Жалобы за 24 часа", "Reports in the last 24 hours"],
  usual: [
    "Линия: сколько жалоб обычно бывает в этот час.",
    "The line shows what is usual for that hour.",
  ],
  symptoms: ["На что жалуются", "What is reported"],
  halfHours: ["Проверки за 24 часа", "Checks in the last 24 hours"],
  days: ["90 дней", "90 days"],
  daysHint: [
    "Худшее состояние за каждые сутки по UTC (с 03:00 по Москве). Сбой считается коротким, если неудачных проверок за сутки меньше 5%: это меньше 72 минут.",
    "The worst state of each UTC day. An outage counts as short if less than 5% of the day's checks failed: less than 72 minutes.",
  ],
  uptimeHint: [
    "Доля проверок, в которых открывались все главные адреса, округлена вниз. Периоды длиннее 24 часов считаются целыми сутками.",
    "Share of checks in which all critical addresses opened, rounded down. Periods longer than 24 hours are counted in whole days.",
  ],
  response: ["Время ответа за 24 часа", "Response time in the last 24 hours"],
  responseHint: ["Медиана за каждый час для адреса", "The median of each hour for the address"],
  evidence: ["Что показали проверки из Москвы", "What the checks from Moscow found"],
  /** Before the time of a check that is too old for a verdict. */
  staleEvidence: ["Так было в последний раз,", "This was so the last time,"],
  evidenceData: ["Доказательства в JSON", "Evidence as JSON"],
  evidenceHint: [
    "Каждый адрес проверяется по шагам: имя, соединение, защита, ответ, содержимое. Сбой подтверждают повторные проверки. Полоса: 24 часа.",
    "Each address is checked step by step: name, connection, encryption, answer, content. Further checks confirm a failure. The strip shows 24 hours.",
  ],
  critical: ["главный адрес", "critical"],
  parts: ["Части сервиса", "Parts of the service"],
  failedStage: ["Не пройден шаг", "Failed step"],
  annotations: ["Что ещё известно", "What else is known"],
  annotationsHint: ["Проверки этого не измеряют.", "The checks do not measure this."],
  annotatedSince: ["С", "Since"],
  source: ["Источник", "Source"],
  archive: ["в архиве", "in the archive"],
  /** In place of a source where no public page is known. */
  unconfirmed: [
    "По сообщениям пользователей; публичного источника, который это подтверждает, мы не знаем.",
    "Reported by users; we know of no public source that confirms it.",
  ],
  more: ["Следить за сервисом", "Follow this service"],
  /** In place of the answers while data is old. */
  unanswered: [
    "Свежих проверок нет, поэтому мы не знаем, работает ли сервис.",
    "There are no recent checks, so we do not know whether the service works.",
  ],
  /** In place of the answers while the page has another verdict than the API. */
  isChanging: [
    "Состояние изменилось. Подробности появятся, когда обновится страница.",
    "The status has changed. Details will appear when the page is updated.",
  ],
  feed: ["Лента изменений (Atom)", "Feed of changes (Atom)"],
  data: ["Данные в JSON", "Data as JSON"],
});

/** Result of the last check of an endpoint, as the end of a sentence that begins with its name. `FAILURE_WORDS` has the failures. */
export const ENDPOINT_STATUS_WORDS = inLanguages({
  ok: ["отвечает", "answers"],
  flaky: ["отвечает, но не с первой попытки", "answers, but not on the first attempt"],
  wall: ["отвечает защита от роботов", "a protection against robots answers"],
  browser: ["браузеру тоже", "a browser too"],
  unverified: [
    "сертификат не проверен: нужен российский корневой",
    "the certificate is not verified: that needs the Russian national root certificate",
  ],
  denied: [
    "сам сервис не пускает из этого региона",
    "the service itself refuses access from this region",
  ],
  elsewhere: [
    "нашему узлу не отвечает, из других мест в Москве открывается",
    "does not answer our probe, opens from other places in Moscow",
  ],
  "only-browsers": [
    "нашей программе не отвечает, браузеру открывается",
    "does not answer our program, opens in a browser",
  ],
  "not-browsers": [
    "нашей программе отвечает, браузеру не открывается",
    "answers our program, does not open in a browser",
  ],
  "not-at-home": [
    "нашему узлу отвечает, на домашних линиях не открывается",
    "answers our probe, does not open on home lines",
  ],
  refused: ["не отвечает дата-центрам", "does not answer data centres"],
  skipped: ["в последний раз не успели проверить", "not checked in the last run, for lack of time"],
  unknown: ["ещё не проверяли", "not checked yet"],
});

/** Choices of the report form. */
export const SYMPTOM_WORDS: Words<Symptom> = inLanguages({
  "does-not-open": ["Не открывается", "Does not open"],
  slow: ["Работает медленно", "Slow"],
  login: ["Не получается войти", "Cannot sign in"],
  payments: ["Не проходят платежи", "Payments fail"],
  app: ["Не работает приложение", "The app does not work"],
  other: ["Другое", "Something else"],
});
