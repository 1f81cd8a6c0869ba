import { decodeUtf8, mediaTypeOf } from "../../http-server/read-body.ts";
import { isObject } from "../../model/errors.ts";
import type { Language } from "../../contract/codes/language.ts";
import { SYMPTOMS } from "../../model/service/choices.ts";
import type { Report } from "../../model/service/reports.ts";

/** What is stored of a body, and the language of the page that the form was on; or why the body is refused. */
export type Content =
  | { readonly stored: Pick<Report, "symptom">; readonly language: Language }
  | { readonly reason: "unknown-media-type" | "malformed" | "unknown-symptom" };

/** Unvalidated values of the known fields; undefined if one is missing. */
type Fields = Readonly<Record<"symptom" | "language", unknown>>;

/** Throws when the body is malformed. */
type ReadFields = (bytes: Uint8Array<ArrayBuffer>, contentType: string) => Fields | Promise<Fields>;

const READERS: Readonly<Record<string, ReadFields>> = {
  "application/json": (bytes) => {
    const text = decodeUtf8(bytes);
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) throw new SyntaxError();
    if (keysOf(text).filter((key) => key === "symptom").length > 1) throw new SyntaxError();
    // A JSON request is not redirected, so it needs no language.
    const symptom = value["symptom"] ?? undefined;
    return { symptom, language: undefined };
  },
  "application/x-www-form-urlencoded": (bytes) => readForm(new URLSearchParams(decodeUtf8(bytes))),
  "multipart/form-data": async (bytes, contentType) => {
    const body = new Response(bytes, { headers: { "Content-Type": contentType } });
    return readForm(await body.formData());
  },
};

/** Whether a plain HTML form sent the body. Never throws. */
export function isForm(contentType = ""): boolean {
  const mediaType = mediaTypeOf(contentType);
  return ["application/x-www-form-urlencoded", "multipart/form-data"].includes(mediaType);
}

/**
 * Reads the symptom and the language of the page; an unknown language becomes Russian, because the report counts anyway. An empty
 * body of any type has no symptom. Unknown fields are ignored, so that pages may send more than older intakes know. Never rejects.
 */
export async function readSymptom(
  bytes: Uint8Array<ArrayBuffer>,
  contentType = "",
): Promise<Content> {
  if (bytes.byteLength === 0) return { stored: {}, language: "ru" };
  const mediaType = mediaTypeOf(contentType);
  const read = Object.hasOwn(READERS, mediaType) ? READERS[mediaType] : undefined;
  if (read === undefined) return { reason: "unknown-media-type" };
  try {
    const fields = await read(bytes, contentType);
    const language = fields.language === "en" ? "en" : "ru";
    if (fields.symptom === undefined) return { stored: {}, language };
    const symptom = SYMPTOMS.find((known) => known === fields.symptom);
    return symptom === undefined
      ? { reason: "unknown-symptom" }
      : { stored: { symptom }, language };
  } catch {
    return { reason: "malformed" };
  }
}

function readForm(form: Pick<FormData, "getAll"> | URLSearchParams): Fields {
  return { symptom: onlyOne(form.getAll("symptom")), language: form.getAll("language")[0] };
}

/** The choice "no particular symptom" of a form is an empty field. */
function onlyOne(values: readonly unknown[]): unknown {
  if (values.length > 1) throw new SyntaxError();
  return values[0] === "" ? undefined : values[0];
}

/** A string, or a structural character of JSON (RFC 8259, sections 2 and 7). Numbers and literals are skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/gsu;

/**
 * The keys of the outermost object, in order and with duplicates, of which `JSON.parse` keeps only the last. Escapes are resolved.
 * The text has to be an object that `JSON.parse` accepts, so that every quotation mark outside of a string begins one.
 */
export function keysOf(text: string): readonly string[] {
  const keys: string[] = [];
  let depth = 0;
  let before = "";
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ":" && depth === 1) keys.push(String(JSON.parse(before)));
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    before = token;
  }
  return keys;
}
