import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { messageOf, parseJson } from "../../model/errors.ts";
import type { StoredObject } from "../../model/store.ts";

/** The only layout there is, of every kind of object. */
const LAYOUT = 1;

const MIB_BYTES = 1024 * 1024;

/** A quarter to a third of the time of the default level, for 4 to 5 % more bytes. Source: docs/measurements.md, "Stores". */
const GZIP_LEVEL = 4;

/** Bytes as an object of the state store, which no cache may keep. */
export function toPrivateObject(body: Uint8Array, contentType = "application/gzip"): StoredObject {
  return { body, contentType, cacheControl: "no-store" };
}

export type Decoded<Value> =
  | { readonly kind: "ok"; readonly value: Value }
  | {
      readonly kind: "invalid";
      readonly message: string;
      /** Whole, but written by a newer version. */
      readonly isNewer?: true;
    };

export interface StoredKind<Value> {
  /** The same bytes for the same value. Throws `RangeError` if the value does not fit its own layout: it could not be read back. */
  readonly encode: (value: Value) => Uint8Array;
  /** Of bytes that are damaged, foreign or of a newer version a message that says what to do; they must stay. Never throws. */
  readonly decode: (bytes: Uint8Array) => Decoded<Value>;
}

/** What is told apart by its `format`. */
interface Envelope {
  /** In messages: `the state`. */
  readonly name: string;
  readonly format: string;
  /** What to do with damaged bytes. */
  readonly remedy?: string;
  /** What to do with bytes of something else. @default `remedy` */
  readonly remedyIfForeign?: string;
  /** Larger ones can only be a mistake or a decompression bomb. Default: 64. */
  readonly maxMiB?: number;
  /** Small objects that live for minutes are not compressed. */
  readonly isPlain?: boolean;
}

/**
 * JSON with a format, a layout number and the content, gzipped or plain.
 *
 * @param toJson the content as the JSON of an object with at least one field.
 */
export function storedAs<Value>(
  { name, format, remedy, remedyIfForeign = remedy, maxMiB = 64, isPlain = false }: Envelope,
  content: z.ZodType<Value, object>,
  toJson: (value: Value) => string = (value) => encodeJson(name, content, value),
): StoredKind<Value> {
  const head = z.looseObject({ format: z.literal(format), version: z.int().min(1) });
  const start = JSON.stringify({ format, version: LAYOUT }).slice(0, -1);
  const encode = (value: Value): Uint8Array => {
    const json = Buffer.from(`${start},${toJson(value).slice(1)}`);
    if (json.length > maxMiB * MIB_BYTES)
      throw new RangeError(`${name} cannot be stored: over ${maxMiB} MiB`);
    return isPlain ? json : gzipSync(json, { level: GZIP_LEVEL });
  };
  const decode = (bytes: Uint8Array): Decoded<Value> => {
    const json = readJson(bytes, maxMiB);
    if ("problem" in json) return invalid(`${name} ${json.problem}`, remedy);
    const parsed = head.safeParse(json.value);
    if (!parsed.success) return invalid(`this is not ${name} of status-snapshot`, remedyIfForeign);
    const { format: _, version, ...rest } = parsed.data;
    if (version > LAYOUT) return newer(name, `it has layout ${version}`);
    const value = content.safeParse(rest);
    if (value.success) return { kind: "ok", value: value.data };
    const { issues } = value.error;
    const unknown = issues.find(({ code }) => code === "unrecognized_keys");
    return unknown === undefined
      ? invalid(`${name} is damaged: ${describe(issues[0])}`, remedy)
      : newer(name, describe(unknown));
  };
  return { encode, decode };
}

/**
 * As `storedAs`, for a large object: a field that is the same value as in an earlier call is not encoded again, because a run writes its
 * state more than once, and changes little of it in between.
 */
export function storedByField<Shape extends z.ZodRawShape>(
  envelope: Envelope,
  shape: Shape,
): StoredKind<z.output<z.ZodObject<Shape>>> {
  const fields = Object.entries(shape).map(([field, schema]) => {
    const content = z.strictObject({ [field]: schema });
    const known = new WeakMap<object, string>();
    return (values: ReadonlyMap<string, unknown>): string => {
      const value = values.get(field);
      const isKept = typeof value === "object" && value !== null;
      const before = isKept ? known.get(value) : undefined;
      const json = before ?? encodeJson(envelope.name, content, { [field]: value }).slice(1, -1);
      if (isKept) known.set(value, json);
      return json;
    };
  });
  return storedAs(envelope, z.strictObject(shape), (value) => {
    const values = new Map<string, unknown>(Object.entries(value));
    return `{${fields.map((encodeField) => encodeField(values)).join(",")}}`;
  });
}

/** Throws `RangeError`. */
function encodeJson<Value>(name: string, content: z.ZodType<Value>, value: Value): string {
  const stored = z.safeEncode(content, value);
  if (stored.success) return JSON.stringify(stored.data);
  throw new RangeError(`${name} cannot be stored: ${describe(stored.error.issues[0])}`);
}

function invalid(...reasons: readonly (string | undefined)[]) {
  const message = reasons.filter((reason) => reason !== undefined).join("; ");
  return { kind: "invalid", message } as const;
}

function newer(name: string, how: string) {
  const why = `${name} was written by a newer version of status-snapshot (${how}; this one reads layout ${LAYOUT})`;
  return { ...invalid(why, "install that version, or restore a backup"), isNewer: true } as const;
}

function describe(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "unknown damage";
  return [...(issue.path.length === 0 ? [] : [issue.path.join(".")]), issue.message].join(": ");
}

/** The JSON in stored bytes, gzipped or not, or what is wrong with them. Never throws. */
function readJson(bytes: Uint8Array, maxMiB: number) {
  if (bytes.length === 0) return { problem: "is empty" };
  if (bytes.length > maxMiB * MIB_BYTES) return { problem: `is over ${maxMiB} MiB` };
  let text: string;
  try {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: maxMiB * MIB_BYTES }) : bytes;
    text = new TextDecoder("utf-8", { fatal: true }).decode(plain);
  } catch (error) {
    return { problem: `is corrupt or cut short (${messageOf(error)})` };
  }
  const value = parseJson(text);
  return value === undefined ? { problem: "is corrupt or foreign: it is not JSON" } : { value };
}
