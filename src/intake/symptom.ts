import { type Report, SYMPTOMS } from "../model/reports.ts";

export type SymptomResult =
  | { readonly kind: "ok"; readonly symptom: Report["symptom"] }
  | { readonly kind: "unknown-media-type" }
  | { readonly kind: "malformed" }
  | { readonly kind: "unknown-symptom" };

const FORMS = new Set(["application/x-www-form-urlencoded", "multipart/form-data"]);

/** The value of the field `symptom`, whatever it is; undefined when it is not there. Throws when the body is malformed. */
type ReadField = (bytes: Uint8Array<ArrayBuffer>, contentType: string) => unknown;

const READERS: Readonly<Record<string, ReadField>> = {
  "application/json": (bytes) => {
    const value: unknown = JSON.parse(decode(bytes));
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new SyntaxError("not an object");
    }
    return "symptom" in value ? (value.symptom ?? undefined) : undefined;
  },
  "application/x-www-form-urlencoded": (bytes) =>
    onlyOne(new URLSearchParams(decode(bytes)).getAll("symptom")),
  "multipart/form-data": async (bytes, contentType) => {
    const body = new Response(bytes, { headers: { "Content-Type": contentType } });
    return onlyOne((await body.formData()).getAll("symptom"));
  },
};

/** Whether the body is what a plain HTML form sends. Never throws. */
export function isForm(contentType: string | undefined): boolean {
  return FORMS.has(mediaTypeOf(contentType));
}

/**
 * What a body says of the symptom. An empty body says nothing, whatever its type claims; fields of other names are ignored, so
 * that pages may send more than older intakes know. Never rejects.
 */
export async function readSymptom(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string | undefined,
): Promise<SymptomResult> {
  if (bytes.byteLength === 0) return { kind: "ok", symptom: undefined };
  const mediaType = mediaTypeOf(contentType);
  const read = Object.hasOwn(READERS, mediaType) ? READERS[mediaType] : undefined;
  if (read === undefined) return { kind: "unknown-media-type" };
  try {
    const value = await read(bytes, contentType ?? "");
    const symptom = SYMPTOMS.find((known) => known === value);
    return value === undefined || symptom !== undefined
      ? { kind: "ok", symptom }
      : { kind: "unknown-symptom" };
  } catch {
    return { kind: "malformed" };
  }
}

function mediaTypeOf(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** The choice "no particular symptom" of a form is an empty field. */
function onlyOne(values: readonly unknown[]): unknown {
  if (values.length > 1) throw new SyntaxError("the field is there more than once");
  return values[0] === "" ? undefined : values[0];
}
