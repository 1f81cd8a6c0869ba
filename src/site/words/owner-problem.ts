import { MAX_URL_CHARACTERS } from "../../model/host-name.ts";
import type { OwnerSettings } from "../../model/monitor/monitor.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { inLanguages, type Words } from "../../contract/codes/language.ts";

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

/** The fields that an owner can set, besides the switch of the public page. */
export type OwnerField = Exclude<keyof OwnerSettings, "isPublic">;

/** Why an address is refused, as far as its text tells. `refused`: for another reason. */
export type UrlFault =
  | "no-scheme"
  | "other-scheme"
  | "malformed"
  | "credentials"
  | "port"
  | "inner"
  | "too-long"
  | "refused";

export const URL_FAULTS: Words<UrlFault> = {
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
};

/** What may be in each field. */
export const FIELD_RULES: Words<OwnerField> = inLanguages({
  url: [
    "Нужен адрес публичного сайта: http или https, порт 80 или 443, без имени и пароля.",
    "It has to be the address of a public site: http or https, port 80 or 443, no user name or password.",
  ],
  name: ["От 1 до 120 знаков, без переносов строк.", "1 to 120 characters, without line breaks."],
  label: ["От 1 до 40 знаков, без переносов строк.", "1 to 40 characters, without line breaks."],
  expect: [
    "Коды ответа от 100 до 599 через запятую, без повторов.",
    "Statuses from 100 to 599, with commas between them, each once.",
  ],
  timeoutMs: ["Целое число от 1000 до 20 000.", "A whole number from 1000 to 20,000."],
  body: ["До 1000 знаков в одну строку.", "Up to 1,000 characters in one line."],
});
