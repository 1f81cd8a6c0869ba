import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import type { Catalogue } from "../model/service/catalogue.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import type { Resolve } from "../probe/network/dns.ts";
import { zoneOf } from "../probe/assess-connectivity.ts";
import type { Check } from "./check.ts";
import {
  type ConditionalWriteSupport,
  checkConditionalWrites,
  supportsConcurrentWriters,
} from "../store/conditional-write-check.ts";
import { addressOf, requestAnonymously } from "../store/anonymous-access.ts";
import { DOUBTED_CLOCK_MS, REFUSED_CLOCK_MS } from "../store/store-clock.ts";
import { parseLocation, type S3Location } from "../store/location.ts";
import { SETTING_OF, type StoreRole } from "../store/store-error.ts";
import type { ReadCatalogue } from "../setup/files/catalogue-file.ts";
import { type ProbeConfig, buildProbeDependencies } from "../probe/probe-config.ts";
import { type AnchorTries, isUnreachable, probeAnchors } from "../probe/anchors.ts";
import { createPool } from "../probe/pool.ts";
import { createProbe } from "../probe/probe.ts";
import { describeOutcome } from "../cli/output/outcome-text.ts";

const USABLE = "can be read, written and removed from";

const MAX_LOOKUP_MS = 4 * SECOND_MS;

/** A name that cannot exist. Source: RFC 2606. */
const NO_NAME = "status-snapshot-doctor.invalid";

/** Says which catalogue was read, which is valid by now. */
export function checkCatalogue(file: string, { services }: Catalogue): Check {
  return { name: "catalogue", result: "ok", detail: `${file}: ${services.length} services` };
}

/** Without the national root, endpoints with `trust: national` are probed, but their answers are not authenticated. */
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
  const detail = `${national.length} endpoints may show a certificate of the national root. Name the file of that root with --extra-ca.`;
  return { name: "trust", result: "warn", detail };
}

/** Whether the store can be used, enforces preconditions, is private where it has to be, and has the right time. */
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
          detail: `${store.name}: the store did not return what was written. Is there a cache in between?`,
        },
      ];
    }
    const anonymous = await checkAnonymousAccess(role, url, key, wallMs);
    await store.remove(key);
    const abilities = await checkConditionalWrites(store, key);
    return [
      { name, result: "ok", detail: `${store.name}: ${USABLE}${adviseOnTag(url, store)}` },
      describeAbilities(`${name} writers`, abilities),
      ...anonymous,
    ];
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [{ name, result: "fail", detail: error.message }];
  }
}

/** With `etag=auto` each run sends two requests more, because it tries the wrong style of tags first. */
function adviseOnTag(url: string, store: ObjectStore): string {
  const location = parseLocation(url);
  const isAuto = location.kind === "s3" && location.location.etagStyle === "auto";
  return isAuto && store.etagStyle?.() === "unquoted"
    ? "; etag=unquoted in its URL saves two requests in each run"
    : "";
}

/** Seen with Ceph's gateway 16.2 in a bucket with versioning. Source: docs/publish/protocol.md, "What a store must be able to do". */
const NEVER_REPLACED =
  "the store refuses to replace the current version of an object, so no run can publish. Some stores do so where versioning is on: use a bucket that never had versioning.";

function describeAbilities(name: string, abilities: ConditionalWriteSupport): Check {
  if (supportsConcurrentWriters(abilities)) {
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

async function checkAnonymousAccess(
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
  const clock = checkStoreClock(`${SETTING_OF[role]} clock`, answer.dateMs, wallMs());
  return role === "private" ? [checkPrivacy(answer.status), clock] : [clock];
}

async function ask(
  location: S3Location,
  key: string,
): Promise<{ address: URL; answer: Awaited<ReturnType<typeof requestAnonymously>> }> {
  const address = addressOf(location, key);
  return { address, answer: await requestAnonymously(address) };
}

function checkPrivacy(status: number): Check {
  const name = "--state privacy";
  if (status >= 400) return { name, result: "ok", detail: `anonymous clients get HTTP ${status}` };
  const detail = `anonymous clients get HTTP ${status}: everyone can read the state. Remove the anonymous right to read from that bucket or prefix.`;
  return { name, result: "fail", detail };
}

async function checkMode(path: string): Promise<Check> {
  const name = "--state privacy";
  const { mode } = await stat(path);
  if ((mode & 0o077) === 0) return { name, result: "ok", detail: `${path} is for its owner alone` };
  const detail = `${path} can be read by other users of this machine: chmod 700 it.`;
  return { name, result: "warn", detail };
}

function checkStoreClock(name: string, dateMs: number | undefined, nowMs: number): Check {
  if (dateMs === undefined)
    return { name, result: "warn", detail: "the store does not send its time" };
  const skewMs = Math.abs(nowMs - dateMs);
  const detail = `${Math.round(skewMs / SECOND_MS)} s from the store's`;
  if (skewMs < DOUBTED_CLOCK_MS) return { name, result: "ok", detail };
  const result = skewMs >= REFUSED_CLOCK_MS ? "fail" : "warn";
  return { name, result, detail: `${detail}. Set the clock of this machine (NTP).` };
}

/** Whether the resolver answers for a real name, and does not for one that cannot exist. */
export async function checkResolver(
  { anchors }: Catalogue,
  resolve: Resolve,
): Promise<readonly Check[]> {
  // An anchor may be an address, which needs no resolver.
  const named = anchors.find(({ url }) => zoneOf(url) !== undefined);
  const host = new URL(named?.url ?? "https://ya.ru/").hostname;
  const never = new AbortController().signal;
  const [real, bogus] = await Promise.all([
    resolve(host, 4, MAX_LOOKUP_MS, never),
    resolve(NO_NAME, 4, MAX_LOOKUP_MS, never),
  ]);
  const lookup: Check =
    real.kind === "addresses"
      ? { name: "resolver", result: "ok", detail: `${host} is ${real.addresses.join(", ")}` }
      : {
          name: "resolver",
          result: "fail",
          detail: `${host}: ${real.code}. Name a resolver that works with --dns.`,
        };
  return [lookup, checkHonesty(bogus)];
}

/** Only an answer that the name does not exist proves honesty; a failed query proves nothing. */
function checkHonesty(bogus: Awaited<ReturnType<Resolve>>): Check {
  const name = "resolver honesty";
  if (bogus.kind === "addresses") {
    const detail = `the resolver gave ${bogus.addresses.join(", ")} for a name that cannot exist. Name another resolver with --dns.`;
    return { name, result: "fail", detail };
  }
  if (bogus.code === "dns-nxdomain" || bogus.code === "dns-no-answer") {
    return { name, result: "ok", detail: "a name that cannot exist has no address" };
  }
  const detail = `unknown: the query for a name that cannot exist failed (${bogus.code}).`;
  return { name, result: "warn", detail };
}

/** For `doctor`: the effect of an overlay, and a warning of entries without effect, perhaps since an upgrade. */
export function checkOverlay(
  file: string | undefined,
  { changes, warnings }: Pick<ReadCatalogue, "changes" | "warnings">,
): readonly Check[] {
  if (file === undefined) return [];
  const [warning, ...more] = warnings;
  if (warning !== undefined) {
    const rest = more.length === 0 ? "" : ` ${more.length} more: catalogue check lists them.`;
    return [{ name: "overlay", result: "warn", detail: warning + rest }];
  }
  const count = (wanted: string): number => changes.filter(({ kind }) => kind === wanted).length;
  const detail = `${file}: ${count("changed")} changed, ${count("added")} added, ${count("removed")} removed`;
  return [{ name: "overlay", result: "ok", detail }];
}

const ANCHOR_POOL = { concurrency: 16, perHost: 2 };

/**
 * Probes each anchor as a run does. Without a dead anchor, runs cannot prove that its network is reachable. If all are dead, this machine
 * is offline, or the network options are wrong.
 */
export async function checkAnchors(
  { anchors }: Catalogue,
  config: ProbeConfig,
  stop: AbortSignal,
): Promise<Check> {
  const probe = createProbe(buildProbeDependencies(config));
  const round = await probeAnchors(
    "start",
    anchors,
    { probe, pool: createPool(ANCHOR_POOL) },
    stop,
  );
  const dead = round.anchors.filter(isUnreachable);
  if (dead.length === 0)
    return { name: "anchors", result: "ok", detail: `all ${anchors.length} anchors answer` };
  const isOffline = dead.length === anchors.length;
  const what = isOffline
    ? "no anchor answers: a run from here would be offline"
    : `${dead.length} of ${anchors.length} anchors do not answer`;
  const cure = isOffline
    ? "Check the network connection of this machine, and --dns."
    : "If that lasts, put others of the same networks into the catalogue.";
  const detail = `${what} (${dead.map(describeDead).join("; ")}). ${cure}`;
  return { name: "anchors", result: isOffline ? "fail" : "warn", detail };
}

function describeDead({ anchor, tries: [first] }: AnchorTries): string {
  return `${anchor.url}: ${first === undefined ? "not tried" : describeOutcome(first)}`;
}
