import type { OwnerField } from "../words/owner-problem.ts";
import { all } from "./elements.ts";

/* The fields of the forms for owners, as the operations read them. */

/** Settings as the fields of a form have them; an empty field is null, the default. */
export type Settings = Readonly<Record<string, unknown>>;

/** `shop.example.ru` is what people type. */
function addressOf(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

/** Numbers that are none are sent as they are, and refused with their field. */
function listOf(text: string): unknown {
  const items = text.split(/[\s,;]+/).filter((item) => item !== "");
  return items.map((item) => (/^\d+$/.test(item) ? Number(item) : item));
}

const trimmed = (text: string): string => text.trim();

const READERS: Readonly<Record<OwnerField, (text: string) => unknown>> = {
  url: addressOf,
  name: trimmed,
  label: trimmed,
  expect: listOf,
  timeoutMs: (text) => (/^\s*\d+\s*$/.test(text) ? Number(text) : text),
  // Blanks at the ends of a text to look for count.
  body: (text) => text,
};

/** What the fields of a form say. */
export function readSettings(form: HTMLFormElement): Settings {
  const settings: Record<string, unknown> = {};
  for (const { name, type, value, checked } of all<HTMLInputElement>("input[name]", form)) {
    if (type === "checkbox") settings[name] = checked;
    // The pages have no other fields.
    else
      settings[name] = value === "" && name !== "url" ? null : READERS[name as OwnerField](value);
  }
  return settings;
}

/** Without what is not set, for a new monitor. */
export function givenOf(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null));
}

/** Shows the settings of a record. */
export function showSettings(form: HTMLFormElement, record: Settings): void {
  for (const input of all<HTMLInputElement>("input[name]", form)) {
    const value = record[input.name];
    if (input.type === "checkbox") input.checked = value === true;
    else if (Array.isArray(value)) input.value = value.join(", ");
    else input.value = typeof value === "string" || typeof value === "number" ? `${value}` : "";
  }
}

/** Only what differs from the record, so that another's change of another field stays. */
export function changesOf(settings: Settings, record: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(record[name] ?? null),
    ),
  );
}
