import type { ProofMethod } from "../../../model/monitor/owned-monitor.ts";
import type { ByLanguage } from "../by-language.ts";
import type { OwnerField } from "../owner-problem.ts";

/** Texts of the pages on which owners add their sites and manage them. */
export interface OwnerPageWords {
  readonly newTitle: string;
  readonly newIntro: string;
  readonly manageTitle: string;
  readonly manageIntro: string;
  readonly description: string;
  readonly fields: Readonly<Record<OwnerField, string>>;
  readonly optional: string;
  readonly isPublic: string;
  readonly isPublicHint: string;
  readonly add: string;
  readonly prove: string;
  readonly proveHint: string;
  readonly methods: Readonly<Record<ProofMethod, string>>;
  /** The sentences of each way: what goes where. */
  readonly steps: Readonly<Record<ProofMethod, readonly [what: string, where: string]>>;
  readonly noDns: string;
  readonly check: string;
  readonly keep: string;
  readonly keepHint: string;
  readonly done: string;
  readonly doneHint: string;
  readonly manage: string;
  readonly badge: string;
  readonly page: string;
  readonly alerts: string;
  readonly alertsHint: string;
  readonly alertBrowser: string;
  readonly webhook: string;
  readonly addWebhook: string;
  readonly webhookSecret: string;
  readonly enter: string;
  readonly enterLabel: string;
  readonly open: string;
  readonly lost: string;
  readonly lostHint: string;
  readonly settings: string;
  readonly save: string;
  readonly proofAgain: string;
  readonly remove: string;
  readonly removeHint: string;
  readonly restore: string;
  readonly data: string;
  readonly copy: string;
  readonly withoutScript: string;
  readonly withoutScriptHint: string;
  readonly addSite: string;
}

export const OWNER_PAGE_WORDS: ByLanguage<OwnerPageWords> = {
  ru: {
    newTitle: "Добавьте свой сайт",
    newIntro:
      "Мы будем проверять его из Москвы каждые 5 минут и показывать доступность. Пароль и почта не нужны: достаточно подтвердить, что сайт ваш.",
    manageTitle: "Ваш монитор",
    manageIntro: "Откройте его по ссылке, которую вы получили, когда добавили сайт.",
    description: "Бесплатные проверки вашего сайта из России каждые 5 минут, страница и значок.",
    fields: {
      url: "Адрес сайта",
      name: "Название",
      label: "Надпись на значке слева",
      expect: "Какие коды ответа считать удачными",
      timeoutMs: "Сколько ждать ответа, мс",
      body: "Текст, который должен быть на странице",
    },
    optional: "необязательно",
    isPublic: "Публичная страница и значок",
    isPublicHint: "Без этого результаты видите только вы. Включить можно и потом.",
    add: "Добавить",
    prove: "Подтвердите, что сайт ваш",
    proveHint: "Выберите любой из трёх способов и нажмите «Проверить сейчас». На это есть 24 часа.",
    methods: { file: "Файл", dns: "DNS", meta: "Тег на странице" },
    steps: {
      file: ["Создайте файл с одной строкой:", "и положите его по адресу:"],
      dns: ["Добавьте запись TXT со значением:", "для имени:"],
      meta: ["Вставьте в <head> страницы тег:", "Страница:"],
    },
    noDns: "У этого адреса нет имени, поэтому DNS не подойдёт.",
    check: "Проверить сейчас",
    keep: "Сохраните эту ссылку",
    keepHint:
      "Это единственный ключ к монитору, и мы его не храним. У кого ссылка, тот и управляет. Если она потеряется, сайт можно подтвердить заново и получить новую.",
    done: "Готово, сайт подтверждён",
    doneHint:
      "Первая проверка будет в течение пяти минут. Подтверждение не убирайте: раз в месяц мы его ищем.",
    manage: "Управлять монитором",
    badge: "Значок",
    page: "Публичная страница",
    alerts: "Оповещения",
    alertsHint:
      "Напишем, если сайт не открывается дольше пяти минут, и ещё раз, когда он заработает.",
    alertBrowser: "Уведомлять в этом браузере",
    webhook: "Вебхук: адрес, на который отправлять",
    addWebhook: "Добавить вебхук",
    webhookSecret:
      "Секрет вебхука. Им подписано каждое сообщение (Standard Webhooks). Сохраните его: больше мы его не покажем.",
    enter: "Открыть монитор",
    enterLabel: "Ссылка управления, или адрес значка или страницы",
    open: "Открыть",
    lost: "Ссылка потерялась",
    lostHint:
      "Укажите адрес значка или страницы и подтвердите сайт заново: прежняя ссылка перестанет работать.",
    settings: "Настройки",
    save: "Сохранить",
    proofAgain: "Проверить подтверждение",
    remove: "Удалить монитор",
    removeHint:
      "Страница и значок исчезнут сразу. Сутки монитор можно восстановить, потом сотрём всё.",
    restore: "Восстановить",
    data: "Скачать мои данные",
    copy: "Скопировать",
    withoutScript: "Без JavaScript",
    withoutScriptHint: "Всё то же самое можно сделать из командной строки:",
    addSite: "Добавьте свой сайт",
  },
  en: {
    newTitle: "Add your site",
    newIntro:
      "We will check it from Moscow every 5 minutes and show its uptime. No password and no e-mail: it is enough to prove that the site is yours.",
    manageTitle: "Your monitor",
    manageIntro: "Open it with the link that you got when you added the site.",
    description: "Free checks of your site from Russia every 5 minutes, with a page and a badge.",
    fields: {
      url: "Address of the site",
      name: "Name",
      label: "Left side of the badge",
      expect: "Statuses that count as healthy",
      timeoutMs: "How long to wait for an answer, ms",
      body: "Text that the page has to contain",
    },
    optional: "optional",
    isPublic: "Public page and badge",
    isPublicHint: "Without it only you see the results. You can switch it on later.",
    add: "Add",
    prove: "Prove that the site is yours",
    proveHint: "Choose any of the three ways, and press “Check now”. There are 24 hours for it.",
    methods: { file: "File", dns: "DNS", meta: "Tag on the page" },
    steps: {
      file: ["Make a file with one line:", "and put it at the address:"],
      dns: ["Add a TXT record with the value:", "for the name:"],
      meta: ["Put this tag into the <head> of the page:", "The page:"],
    },
    noDns: "This address has no name, so DNS is not possible.",
    check: "Check now",
    keep: "Keep this link",
    keepHint:
      "It is the only key to the monitor, and we do not keep it. Everyone who has the link can manage the monitor. If it is lost, you can prove the site again and get a new one.",
    done: "Done, the site is proved",
    doneHint:
      "The first check comes within five minutes. Leave the proof in place: we look for it once a month.",
    manage: "Manage the monitor",
    badge: "Badge",
    page: "Public page",
    alerts: "Alerts",
    alertsHint:
      "We tell you when the site has not opened for five minutes, and again when it works.",
    alertBrowser: "Tell this browser",
    webhook: "Webhook: address to send to",
    addWebhook: "Add the webhook",
    webhookSecret:
      "Secret of the webhook. Each message is signed with it (Standard Webhooks). Keep it: we do not show it again.",
    enter: "Open a monitor",
    enterLabel: "Manage link, or the address of a badge or a page",
    open: "Open",
    lost: "I lost the link",
    lostHint:
      "Give the address of the badge or the page, and prove the site again: the old link then stops working.",
    settings: "Settings",
    save: "Save",
    proofAgain: "Check the proof",
    remove: "Remove the monitor",
    removeHint:
      "The page and the badge go at once. For a day the monitor can be restored; then everything is erased.",
    restore: "Restore",
    data: "Download my data",
    copy: "Copy",
    withoutScript: "Without JavaScript",
    withoutScriptHint: "The same can be done from a command line:",
    addSite: "Add your site",
  },
};
