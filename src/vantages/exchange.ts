import { messageOf } from "../model/errors.ts";
import { MAX_CATALOGUE_ENDPOINTS } from "../model/service/catalogue.ts";
import { type Ask, MAX_VANTAGES, type Vantage } from "../model/service/vantage.ts";
import { type ObjectStore, onStoreError } from "../model/store.ts";
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { ENDPOINT } from "../services/catalogue/endpoint.ts";

/*
 * Where the runner and its vantages meet: an object store in which each vantage may read `ask/*` and write `evidence/<id>/*`, and nothing
 * else. Source: docs/services/vantages.md, "The exchange".
 */

/** Of an unpacked ask. Source: docs/services/vantages.md, "Limits". */
const MAX_UNPACKED_BYTES = 1024 * 1024;

const endpoint = ENDPOINT.omit({
  what: true,
  whatRu: true,
  critical: true,
  leadsTo: true,
  refuses: true,
}).extend({
  trust: ENDPOINT.shape.trust.unwrap(),
  sites: z.exactOptional(z.array(z.string()).readonly()),
});

const ASK = z.strictObject({
  format: z.literal("status-snapshot/ask"),
  version: z.literal(1),
  id: z.uuid(),
  after: z.uuid().nullable(),
  /** Absent: no one, as vantages of 0.1.0 understand it. */
  experimenters: z.exactOptional(z.array(z.string()).max(MAX_VANTAGES).readonly()),
  browsers: z.exactOptional(z.array(z.string()).max(MAX_CATALOGUE_ENDPOINTS).readonly()),
  atMs: z.int().min(0),
  endpoints: z.array(endpoint).max(MAX_CATALOGUE_ENDPOINTS).readonly(),
  failing: z
    .array(z.tuple([z.string(), z.string().nullable()]).readonly())
    .max(MAX_CATALOGUE_ENDPOINTS)
    .readonly(),
});

/** The ask as bytes: gzip over JSON. */
export function encodeAsk({ id, after, experimenters, browsers, atMs, ...ask }: Ask): Uint8Array {
  const endpoints = ask.endpoints.map(toTarget);
  const failing = [...ask.failing];
  const head = { format: "status-snapshot/ask", version: 1, id, after, atMs };
  const places = experimenters.length === 0 ? {} : { experimenters, browsers };
  return gzipSync(JSON.stringify({ ...head, ...places, endpoints, failing }));
}

/** Only what a probe needs: the names of the parts are of no use elsewhere. */
function toTarget(known: Ask["endpoints"][number]): z.infer<typeof endpoint> {
  const values: Readonly<Record<string, unknown>> = { ...known };
  const names = Object.keys(endpoint.shape).filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as z.infer<typeof endpoint>;
}

/** The ask in the bytes, within bounds for any input. Never throws. */
export function decodeAsk(bytes: Uint8Array) {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }).toString("utf8");
    const read = ASK.safeParse(JSON.parse(text));
    if (read.success) {
      const { format: _, version: _v, failing, ...ask } = read.data;
      const { experimenters = [], browsers = [] } = ask;
      const whole: Ask = { ...ask, experimenters, browsers, failing: new Map(failing) };
      return { kind: "ok", ask: whole } as const;
    }
    const [first] = read.error.issues;
    const message = `${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
    return { kind: "invalid", message } as const;
  } catch (error) {
    return { kind: "invalid", message: messageOf(error) } as const;
  }
}

/** Digest of the URLs of an ask in their order, so that an answer can leave them out. */
export function digestUrls(urls: readonly string[]): string {
  return createHash("sha256").update(urls.join("\n")).digest("base64url").slice(0, 22);
}

/** Two asks at a time, written in turn: so a vantage needs neither a list nor a clock to find the newest. */
const ASK_KEYS = ["ask/0.json.gz", "ask/1.json.gz"] as const;

/** Of an ask as it is stored. Hundreds of endpoints take some kilobytes. */
const MAX_ASK_BYTES = 256 * 1024;

/** Of signed evidence, as it is stored and when it is unpacked. */
export const MAX_EVIDENCE_BYTES: number = 256 * 1024;

const GZIP = { contentType: "application/gzip", cacheControl: "no-store" };

function evidenceKey(vantageId: string, askId: string): string {
  return `evidence/${vantageId}/${askId}.json.gz`;
}

/** Writes an ask in place of the older one of the last two. Throws `StoreError`. */
export async function writeAsk(store: ObjectStore, ask: Ask): Promise<void> {
  const first = ask.after === null ? undefined : await store.read(ASK_KEYS[0], MAX_ASK_BYTES);
  const held = first && decodeAsk(first.body);
  const isFirstNewer = held?.kind === "ok" && held.ask.id === ask.after;
  await store.write(ASK_KEYS[isFirstNewer ? 1 : 0], { body: encodeAsk(ask), ...GZIP });
}

/**
 * Reads the newest ask each time it is called; undefined: there is none yet. As asks take turns, only the tag of the place of the next one
 * is asked for while that stays the same, which costs a line at home some hundred bytes in place of both asks. After a state was lost the
 * first ask may take the other place, and is passed over. What is returned throws `StoreError` if neither of the two can be read.
 */
export function createAskReader(
  store: ObjectStore,
  warn: (message: string) => void,
): () => Promise<Ask | undefined> {
  let newest: Awaited<ReturnType<typeof readNewest>>;
  return async () => {
    // Null differs from every tag, so that a failed look leads to a read.
    const tag = newest && (await store.find(newest.nextKey).catch(onStoreError(() => null)));
    if (newest === undefined || tag !== newest.nextTag) newest = await readNewest(store, warn);
    return newest?.ask;
  };
}

/** The newest ask, and the key and tag of the place of the next one, as it was then; no tag: nothing was there, or it could not be read. */
async function readNewest(store: ObjectStore, warn: (message: string) => void) {
  const read = await Promise.allSettled(ASK_KEYS.map((key) => store.read(key, MAX_ASK_BYTES)));
  const tags = read.map((one) => (one.status === "fulfilled" ? one.value?.etag : undefined));
  const asks = read.flatMap((one, index) => {
    if (one.status === "rejected" || one.value === undefined) return [];
    const decoded = decodeAsk(one.value.body);
    if (decoded.kind === "ok") return [{ ask: decoded.ask, index }];
    warn(`${store.name}: ${ASK_KEYS[index] ?? ""} is not a valid ask: ${decoded.message}.`);
    return [];
  });
  // Without the right to list, a store answers "denied" for an object that is not there yet.
  const failed = read.find((one) => one.status === "rejected");
  if (failed !== undefined && asks.length === 0) throw failed.reason;
  const isNewest = ({ ask: { id } }: { readonly ask: Ask }) =>
    asks.every(({ ask: { after } }) => after !== id);
  const found = asks.find(isNewest) ?? asks[0];
  if (found === undefined) return undefined;
  const next = found.index === 0 ? 1 : 0;
  return { ask: found.ask, nextKey: ASK_KEYS[next], nextTag: tags[next] };
}

/** Puts the evidence of a vantage for an ask; `answered`: it is there already. Throws `StoreError`. */
export async function putEvidence(
  store: ObjectStore,
  vantageId: string,
  askId: string,
  body: Uint8Array,
): Promise<"put" | "answered"> {
  const key = evidenceKey(vantageId, askId);
  const written = await store.write(key, { body, ...GZIP }, { kind: "absent" });
  return written.kind === "written" ? "put" : "answered";
}

/** The bytes that a vantage gave for an ask; undefined: none so far. A longer object is cut off. Throws `StoreError`. */
export async function readEvidence(
  store: ObjectStore,
  vantage: Pick<Vantage, "id">,
  askId: string,
): Promise<Uint8Array | undefined> {
  return (await store.read(evidenceKey(vantage.id, askId), MAX_EVIDENCE_BYTES))?.body;
}

/** Removes the answers to an ask that is no longer believed. What cannot be removed stays, without harm. */
export async function removeEvidence(
  store: ObjectStore,
  vantages: readonly Pick<Vantage, "id">[],
  askId: string,
): Promise<void> {
  const remove = (key: string) => store.remove(key).catch(onStoreError(() => undefined));
  await Promise.all(vantages.map(({ id }) => remove(evidenceKey(id, askId))));
}
