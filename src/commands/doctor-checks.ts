import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Catalogue } from "../model/catalogue.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import type { Resolve } from "../probe/dns.ts";
import { zoneOf } from "../probe/zones.ts";
import type { Check } from "../render/checks.ts";
import { type Abilities, canShare, probeAbilities } from "../store/abilities.ts";
import { addressOf, askAnonymously } from "../store/anonymous.ts";
import { DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "../store/clock.ts";
import { parseLocation } from "../store/location.ts";
import type { S3Location } from "../store/s3-url.ts";
import { SETTING_OF, type StoreRole } from "../store/settings.ts";

const USABLE = "can be read, written and removed from";

/** A name that cannot exist. Source: RFC 2606. */
const NO_NAME = "status-snapshot-doctor.invalid";

/** That the catalogue is valid is known by now, since it was parsed; this says which file it was, and how much is in it. */
export function checkCatalogue(file: string, { services }: Catalogue): Check {
  return { name: "catalogue", result: "ok", detail: `${file}: ${services.length} services` };
}

/** Without its root a national chain cannot be judged: the endpoints are probed, but nothing they say is authenticated. */
export function checkTrust({ services }: Catalogue, extraCa: string | undefined): Check {
  const national = services
    .flatMap(({ endpoints }) => endpoints)
    .filter(({ trust }) => trust === "national");
  if (national.length === 0 || extraCa !== undefined) {
    return {
      name: "trust",
      result: "ok",
      detail: extraCa ?? "no endpoint needs a root of its own",
    };
  }
  const detail = `${national.length} endpoints may show a certificate of the national root, which nobody gave us. Name it with --extra-ca.`;
  return { name: "trust", result: "warn", detail };
}

/** Whether the store can be used, what it makes of preconditions, whether strangers can read it, and what its clock says. */
export async function checkStore(
  role: StoreRole,
  url: string,
  store: ObjectStore,
  wallMs: () => number,
): Promise<readonly Check[]> {
  const name = SETTING_OF[role];
  const key = `doctor/${randomUUID()}`;
  try {
    const body = Buffer.from(`status-snapshot doctor ${key}\n`);
    await store.write(key, { body, contentType: "text/plain", cacheControl: "no-store" });
    const found = await store.read(key);
    if (found === undefined || Buffer.compare(found.body, body) !== 0) {
      return [
        {
          name,
          result: "fail",
          detail: `${store.name}: what was written was not read back. Is there a cache in between?`,
        },
      ];
    }
    const strangers = await checkStrangers(role, url, key, wallMs);
    await store.remove(key);
    const abilities = await probeAbilities(store, key);
    return [
      { name, result: "ok", detail: `${store.name}: ${USABLE}${adviseOnTag(url, store)}` },
      describeAbilities(`${name} writers`, abilities),
      ...strangers,
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [{ name, result: "fail", detail: error.message }];
  }
}

/** What saves a run two requests, for each place a tag that is wrong at first. */
function adviseOnTag(url: string, store: ObjectStore): string {
  const place = parseLocation(url);
  const isFoundOut = place.kind === "s3" && place.location.etagStyle === "auto";
  return isFoundOut && store.etagStyle?.() === "unquoted"
    ? "; etag=unquoted in its URL saves two requests in each run"
    : "";
}

/** Seen of Ceph's gateway 16.2 in a bucket with versioning. Source: docs/publishing.md, "What a store must be able to do". */
const NEVER_REPLACED =
  "the store refuses to replace the very version that is there, so no run can publish. Some do so where versioning is on: take a bucket that never had it.";

function describeAbilities(name: string, abilities: Abilities): Check {
  if (canShare(abilities)) {
    const detail = "enforces create-if-absent and compare-and-swap: several writers are safe";
    return { name, result: "ok", detail };
  }
  if (abilities.refusal !== undefined) return { name, result: "fail", detail: abilities.refusal };
  if (!abilities.isCurrentAccepted) return { name, result: "fail", detail: NEVER_REPLACED };
  const ignored = [
    ...(abilities.isCreateExclusive ? [] : ["creates an object twice"]),
    ...(abilities.isStaleRefused ? [] : ["overwrites a version that is no longer there"]),
  ];
  const detail = `the store ${ignored.join(" and ")}. Let one writer at a time use it: no overlapping runs, no intake.`;
  return { name, result: "warn", detail };
}

async function checkStrangers(
  role: StoreRole,
  url: string,
  key: string,
  wallMs: () => number,
): Promise<readonly Check[]> {
  const location = parseLocation(url);
  if (location.kind === "directory")
    return role === "private" ? [await checkMode(location.path)] : [];
  if (location.kind !== "s3") return [];
  const { address, answer } = await ask(location.location, key);
  if (answer === undefined) {
    return [
      {
        name: `${SETTING_OF[role]} clock`,
        result: "fail",
        detail: `${address.origin} gave no answer.`,
      },
    ];
  }
  const clock = judgeClock(`${SETTING_OF[role]} clock`, answer.dateMs, wallMs());
  return role === "private" ? [judgePrivacy(answer.status), clock] : [clock];
}

async function ask(
  location: S3Location,
  key: string,
): Promise<{ address: URL; answer: Awaited<ReturnType<typeof askAnonymously>> }> {
  const address = addressOf(location, key);
  return { address, answer: await askAnonymously(address) };
}

function judgePrivacy(status: number): Check {
  const name = "--state privacy";
  if (status >= 400) return { name, result: "ok", detail: `strangers get HTTP ${status}` };
  const detail = `strangers get HTTP ${status}: anybody can read the state. Take the anonymous right to read from that bucket or prefix.`;
  return { name, result: "fail", detail };
}

/** Group and others need no right at all to the folder of the state. */
async function checkMode(path: string): Promise<Check> {
  const name = "--state privacy";
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return { name, result: "ok", detail: `${path} is for its owner alone` };
  const detail = `${path} can be read by other users of this machine: chmod 700 it.`;
  return { name, result: "warn", detail };
}

function judgeClock(name: string, dateMs: number | undefined, nowMs: number): Check {
  if (dateMs === undefined)
    return { name, result: "warn", detail: "the store does not tell its time" };
  const skewMs = Math.abs(nowMs - dateMs);
  const detail = `${Math.round(skewMs / SECOND_MS)} s from the store's`;
  if (skewMs < DOUBTED_CLOCK_MS) return { name, result: "ok", detail };
  const result = skewMs >= REFUSED_CLOCK_MS ? "fail" : "warn";
  return { name, result, detail: `${detail}. Set the clock of this machine (NTP).` };
}

/** A resolver that answers for a real name, and does not answer for one that cannot exist. */
export async function checkResolver(
  { anchors }: Catalogue,
  resolve: Resolve,
): Promise<readonly Check[]> {
  // An anchor may be an address, which no resolver knows.
  const named = anchors.find(({ url }) => zoneOf(url) !== undefined);
  const host = new URL(named?.url ?? "https://ya.ru/").hostname;
  const never = new AbortController().signal;
  const [real, bogus] = await Promise.all([
    resolve(host, 4, BUDGET_MS, never),
    resolve(NO_NAME, 4, BUDGET_MS, never),
  ]);
  const works: Check =
    real.kind === "addresses"
      ? { name: "resolver", result: "ok", detail: `${host} is ${real.addresses.join(", ")}` }
      : {
          name: "resolver",
          result: "fail",
          detail: `${host}: ${real.code}. Name a resolver that works with --dns.`,
        };
  return [works, judgeHonesty(bogus)];
}

/** Only a resolver that said that there is no such name was honest: one that said nothing may lie when it speaks. */
function judgeHonesty(bogus: Awaited<ReturnType<Resolve>>): Check {
  const name = "resolver honesty";
  if (bogus.kind === "addresses") {
    const detail = `it made up ${bogus.addresses.join(", ")} for a name that cannot exist. Name another with --dns.`;
    return { name, result: "fail", detail };
  }
  if (bogus.code === "dns-nxdomain" || bogus.code === "dns-no-answer") {
    return { name, result: "ok", detail: "a name that cannot exist has no address" };
  }
  const detail = `not known: it was asked for a name that cannot exist, and did not say so (${bogus.code}).`;
  return { name, result: "warn", detail };
}

const BUDGET_MS = 4 * SECOND_MS;
