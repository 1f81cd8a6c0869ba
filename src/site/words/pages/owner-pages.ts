import { inLanguages } from "../../../contract/codes/language.ts";

/** Texts of the pages on which owners add their sites and manage them. */
export const OWNER_PAGE_WORDS = inLanguages({
  newTitle: ["Добавьте свой сайт", "Add your site"],
  newIntro: [
    "Мы будем проверять его из Москвы каждые 5 минут и показывать доступность. Пароль и почта не нужны: достаточно подтвердить, что сайт ваш.",
    "We will check it from Moscow every 5 minutes and show its uptime. No password and no e-mail: it is enough to prove that the site is yours.",
  ],
  manageTitle: ["Ваш монитор", "Your monitor"],
  manageIntro: [
    "Откройте его по ссылке, которую вы получили, когда добавили сайт.",
    "Open it with the link that you got when you added the site.",
  ],
  description: [
    "Бесплатные проверки вашего сайта из России каждые 5 минут, страница и значок.",
    "Free checks of your site from Russia every 5 minutes, with a page and a badge.",
  ],
  optional: ["необязательно", "optional"],
  isPublic: ["Публичная страница и значок", "Public page and badge"],
  isPublicHint: [
    "Без этого результаты видите только вы. Включить можно и потом.",
    "Without it only you see the results. You can switch it on later.",
  ],
  add: ["Добавить", "Add"],
  prove: ["Подтвердите, что сайт ваш", "Prove that the site is yours"],
  proveHint: [
    "Выберите любой из трёх способов и нажмите «Проверить сейчас». На это есть 24 часа.",
    "Choose any of the three ways, and press “Check now”. There are 24 hours for it.",
  ],
  methods: {
    file: ["Файл", "File"],
    dns: ["DNS", "DNS"],
    meta: ["Тег на странице", "Tag on the page"],
  },
  steps: {
    file: [
      ["Создайте файл с одной строкой:", "и положите его по адресу:"],
      ["Make a file with one line:", "and put it at the address:"],
    ],
    dns: [
      ["Добавьте запись TXT со значением:", "для имени:"],
      ["Add a TXT record with the value:", "for the name:"],
    ],
    meta: [
      ["Вставьте в <head> страницы тег:", "Страница:"],
      ["Put this tag into the <head> of the page:", "The page:"],
    ],
  },
  noDns: [
    "У этого адреса нет имени, поэтому DNS не подойдёт.",
    "This address has no name, so DNS is not possible.",
  ],
  check: ["Проверить сейчас", "Check now"],
  keep: ["Сохраните эту ссылку", "Keep this link"],
  keepHint: [
    "Это единственный ключ к монитору, и мы его не храним. У кого ссылка, тот и управляет. Если она потеряется, сайт можно подтвердить заново и получить новую.",
    "It is the only key to the monitor, and we do not keep it. Everyone who has the link can manage the monitor. If it is lost, you can prove the site again and get a new one.",
  ],
  done: ["Готово, сайт подтверждён", "Done, the site is proved"],
  doneHint: [
    "Первая проверка будет в течение пяти минут. Подтверждение не убирайте: раз в месяц мы его ищем.",
    "The first check comes within five minutes. Leave the proof in place: we look for it once a month.",
  ],
  manage: ["Управлять монитором", "Manage the monitor"],
  badge: ["Значок", "Badge"],
  page: ["Публичная страница", "Public page"],
  alerts: ["Оповещения", "Alerts"],
  alertsHint: [
    "Напишем, если сайт не открывается дольше пяти минут, и ещё раз, когда он заработает.",
    "We tell you when the site has not opened for five minutes, and again when it works.",
  ],
  alertBrowser: ["Уведомлять в этом браузере", "Tell this browser"],
  webhook: ["Вебхук: адрес, на который отправлять", "Webhook: address to send to"],
  addWebhook: ["Добавить вебхук", "Add the webhook"],
  webhookSecret: [
    "Секрет вебхука. Им подписано каждое сообщение (Standard Webhooks). Сохраните его: больше мы его не покажем.",
    "Secret of the webhook. Each message is signed with it (Standard Webhooks). Keep it: we do not show it again.",
  ],
  enter: ["Открыть монитор", "Open a monitor"],
  enterLabel: [
    "Ссылка управления, или адрес значка или страницы",
    "Manage link, or the address of a badge or a page",
  ],
  open: ["Открыть", "Open"],
  lost: ["Ссылка потерялась", "I lost the link"],
  lostHint: [
    "Укажите адрес значка или страницы и подтвердите сайт заново: прежняя ссылка перестанет работать.",
    "Give the address of the badge or the page, and prove the site again: the old link then stops working.",
  ],
  settings: ["Настройки", "Settings"],
  save: ["Сохранить", "Save"],
  proofAgain: ["Проверить подтверждение", "Check the proof"],
  remove: ["Удалить монитор", "Remove the monitor"],
  removeHint: [
    "Страница и значок исчезнут сразу. Сутки монитор можно восстановить, потом сотрём всё.",
    "The page and the badge go at once. For a day the monitor can be restored; then everything is erased.",
  ],
  restore: ["Восстановить", "Restore"],
  data: ["Скачать мои данные", "Download my data"],
  copy: ["Скопировать", "Copy"],
  withoutScript: ["Без JavaScript", "Without JavaScript"],
  withoutScriptHint: [
    "Всё то же самое можно сделать из командной строки:",
    "The same can be done from a command line:",
  ],
});
