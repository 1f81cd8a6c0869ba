import { MAX_URL_CHARACTERS } from "../../model/host-name.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import type { Words } from "../../contract/codes/language.ts";

/** What a refused request means for an owner, and what to do. */
export const OWNER_PROBLEM_WORDS: Words<OwnerProblem> = {
  ru: {
    malformed: "Запрос составлен неверно. Обновите страницу и попробуйте ещё раз.",
    "no-address": "Не получается понять, откуда пришёл запрос. Попробуйте из другой сети.",
    "foreign-origin": "Так можно делать только со страниц этого сайта.",
    "blocked-host": "Сайты с этого адреса здесь не принимают. Напишите нам, если это ошибка.",
    unknown: "Такого монитора нет, или ссылка не подходит к нему.",
    off: "Здесь нельзя добавлять сайты самостоятельно.",
    "alerts-off": "Здесь не рассылают оповещения.",
    "wrong-method": "Так сделать нельзя. Обновите страницу и попробуйте ещё раз.",
    "too-slow": "Запрос шёл слишком долго. Попробуйте ещё раз.",
    "not-proved": "Сначала подтвердите, что сайт ваш.",
    removed: "Монитор удалён. Его можно восстановить в течение суток.",
    refused: "Этот сайт здесь не проверяют.",
    "limit-host": "Для этого адреса уже слишком много мониторов.",
    "limit-domain": "Для этого домена уже слишком много мониторов.",
    "limit-channels": "Больше пяти получателей добавить нельзя. Сначала удалите один.",
    changed:
      "Настройки уже изменили в другом месте. Показаны новые: проверьте и сохраните ещё раз.",
    "too-large": "Слишком много текста. Сократите его.",
    "unknown-media-type": "Запрос составлен неверно. Обновите страницу и попробуйте ещё раз.",
    invalid: "Проверьте отмеченные поля.",
    flood: "Слишком часто. Подождите немного.",
    "limit-network": "Из вашей сети сегодня добавили слишком много сайтов. Попробуйте завтра.",
    unavailable: "Сейчас не получается. Попробуйте через минуту.",
  },
  en: {
    malformed: "The request is not valid. Reload the page and try again.",
    "no-address": "We cannot tell where the request comes from. Try another network.",
    "foreign-origin": "Only pages of this site can do that.",
    "blocked-host":
      "Sites at this address are not accepted here. Write to us if that is a mistake.",
    unknown: "There is no such monitor, or the link does not fit it.",
    off: "Sites cannot be added here by their owners.",
    "alerts-off": "Alerts are not sent here.",
    "wrong-method": "That cannot be done. Reload the page and try again.",
    "too-slow": "The request took too long. Try again.",
    "not-proved": "First prove that the site is yours.",
    removed: "The monitor is removed. It can be restored for a day.",
    refused: "This site is not checked here.",
    "limit-host": "There are too many monitors of this address already.",
    "limit-domain": "There are too many monitors of this domain already.",
    "limit-channels": "There can be no more than five receivers. Remove one first.",
    changed:
      "The settings were changed elsewhere. The new ones are shown: check them and save again.",
    "too-large": "That is too much text. Shorten it.",
    "unknown-media-type": "The request is not valid. Reload the page and try again.",
    invalid: "Check the marked fields.",
    flood: "Too often. Wait a moment.",
    "limit-network": "Too many sites were added from your network today. Try again tomorrow.",
    unavailable: "That does not work right now. Try again in a minute.",
  },
};

/** Why an address is refused, as far as its text tells. `refused`: for another reason. */
export const URL_FAULTS = {
  ru: {
    "no-scheme": "Начните с https://",
    "other-scheme": "Мы проверяем только сайты: адрес начинается с https:// или http://",
    malformed: "Это не похоже на адрес сайта: проверьте имя и знаки в нём.",
    credentials: "Уберите имя и пароль перед знаком @.",
    port: "Порт {port} мы не проверяем: только 80 и 443.",
    inner: "Это адрес внутри сети: из интернета его не открыть.",
    "too-long": `Адрес слишком длинный: не больше ${MAX_URL_CHARACTERS} знаков.`,
    refused: "Этот адрес мы не проверяем: нужен публичный сайт.",
  },
  en: {
    "no-scheme": "Begin with https://",
    "other-scheme": "We check sites only: the address begins with https:// or http://",
    malformed: "This does not look like the address of a site: check its name and characters.",
    credentials: "Remove the name and password before the @ sign.",
    port: "We do not check port {port}: only 80 and 443.",
    inner: "This is an address inside a network: it cannot be opened from the internet.",
    "too-long": `The address is too long: ${MAX_URL_CHARACTERS} characters at most.`,
    refused: "We do not check this address: it has to be a public site.",
  },
} as const satisfies Words<string>;

export type UrlFault = keyof (typeof URL_FAULTS)["ru"];
