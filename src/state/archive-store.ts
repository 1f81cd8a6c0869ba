import pLimit from "p-limit";
import {
  type ArchivePart,
  HOUR_OF_REPORTS,
  type HourOfReports,
  STORED_PARTS,
} from "../model/service/archive.ts";
import { parseJson } from "../model/errors.ts";
import { groupBy } from "../model/lists.ts";
import { listOf } from "../model/stored-parts.ts";
import { toPrivateObject } from "./codec/stored.ts";
import {
  writeIfUnchanged,
  type ObjectStore,
  STORE_CONCURRENCY,
  StoreError,
} from "../model/store.ts";
import { DAY_MS } from "../model/time.ts";
import { SLOT_MS } from "../model/monitor/uptime.ts";

/** Folder of the state store with what runs keep until their day is over. */
const SPOOL = "archive-spool";
const SEALED = "archive";

const SLOT_DIGITS = 10;

function spoolKey(slot: number): string {
  return `${SPOOL}/${String(slot).padStart(SLOT_DIGITS, "0")}.ndjson.gz`;
}

/** Writes what a run keeps, if its slot has nothing yet. False: another run was first. Throws `StoreError`. */
export async function writeSpool(store: ObjectStore, slot: number, body: Uint8Array) {
  return writeOnce(store, spoolKey(slot), body, "application/gzip");
}

/** The slots that were kept, by UTC day, ascending. Throws `StoreError`. */
export async function listSpool(
  store: ObjectStore,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const slots = (await store.list(SPOOL))
    .map((key) => Number(/(\d+)\.ndjson\.gz$/u.exec(key)?.[1] ?? Number.NaN))
    .filter(Number.isInteger)
    .toSorted((a, b) => a - b);
  return groupBy(slots, (slot) => Math.floor((slot * SLOT_MS) / DAY_MS));
}

/** The objects of these slots, in their order; one that is gone is left out. Throws `StoreError`. */
export async function readSpool(store: ObjectStore, slots: readonly number[]) {
  const found = await pLimit(STORE_CONCURRENCY).map(slots, (slot) => store.read(spoolKey(slot)));
  return found.flatMap((one) => (one === undefined ? [] : [one.body]));
}

/** Removes what is sealed. Throws `StoreError`. */
export async function removeSpool(store: ObjectStore, slots: readonly number[]): Promise<void> {
  await pLimit(STORE_CONCURRENCY).map(slots, (slot) => store.remove(spoolKey(slot)));
}

function sealedKey(date: string, name: string): string {
  return `${SEALED}/${date}.${name}`;
}

/** Seals a file: the first writer decides what it is, and every other one gets that. Throws `StoreError`. */
export async function sealArchiveFile(
  store: ObjectStore,
  date: string,
  name: string,
  body: Uint8Array,
): Promise<Uint8Array> {
  const key = sealedKey(date, name);
  if (await writeOnce(store, key, body, "application/octet-stream")) return body;
  return (await store.read(key))?.body ?? body;
}

/** A sealed file; undefined if there is none. Throws `StoreError`. */
export async function readArchiveFile(store: ObjectStore, date: string, name: string) {
  return (await store.read(sealedKey(date, name)))?.body;
}

/** The dates of all sealed files. Throws `StoreError`. */
export async function listSealed(store: ObjectStore) {
  return (await store.list(SEALED)).flatMap((key) => {
    const date = /\/(\d{4}-\d\d(?:-\d\d)?)\./u.exec(key)?.[1];
    return date === undefined ? [] : [{ date, key }];
  });
}

/** True: it was written, by this request or an earlier one whose answer was lost. */
async function writeOnce(store: ObjectStore, key: string, body: Uint8Array, contentType: string) {
  const object = toPrivateObject(body, contentType);
  const result = await writeIfUnchanged(store, key, object, undefined);
  if (result.kind === "written") return true;
  const found = await store.read(key);
  if (found !== undefined) return Buffer.from(found.body).equals(body);
  if (result.kind === "unknown") throw result.error;
  return false;
}

export const HOURS_FILE = "reports.json";

export function encodeHours(hours: readonly HourOfReports[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(hours));
}

/** Empty if the bytes are damaged. */
export function decodeHours(body: Uint8Array): readonly HourOfReports[] {
  const hours = parseJson(new TextDecoder().decode(body));
  return listOf(HOUR_OF_REPORTS).safeParse(hours).data ?? [];
}

/** The parts of the days of a closed month. */
const DAYS_FILE = "days.json";

/** Undefined if the object of this month is gone or damaged. Throws `StoreError`. */
export async function readClosedDays(store: ObjectStore, month: string) {
  return decodeDays(await readArchiveFile(store, month, DAYS_FILE), month);
}

function decodeDays(
  body: Uint8Array | undefined,
  month: string,
): readonly ArchivePart[] | undefined {
  if (body === undefined) return undefined;
  const days = STORED_PARTS.safeParse(parseJson(new TextDecoder().decode(body))).data;
  return days?.filter(({ date }) => date.startsWith(`${month}-`));
}

/** Closes a month with these days, unless another writer was first, whose days it returns. Writes over what is damaged. Throws `StoreError`. */
export async function sealClosedDays(
  store: ObjectStore,
  month: string,
  days: readonly ArchivePart[],
): Promise<readonly ArchivePart[]> {
  const key = sealedKey(month, DAYS_FILE);
  const found = await store.read(key);
  const known = decodeDays(found?.body, month);
  if (known !== undefined) return known;
  const body = new TextEncoder().encode(JSON.stringify(days));
  const object = toPrivateObject(body, "application/json");
  const result = await writeIfUnchanged(store, key, object, found?.etag);
  if (result.kind === "written") return days;
  const winner = await readClosedDays(store, month);
  if (winner !== undefined) return winner;
  throw result.kind === "unknown"
    ? result.error
    : new StoreError("write", key, `${store.name}: ${key} was changed meanwhile.`);
}
