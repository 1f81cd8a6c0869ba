import type { OwnerSettings } from "../../model/monitor/monitor.ts";
import type { Words } from "../../contract/codes/language.ts";

/** The fields that an owner can set, besides the switch of the public page. */
export type OwnerField = Exclude<keyof OwnerSettings, "isPublic">;

/** What the script of the form makes of the text in a field. */
export type FieldKind = "address" | "line" | "numbers" | "number" | "text";

interface FieldRow {
  readonly kind: FieldKind;
  readonly inputmode: "text" | "url" | "numeric";
  readonly placeholder?: string;
  readonly label: readonly [ru: string, en: string];
  /** What may be in it. */
  readonly rule: readonly [ru: string, en: string];
}

/** The fields of the forms for owners, in their order. */
export const OWNER_FIELDS: Readonly<Record<OwnerField, FieldRow>> = {
  url: {
    kind: "address",
    inputmode: "url",
    label: ["Адрес сайта", "Address of the site"],
    rule: [
      "Нужен адрес публичного сайта: http или https, порт 80 или 443, без имени и пароля.",
      "It has to be the address of a public site: http or https, port 80 or 443, no user name or password.",
    ],
  },
  name: {
    kind: "line",
    inputmode: "text",
    label: ["Название", "Name"],
    rule: ["От 1 до 120 знаков, без переносов строк.", "1 to 120 characters, without line breaks."],
  },
  label: {
    kind: "line",
    inputmode: "text",
    label: ["Надпись на значке слева", "Left side of the badge"],
    rule: ["От 1 до 40 знаков, без переносов строк.", "1 to 40 characters, without line breaks."],
  },
  expect: {
    kind: "numbers",
    inputmode: "text",
    placeholder: "200, 301",
    label: ["Какие коды ответа считать удачными", "Statuses that count as healthy"],
    rule: [
      "Коды ответа от 100 до 599 через запятую, без повторов.",
      "Statuses from 100 to 599, with commas between them, each once.",
    ],
  },
  timeoutMs: {
    kind: "number",
    inputmode: "numeric",
    placeholder: "20000",
    label: ["Сколько ждать ответа, мс", "How long to wait for an answer, ms"],
    rule: ["Целое число от 1000 до 20 000.", "A whole number from 1000 to 20,000."],
  },
  body: {
    kind: "text",
    inputmode: "text",
    label: ["Текст, который должен быть на странице", "Text that the page has to contain"],
    rule: ["До 1000 знаков в одну строку.", "Up to 1,000 characters in one line."],
  },
};

// The keys of a literal are those of its type.
export const OWNER_FIELD_NAMES = Object.keys(OWNER_FIELDS) as readonly OwnerField[];

export const FIELD_LABELS: Words<OwnerField> = wordsOf("label");

/** What may be in each field. */
export const FIELD_RULES: Words<OwnerField> = wordsOf("rule");

function wordsOf(part: "label" | "rule"): Words<OwnerField> {
  const inOne = (at: 0 | 1) =>
    Object.fromEntries(
      OWNER_FIELD_NAMES.map((name) => [name, OWNER_FIELDS[name][part][at]]),
    ) as Readonly<Record<OwnerField, string>>;
  return { ru: inOne(0), en: inOne(1) };
}
