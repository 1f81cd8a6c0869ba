import type { Monitor } from "../../model/monitor/monitor.ts";
import type { OwnedMonitor, Challenge } from "../../model/monitor/owned-monitor.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { type RecordEdit, settingsOf, type EditOf } from "../ownership/apply-edit.ts";
import { hostOf } from "../ownership/fold-edits.ts";
import { CHALLENGE_MS, openChallenges, phaseOf } from "../ownership/owner-phase.ts";
import { readMonitorPatch, readNewMonitor } from "../registry/read-request.ts";
import type { MonitorRules } from "../registry/registry-schema.ts";
import { type Access, hashKey, newKey, newToken } from "./owner-access.ts";
import type { OwnerBook } from "./owner-book.ts";
import {
  type AlertSettings,
  type CheckedCondition,
  toCandidate,
  toChallenge,
  toLook,
  toRecord,
} from "./owner-record.ts";
import { answerProblem, type OwnerResponse, answerUnread, unavailable } from "./owner-responses.ts";
import type { ProofSchedule } from "./proof-schedule.ts";
import type { RateLimiter } from "../../http-server/rate-limit.ts";

export interface OwnerActionDependencies {
  readonly book: OwnerBook;
  readonly schedule: ProofSchedule;
  /** Of looks for one monitor. */
  readonly limitLooks: RateLimiter;
  /** Resolves when the edit is durable or refused. */
  readonly persist: (edit: RecordEdit) => Promise<"kept" | "refused">;
  readonly rules: MonitorRules;
  readonly newId: () => string;
  readonly nowMs: () => number;
  /** What the checks of a monitor say, if that is known in time. */
  readonly conditionOf: (id: string) => Promise<CheckedCondition | undefined>;
  /** Absent: no notifier runs. */
  readonly alerts?: AlertSettings;
}

/** `POST /monitors`. */
export async function register(
  deps: OwnerActionDependencies,
  text: string,
  network: string,
): Promise<OwnerResponse> {
  const { book, nowMs } = deps;
  const read = readNewMonitor(text, deps.newId(), deps.rules);
  if (read.kind !== "ok") return answerUnread(read);
  const monitor = read.wanted;
  const place = book.isBlocked(hostOf(monitor))
    ? ({ refusal: "blocked-host" } as const)
    : book.index.placeFor(monitor.url, network);
  if ("refusal" in place) return answerRefusal(place.refusal);
  const [key, token] = [newKey(), newToken()];
  const proof = { keyHash: hashKey(key), token, network };
  const edit = { kind: "register", atMs: nowMs(), monitor, ...proof } as const;
  if (!(await takePlace(deps, edit, place.displaced))) return unavailable();
  const owned = book.index.get(monitor.id);
  const [challenge] = owned?.challenges ?? [];
  if (owned === undefined || challenge === undefined) return unavailable();
  return {
    status: 201,
    headers: { Location: `/monitors/${monitor.id}`, ETag: tagOf(owned) },
    body: toKey(owned, key, challenge),
  };
}

/** Writes a registration, and the end of the one that it displaces. Both count at once, towards the limits of the next request. */
async function takePlace(
  { book, persist }: OwnerActionDependencies,
  edit: EditOf<"register">,
  displaced: string | undefined,
): Promise<boolean> {
  const bringBack = displaced === undefined ? undefined : book.displace(displaced);
  book.reserve(edit);
  const [kept] = await Promise.all([
    persist(edit),
    displaced === undefined
      ? undefined
      : persist({ kind: "erase", id: displaced, atMs: edit.atMs }),
  ]);
  if (kept === "kept") return true;
  book.release(edit.monitor.id);
  bringBack?.();
  return false;
}

function answerRefusal(refusal: OwnerProblem): OwnerResponse {
  const isForHours = refusal === "limit-network";
  return answerProblem(refusal, isForHours ? { retryAfterMs: CHALLENGE_MS / 24 } : {});
}

/** `GET /monitors/<id>`. */
export async function readMonitor(
  deps: OwnerActionDependencies,
  access: Access,
): Promise<OwnerResponse> {
  const { owned } = access;
  const { id } = owned.monitor;
  if (access.kind === "candidate")
    return { status: 200, body: toCandidate(owned, access.challenge, deps.schedule.lastLook(id)) };
  return answerRecord(deps, owned, await deps.conditionOf(id));
}

/** 200 with the record. */
function answerRecord(
  { alerts, nowMs, schedule }: OwnerActionDependencies,
  owned: OwnedMonitor,
  condition?: CheckedCondition,
): OwnerResponse {
  const look = schedule.lastLook(owned.monitor.id);
  return {
    status: 200,
    headers: { ETag: tagOf(owned) },
    body: toRecord(owned, nowMs(), look, condition, alerts),
  };
}

function tagOf({ revision }: OwnedMonitor): string {
  return `"${revision}"`;
}

/** `PATCH /monitors/<id>`, a JSON merge patch. Another host, or page if the proof is on the page, needs a proof of its own. */
export async function changeMonitor(
  deps: OwnerActionDependencies,
  owned: OwnedMonitor,
  text: string,
  ifMatch: string | undefined,
  network: string,
): Promise<OwnerResponse> {
  const { book, nowMs } = deps;
  const problem = problemOf(owned, nowMs());
  if (problem !== undefined) return answerProblem(problem);
  if (!matches(ifMatch, owned)) return answerProblem("changed");
  const read = readMonitorPatch(text, owned.monitor, deps.rules);
  if (read.kind !== "ok") return answerUnread(read);
  const after = read.wanted;
  const edits = planEdits(owned, after, network, nowMs());
  if (edits === "not-proved") return answerProblem(edits);
  if (edits.some(({ kind }) => kind === "challenge")) {
    const isBlocked = book.isBlocked(hostOf(after));
    const refusal = isBlocked ? "blocked-host" : book.index.refusalOfMove(after.url, network);
    if (refusal !== undefined) return answerRefusal(refusal);
  }
  return persistAndAnswer(deps, owned, edits);
}

/** The record once edits of it are durable. */
export async function persistAndAnswer(
  deps: OwnerActionDependencies,
  owned: OwnedMonitor,
  edits: readonly RecordEdit[],
): Promise<OwnerResponse> {
  for (const edit of edits) if ((await deps.persist(edit)) === "refused") return unavailable();
  return answerRecord(deps, deps.book.index.get(owned.monitor.id) ?? owned);
}

function matches(ifMatch: string | undefined, owned: OwnedMonitor): boolean {
  if (ifMatch === undefined || ifMatch.trim() === "*") return true;
  return ifMatch.split(",").some((tag) => tag.trim() === tagOf(owned));
}

function problemOf(owned: OwnedMonitor, nowMs: number): OwnerProblem | undefined {
  const phase = phaseOf(owned, nowMs);
  return phase === "removed" || phase === "refused" ? phase : undefined;
}

function planEdits(
  { monitor: before, proof }: OwnedMonitor,
  after: Monitor,
  network: string,
  atMs: number,
): readonly RecordEdit[] | "not-proved" {
  const { id, url } = after;
  const isSamePlace = proof?.method === "meta" ? url === before.url : isSameHost(url, before.url);
  if (!isSamePlace && proof === undefined) return "not-proved";
  const settings = { ...settingsOf(after), ...(isSamePlace ? { url } : {}) };
  const change = { kind: "change", id, settings, atMs } as const;
  if (isSamePlace) return [change];
  const goal = { kind: "url", url } as const;
  return [change, { kind: "challenge", id, token: newToken(), goal, network, atMs }];
}

/** Scheme and port too: control of one port of a host is not control of another. */
function isSameHost(a: string, b: string): boolean {
  return new URL(a).origin === new URL(b).origin;
}

/** `DELETE /monitors/<id>`. */
export async function removeOwned(
  { book, persist, nowMs }: OwnerActionDependencies,
  { monitor: { id } }: OwnedMonitor,
): Promise<OwnerResponse> {
  if ((await persist({ kind: "remove", id, atMs: nowMs() })) === "refused") return unavailable();
  const removedAtMs = book.index.get(id)?.removedAtMs ?? nowMs();
  return {
    status: 202,
    body: { id, status: "removed", restorableUntil: toUnixSeconds(removedAtMs + CHALLENGE_MS) },
  };
}

/** `POST /monitors/<id>/restore`. */
export function restoreMonitor(
  deps: OwnerActionDependencies,
  owned: OwnedMonitor,
): Promise<OwnerResponse> {
  const { id } = owned.monitor;
  return persistAndAnswer(deps, owned, [{ kind: "restore", id, atMs: deps.nowMs() }]);
}

/** `POST /monitors/<id>/verify`. */
export async function verifyProof(
  { book, schedule, nowMs, limitLooks }: OwnerActionDependencies,
  { owned: before, kind }: Access,
  sender: string,
): Promise<OwnerResponse> {
  const { id, isPublic } = before.monitor;
  const retryAfterMs = limitLooks(id, nowMs());
  if (retryAfterMs !== undefined) return answerProblem("flood", { retryAfterMs });
  const problem = problemOf(before, nowMs());
  if (problem !== undefined && (problem !== "removed" || kind === "owner"))
    return answerProblem(problem);
  const look = await schedule.lookNow(id, sender);
  if (look === undefined) return unavailable();
  const owned = book.index.get(id) ?? before;
  const phase = phaseOf(owned, nowMs());
  const waits = openChallenges(owned, nowMs()).some(({ goal }) => goal.kind === "url");
  const hasKey = kind === "owner" || owned.keyHash !== before.keyHash;
  const status = phase === "proved" && (waits || !hasKey) ? "pending" : phase;
  const shown = toLook(look, kind !== "owner" && !isPublic);
  return { status: 202, body: { id, status, look: shown } };
}

/** `POST /monitors/<id>/token`: a new key in place of a lost one, valid once control is proved again. */
export async function requestKey(
  { book, persist, nowMs }: OwnerActionDependencies,
  owned: OwnedMonitor,
  network: string,
): Promise<OwnerResponse> {
  const { id, isPublic } = owned.monitor;
  // Its holder may be a thief, who removes what he cannot keep.
  const problem =
    problemOf(owned, nowMs()) === "refused" ? "refused" : book.index.refusalOfKey(network);
  if (problem !== undefined) return answerRefusal(problem);
  const [key, token, atMs] = [newKey(), newToken(), nowMs()];
  const asked = { token, goal: { kind: "key", keyHash: hashKey(key) }, network } as const;
  const kept = await persist({ kind: "challenge", id, ...asked, atMs });
  if (kept === "refused") return unavailable();
  return { status: 201, body: toKey(owned, key, { ...asked, sinceMs: atMs }, !isPublic) };
}

/** A new key, and what makes it valid. */
function toKey(owned: OwnedMonitor, key: string, challenge: Challenge, isHidden?: boolean): object {
  return {
    id: owned.monitor.id,
    token: key,
    until: toUnixSeconds(challenge.sinceMs + CHALLENGE_MS),
    challenge: toChallenge(owned, challenge, isHidden),
  };
}
