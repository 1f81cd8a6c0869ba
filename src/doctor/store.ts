import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { dirname } from "node:path/posix";
import { KEYS_CURE, type ObjectStore, StoreError, type StoreOperation } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import { addressOf, requestAnonymously } from "../store/anonymous-access.ts";
import {
  checkConditionalWrites,
  type ConditionalWriteSupport,
  supportsConcurrentWriters,
  trialObject,
} from "../store/conditional-write-check.ts";
import { createInboxId } from "../store/inbox-id.ts";
import { bucketOf, parseLocation } from "../store/location.ts";
import { DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "../store/store-clock.ts";
import { attempt, type Check, fail, type CheckFinding, ok, warn } from "./check.ts";
import { encodeInbox, inboxKey, toInboxObject } from "../state/inbox.ts";
import { SETTING_OF, type StoreRole } from "../store/store-error.ts";

/** A store under test. */
export interface TriedStore {
  readonly role: StoreRole;
  readonly url: string;
  readonly store: ObjectStore;
}

/** What the checks of a store found. The first one is whether it can be used at all. */
export type StoreChecks = readonly [Check, ...Check[]];

/**
 * Whether each store can be used, enforces preconditions, is private where it has to be, and has the right time. A fault of what several
 * stores share, such as credentials, is told once.
 */
export async function checkStores(
  stores: readonly TriedStore[],
  wallMs: () => number,
): Promise<ReadonlyMap<StoreRole, StoreChecks>> {
  const checked = new Map<StoreRole, StoreChecks>();
  const told = new Map<string, string>();
  for (const one of stores) {
    const name = SETTING_OF[one.role];
    const found = await attempt(() => tryStore(one, wallMs));
    if (!(found instanceof Error)) {
      checked.set(one.role, found);
      continue;
    }
    const shared = found instanceof StoreError ? found.sharedFault : undefined;
    const bucket = bucketOf(one.url);
    const place = bucket === undefined ? one.url : (bucket.endpoint ?? "");
    const fault = `${place}: ${shared ?? name}`;
    const first = told.get(fault);
    checked.set(one.role, [
      { name, ...fail(first === undefined ? found.message : `the same fault as of ${first}.`) },
    ]);
    told.set(fault, first ?? name);
  }
  return checked;
}

async function tryStore(
  { role, url, store }: TriedStore,
  wallMs: () => number,
): Promise<StoreChecks> {
  const name = SETTING_OF[role];
  const key = `doctor/${randomUUID()}`;
  const bad = "the store did not return what was written. Is there a cache in between?";
  await store.write(key, trialObject(key));
  if (!(await isKept(store, key))) return [{ name, ...fail(`${store.name}: ${bad}`) }];
  const anonymous = await checkAnonymousAccess(role, url, key, wallMs);
  await store.remove(key);
  const abilities = await checkConditionalWrites(store, key);
  return [
    {
      name,
      ...ok(`${store.name}: can be read, written and removed from${adviseOnTag(url, store)}`),
    },
    { name: `${name} writers`, ...judgeAbilities(abilities) },
    ...anonymous,
  ];
}

async function isKept(store: ObjectStore, key: string): Promise<boolean> {
  const found = await store.read(key);
  return found !== undefined && Buffer.compare(found.body, trialObject(key).body) === 0;
}

/** With `etag=auto` each run sends two requests more, because it tries the wrong style of tags first. */
function adviseOnTag(url: string, store: ObjectStore): string {
  return bucketOf(url)?.etagStyle === "auto" && store.etagStyle?.() === "unquoted"
    ? "; etag=unquoted in its URL saves two requests in each run"
    : "";
}

/** Seen with Ceph's gateway 16.2 in a bucket with versioning. Source: docs/publish/protocol.md, "What a store must be able to do". */
const NEVER_REPLACED =
  "the store refuses to replace the current version of an object, so no run can publish. Some stores do so where versioning is on: use a bucket that never had versioning.";

function judgeAbilities(abilities: ConditionalWriteSupport): CheckFinding {
  if (supportsConcurrentWriters(abilities))
    return ok("enforces create-if-absent and compare-and-swap: several writers are safe");
  if (abilities.refusal !== undefined) return fail(abilities.refusal);
  if (!abilities.isCurrentAccepted) return fail(NEVER_REPLACED);
  const ignored = [
    ...(abilities.isCreateExclusive ? [] : ["creates an object twice"]),
    ...(abilities.isStaleRefused ? [] : ["overwrites a version that is no longer there"]),
  ];
  return warn(
    `the store ${ignored.join(" and ")}. Let one writer at a time use it: no overlapping runs, no intake.`,
  );
}

async function checkAnonymousAccess(
  role: StoreRole,
  url: string,
  key: string,
  wallMs: () => number,
): Promise<readonly Check[]> {
  const privacy = "--state privacy";
  const location = parseLocation(url);
  if (location.kind === "directory")
    return role === "private" ? [{ name: privacy, ...(await judgeMode(location.path)) }] : [];
  if (location.kind !== "s3") return [];
  const address = addressOf(location.location, key);
  const answer = await requestAnonymously(address);
  const clock = `${SETTING_OF[role]} clock`;
  if (answer === undefined) return [{ name: clock, ...fail(`${address.origin} gave no answer.`) }];
  return [
    ...(role === "private" ? [{ name: privacy, ...judgePrivacy(answer.status) }] : []),
    { name: clock, ...judgeClock(answer.dateMs, wallMs()) },
  ];
}

function judgePrivacy(status: number): CheckFinding {
  const detail = `anonymous clients get HTTP ${status}`;
  return status >= 400
    ? ok(detail)
    : fail(
        `${detail}: everyone can read the state. Remove the anonymous right to read from that bucket or prefix.`,
      );
}

async function judgeMode(path: string): Promise<CheckFinding> {
  const { mode } = await stat(path);
  return (mode & 0o077) === 0
    ? ok(`${path} is for its owner alone`)
    : warn(`${path} can be read by other users of this machine: chmod 700 it.`);
}

function judgeClock(dateMs: number | undefined, nowMs: number): CheckFinding {
  if (dateMs === undefined) return warn("the store does not send its time");
  const skewMs = Math.abs(nowMs - dateMs);
  const detail = `${Math.round(skewMs / SECOND_MS)} s from the store's`;
  if (skewMs < DOUBTED_CLOCK_MS) return ok(detail);
  const judge = skewMs >= REFUSED_CLOCK_MS ? fail : warn;
  return judge(`${detail}. Set the clock of this machine (NTP).`);
}

/**
 * Whether the store keeps and lists both an object and others below its key, such as `api/v1/status` and `api/v1/status/<slug>`: in stores
 * that keep objects as files, a file cannot be a folder. Written as a run does: the details before the list, each only if it is absent,
 * in three levels. No check for stores where no key is the folder of another.
 */
export async function checkKeys(url: string, store: ObjectStore): Promise<readonly Check[]> {
  if (bucketOf(url)?.keyStyle !== "exact") return [];
  // With a dot in the names, because `list` returns only such keys.
  const top = `doctor/${randomUUID()}.list`;
  const keys = [`${top}/detail.json/part.json`, `${top}/detail.json`, top];
  const finding = await attempt(() => tryLevels(store, keys));
  // The check of the store itself reports a missing right to remove.
  for (const key of keys) await attempt(() => store.remove(key));
  return [
    { name: "--store keys", ...(finding instanceof Error ? fail(finding.message) : finding) },
  ];
}

async function tryLevels(store: ObjectStore, keys: readonly string[]): Promise<CheckFinding> {
  for (const key of keys) {
    const { kind } = await store.write(key, trialObject(key), { kind: "absent" });
    if (kind === "conflict")
      return fail(`the store refuses to create x while there is x/y. ${KEYS_CURE}`);
  }
  for (const key of keys)
    if (!(await isKept(store, key)))
      return fail(`the store loses x or x/y if both exist. ${KEYS_CURE}`);
  const listed = await Promise.all(
    keys.map(async (key) => (await store.list(dirname(key))).includes(key)),
  );
  return listed.every(Boolean)
    ? ok("keeps x, x/y and x/y/z, and lists all of them")
    : warn(
        `the store does not list x if there is x/y, so a backup made by listing loses x. ${KEYS_CURE}`,
      );
}

/** The right that each step needs in a store with policies, as AWS names it. */
const RIGHTS: Readonly<Partial<Record<StoreOperation, string>>> = {
  write: "s3:PutObject on inbox/*",
  list: "s3:ListBucket on the bucket",
  find: "s3:GetObject on inbox/*",
  remove: "s3:DeleteObject on inbox/*",
};

/**
 * Whether reports can be written, found and removed, by an object that does it. It is a valid batch without reports, so a concurrent
 * publish may count and remove it.
 */
export async function checkInbox(
  url: string,
  store: ObjectStore,
  nowMs: number,
): Promise<readonly Check[]> {
  const key = inboxKey(createInboxId(nowMs));
  const object = toInboxObject(encodeInbox([]));
  const written = await attempt(() => store.write(key, object, { kind: "absent" }));
  // Reports both of the later failures, because several rights may be missing.
  const tried =
    written instanceof Error
      ? [written]
      : [await attempt(() => findListed(store, key)), await attempt(() => store.remove(key))];
  const failed = tried.flatMap((one) => (one instanceof StoreError ? [describe(url, one)] : []));
  const findings = failed.length > 0 ? failed : [ok("reports can be written, listed and removed")];
  return findings.map((finding) => ({ name: "--state inbox", ...finding }));
}

async function findListed(store: ObjectStore, key: string): Promise<void> {
  const isListed = (await store.list("inbox")).includes(key);
  if (isListed || !(await store.has(key))) return;
  throw new StoreError("list", "inbox", `${store.name}: a written object is not listed.`);
}

/** The failure of a step, with the right that it needs. */
function describe(url: string, { message, operation }: StoreError): CheckFinding {
  const right = bucketOf(url) && RIGHTS[operation];
  return fail(right === undefined ? message : `${message} It needs ${right}.`);
}
