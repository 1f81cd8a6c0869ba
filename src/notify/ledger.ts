import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod";
import { writeIfUnchanged, type ETag, type ObjectStore } from "../model/store.ts";
import type { ChannelLedger } from "./rules/channel-ledger.ts";

/** The right to send, held by one notifier until it ends. */
export interface Lease {
  /** Random name of a process. */
  readonly holder: string;
  readonly untilMs: number;
}

/** What a notifier knows between two cycles. */
export interface Ledger {
  /** Number of the first change of the outbox that was not taken yet; undefined before the first cycle. */
  readonly cursor?: number;
  readonly lease?: Lease;
  /** By key of the channel; one without news has none. */
  readonly channels: ReadonlyMap<string, ChannelLedger>;
}

const EMPTY: Ledger = { channels: new Map() };

/** The ledger cannot be read. It is never overwritten: the operator decides what to do with it. */
export class LedgerError extends Error {
  override readonly name = "LedgerError";
}

const instant = z.number().min(0);
const change = { seq: z.int().min(1), subject: z.string(), atMs: instant };

const CHANNEL = z.strictObject({
  waiting: z
    .array(
      z.discriminatedUnion("kind", [
        z.strictObject({
          ...change,
          kind: z.literal("changed"),
          before: z.string(),
          sinceMs: instant,
          after: z.string(),
          code: z.exactOptional(z.string()),
          id: z.exactOptional(z.string()),
          isUrgent: z.exactOptional(z.literal(true)),
          beganMs: z.exactOptional(instant),
        }),
        z.strictObject({ ...change, kind: z.literal("added") }),
      ]),
    )
    .readonly(),
  told: z
    .array(
      z.tuple([
        z.string(),
        z.strictObject({ state: z.string(), sinceMs: instant, toldAtMs: instant }),
      ]),
    )
    .readonly(),
  offered: z.array(z.tuple([z.string(), z.string()])).readonly(),
  sent: z.exactOptional(
    z.array(z.tuple([z.string(), z.strictObject({ ref: z.string(), atMs: instant })])).readonly(),
  ),
  tries: z.int().min(0),
  failingSinceMs: instant,
  nextAtMs: instant,
});

const LEDGER = z.strictObject({
  format: z.literal("status-snapshot/ledger"),
  version: z.literal(1),
  cursor: z.exactOptional(z.int().min(1)),
  lease: z.exactOptional(z.strictObject({ holder: z.string(), untilMs: instant })),
  channels: z.array(z.tuple([z.string(), CHANNEL])).readonly(),
});

/** The ledger as bytes: gzip over JSON. Throws if it does not fit its own layout. */
export function encodeLedger({ channels, ...others }: Ledger): Uint8Array {
  const wire = {
    format: "status-snapshot/ledger",
    version: 1,
    ...others,
    channels: [...channels].map(([key, { told, offered, sent, ...one }]) => [
      key,
      // Without messages that can be changed, an older program can read it too.
      { ...one, told: [...told], offered: [...offered], ...(sent.size > 0 && { sent: [...sent] }) },
    ]),
  };
  return gzipSync(JSON.stringify(LEDGER.parse(wire)), { level: 4 });
}

/** The ledger in the bytes. Throws `LedgerError`. */
export function decodeLedger(bytes: Uint8Array, name: string): Ledger {
  const parsed = LEDGER.safeParse(inflate(bytes, name));
  if (!parsed.success) throw damaged(name);
  const { format: _, version: __, channels, ...others } = parsed.data;
  return {
    ...others,
    channels: new Map(
      channels.map(([key, { told, offered, sent, ...one }]) => [
        key,
        { ...one, told: new Map(told), offered: new Map(offered), sent: new Map(sent) },
      ]),
    ),
  };
}

/** A ledger of the longest outage stays far below it. */
const MAX_BYTES = 256 * 1024 * 1024;

function inflate(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8"));
  } catch {
    throw damaged(name);
  }
}

function damaged(name: string): LedgerError {
  return new LedgerError(
    `${name} is not a ledger of this program, or damaged. Restore it from a copy, or remove it: then only changes of the last quarter of an hour are sent.`,
  );
}

/** A ledger in a store, written only over the version that was read or written last. */
export interface LedgerFile {
  readonly current: () => Ledger;
  /** False: another notifier has written it. Throws `StoreError`. */
  readonly save: (ledger: Ledger) => Promise<boolean>;
}

/** Opens the ledger under a key. Throws `LedgerError`, `StoreError`. */
export async function openLedger(store: ObjectStore, key: string): Promise<LedgerFile> {
  const found = await store.read(key);
  const name = `${key} in ${store.name}`;
  let ledger = found === undefined ? EMPTY : decodeLedger(found.body, name);
  let etag: ETag | undefined = found?.etag;
  return {
    current: () => ledger,
    save: async (next) => {
      const body = encodeLedger(next);
      const object = { body, contentType: "application/gzip", cacheControl: "no-store" };
      const result = await writeIfUnchanged(store, key, object, etag);
      // After an unclear answer only the content shows whose write it was; a lease has the name of its holder.
      const written = result.kind === "written" ? result.etag : await findOwn(store, key, body);
      if (written === undefined) {
        if (result.kind === "unknown") throw result.error;
        return false;
      }
      etag = written;
      ledger = next;
      return true;
    },
  };
}

async function findOwn(
  store: ObjectStore,
  key: string,
  body: Uint8Array,
): Promise<ETag | undefined> {
  const found = await store.read(key);
  return found !== undefined && Buffer.from(found.body).equals(body) ? found.etag : undefined;
}
