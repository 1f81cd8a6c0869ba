import type { OwnerSettings } from "../../model/monitor/monitor.ts";
import { inLanguages, type Words } from "../../contract/codes/language.ts";

/** The fields that an owner can set, besides the switch of the public page. */
export type OwnerField = Exclude<keyof OwnerSettings, "isPublic">;

/** What the script of the form makes of the text in a field. */
export type FieldKind = "address" | "line" | "numbers" | "number" | "text";

interface FieldRow {
  readonly kind: FieldKind;
  readonly inputmode: "text" | "url" | "numeric";
  readonly placeholder?: string;
}

/** The fields of the forms for owners, in their order. */
export const OWNER_FIELDS: Readonly<Record<OwnerField, FieldRow>> = {
  url: { kind: "address", inputmode: "url" },
  name: { kind: "line", inputmode: "text" },
  label: { kind: "line", inputmode: "text" },
  expect: { kind: "numbers", inputmode: "text", placeholder: "200, 301" },
  timeoutMs: { kind: "number", inputmode: "numeric", placeholder: "20000" },
  body: { kind: "text", inputmode: "text" },
};

// The keys of a literal are those of its type.
export const OWNER_FIELD_NAMES = Object.keys(OWNER_FIELDS) as readonly OwnerField[];

export const FIELD_LABELS: Words<OwnerField> = inLanguages({
  url: ["Адрес сайта", "Address of the site"],
  name: ["Название", "Name"],
  label: ["Надпись на значке слева", "Left side of the badge"],
  expect: ["Какие коды ответа считать удачными", "Statuses that count as healthy"],
  timeoutMs: ["Сколько ждать ответа, мс", "How long to wait for an answer, ms"],
  body: ["Текст, который должен быть на странице", "Text that the page has to contain"],
});

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
