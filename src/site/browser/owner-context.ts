import type { OwnerLook, OwnerRecord, OwnerRegistration } from "../../contract/owners.ts";
import type { FieldKind, OwnerField } from "../words/owner-fields.ts";
import type { OwnerScriptWords } from "../words/pages/owner-script.ts";
import { all, setText } from "./elements.ts";
import { askJson, REQUEST_TIMEOUT_MS } from "./polling.ts";
import { urlFaultOf } from "./url-fault.ts";

/* What the pages for owners share: their words, the operations, the monitor in the fragment, and the fields of their forms. */

/** A monitor and its key, as they stand in the fragment of the page. */
export interface Held {
  readonly id: string;
  readonly key: string;
}

/** A body of the operations: fields of every kind, each absent elsewhere. */
export type Body = Partial<OwnerRecord & Omit<OwnerRegistration, "id">> & {
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
  readonly look?: OwnerLook;
  /** Of a webhook that was added. */
  readonly secret?: string;
};

export interface ApiAnswer {
  /** 0: there was none. */
  readonly status: number;
  readonly body: Body;
  readonly etag: string | null;
  readonly retryAfterMs: number;
}

export const data: DOMStringMap = all("#owner")[0]?.dataset ?? {};
export const words = JSON.parse(data["words"] ?? "{}") as OwnerScriptWords;

/** The element with an id; the pages have all that their script names. */
export function byId(id: string): HTMLElement;
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind;
export function byId(id: string, kind: new () => HTMLElement = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no #${id}`);
  return found;
}

/** Fills the places of a text, such as `{date}`. */
export function fill(
  text: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A time of the operations, in the visitor's zone. */
export function momentOf(seconds: unknown): string {
  const language = document.documentElement.lang;
  return new Date(Number(seconds) * 1_000).toLocaleString(language, {
    dateStyle: "long",
    timeStyle: "short",
  });
}

/** The monitor in the fragment; undefined if there is none. */
export function heldIn(fragment: string): Held | undefined {
  const [, id, key] = /#([\w-]{1,64})\.([\w-]{43})$/.exec(fragment) ?? [];
  return id === undefined || key === undefined ? undefined : { id, key };
}

/** The fragment that names a monitor, of which `heldIn` is the inverse. */
export function fragmentOf({ id, key }: Held): string {
  return `#${id}.${key}`;
}

/** Asks an operation. Never rejects. */
export async function ask(
  method: string,
  path: string,
  options: { readonly key?: string; readonly body?: object; readonly etag?: string | null } = {},
): Promise<ApiAnswer> {
  const { status, body, headers } = await askJson(`${data["api"] ?? ""}/monitors${path}`, {
    ...options,
    method,
    timeoutMs: 3 * REQUEST_TIMEOUT_MS,
  });
  return {
    status,
    body,
    etag: headers.get("ETag"),
    retryAfterMs: 1_000 * Number(headers.get("Retry-After") ?? 0),
  };
}

/** What went wrong, in words. */
export function refusalOf({ status, body }: ApiAnswer): string {
  const { problems, offline } = words;
  if (status === 0) return offline;
  const code = body.code ?? "";
  return problems[Object.hasOwn(problems, code) ? (code as keyof typeof problems) : "unavailable"];
}

/** Of an address the one thing that is wrong with it. */
function faultOf(name: OwnerField, value: string): string {
  if (name !== "url") return words.fields[name];
  const port = /:(\d+)(?:[/?#]|$)/.exec(value)?.[1] ?? "";
  return fill(words.urlFaults[urlFaultOf(value)], { port });
}

/** Marks the fields of a form that a refused request names. */
export function markFaults(form: HTMLFormElement, { errors = [] }: Body): void {
  const named = new Set(errors.map(({ pointer }) => pointer.split("/")[1]));
  for (const input of all<HTMLInputElement>('input[type="text"]', form)) {
    const name = input.name as keyof typeof words.fields;
    const isWrong = named.has(name);
    input.setAttribute("aria-invalid", String(isWrong));
    setText(byId(`fault-${name}`), isWrong ? faultOf(name, input.value) : "");
  }
  all<HTMLInputElement>('input[aria-invalid="true"]', form)[0]?.focus();
}

/** Says something next to the buttons of a form or section. */
export function say(scope: ParentNode, text: string): void {
  setText(all(".answer", scope)[0], text);
}

/** Settings as the fields of a form have them; an empty field is null, the default. */
export type Settings = Readonly<Record<string, unknown>>;

/** `shop.example.ru` is what people type. */
function addressOf(text: string): string {
  const trimmed = text.trim();
  return trimmed === "" || /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)
    ? trimmed
    : `https://${trimmed}`;
}

/** Text that is not a number is sent unchanged. The API refuses it, and names the field. */
const numberOf = (text: string): unknown => (/^\s*\d+\s*$/.test(text) ? Number(text) : text);

const READERS: Readonly<Record<FieldKind, (text: string) => unknown>> = {
  address: addressOf,
  line: (text) => text.trim(),
  numbers: (text) => (text.match(/[^\s,;]+/g) ?? []).map(numberOf),
  number: numberOf,
  // Blanks at the ends of a text to look for count.
  text: (text) => text,
};

/** What the fields of a form say. */
export function readSettings(form: HTMLFormElement): Settings {
  const inputs = all<HTMLInputElement>("input[name]", form);
  return Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)]));
}

function valueOf({ name, type, value, checked, dataset }: HTMLInputElement): unknown {
  if (type === "checkbox") return checked;
  if (value === "" && name !== "url") return null;
  // The pages have no other kinds; one from before they had any may still be in a cache.
  return READERS[(dataset["kind"] ?? "line") as FieldKind](value);
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
