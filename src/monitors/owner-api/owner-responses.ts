import {
  type ApiResponse,
  describeProblem,
  type ProblemDetails,
} from "../../http-server/json-api.ts";
import type { MonitorCondition, MonitorRecord } from "../../model/monitor/uptime.ts";
import type { Monitor, UptimeCount, UptimeWindow } from "../../model/monitor/monitor.ts";
import type {
  Challenge,
  OwnedMonitor,
  Proof,
  ProofLook,
} from "../../model/monitor/owned-monitor.ts";
import type { OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { SECOND_MS, toUnixSeconds } from "../../model/time.ts";
import { channelsOf } from "../ownership/apply-edit.ts";
import { challengePlaces, placesWithoutSite } from "../ownership/challenge-places.ts";
import {
  CHALLENGE_MS,
  DORMANT_MS,
  GRACE_MS,
  lossOf,
  openChallenges,
  phaseOf,
} from "../ownership/owner-phase.ts";
import { OWNER_PROBLEMS, type OwnerProblem } from "../../model/monitor/problems.ts";

/** A response before its common headers. */
export type OwnerResponse = ApiResponse<OwnerProblem>;

/** `Retry-After` while too many looks wait, and while the store is down. */
const RETRY_AFTER_MS = 5 * SECOND_MS;

/** A problem document (RFC 9457). `type` leads to the explanation of its code. */
export function answerProblem(code: OwnerProblem, details: Omit<ProblemDetails, "type"> = {}) {
  return describeProblem(code, OWNER_PROBLEMS[code], { type: `/api#problem-${code}`, ...details });
}

/** 503. */
export function unavailable(): OwnerResponse {
  return answerProblem("unavailable", { retryAfterMs: RETRY_AFTER_MS });
}

/** How owners are told of failures, where a notifier runs. */
export interface AlertSettings {
  /** Public key of the notifier, base64url, for subscriptions of browsers (RFC 8292). */
  readonly pushKey: string;
  /** Whether channels may have http. */
  readonly isPlainAllowed: boolean;
}

export interface CheckedCondition extends Pick<MonitorRecord, "code" | "warning"> {
  readonly condition: MonitorCondition;
  readonly sinceMs: number | null;
  readonly counts: Readonly<Record<UptimeWindow, UptimeCount>>;
}

/** A new key, and what makes it valid; `isHidden` as for a challenge. */
export function toKey(
  owned: OwnedMonitor,
  key: string,
  challenge: Challenge,
  isHidden?: boolean,
): object {
  return {
    id: owned.monitor.id,
    token: key,
    until: toUnixSeconds(challenge.sinceMs + CHALLENGE_MS),
    challenge: toChallenge(owned, challenge, isHidden),
  };
}

/** A challenge for its owner; if `isHidden`, for a stranger, who has asked for a new key and must not learn which site it is. */
function toChallenge(
  { monitor }: OwnedMonitor,
  { token, goal, sinceMs }: Challenge,
  isHidden = false,
): object {
  const { id } = monitor;
  const url = goal.kind === "url" ? goal.url : monitor.url;
  return {
    for: goal.kind,
    ...(isHidden ? {} : { url }),
    until: toUnixSeconds(sinceMs + CHALLENGE_MS),
    token,
    ...(isHidden ? placesWithoutSite(id, token) : challengePlaces(id, url, token)),
  };
}

/** A look: what was found where. `isHidden` as for a challenge. */
export function toLook({ atMs, isDenied, places }: ProofLook, isHidden = false): object {
  return {
    at: toUnixSeconds(atMs),
    denied: isDenied,
    places: [...places].map(([method, { place, finding }]) => {
      const { kind, ...details } = finding;
      if (isHidden) return { method, found: kind };
      // A token that was found may be that of another challenge.
      return { method, place, found: kind, ...(kind === "found" ? {} : details) };
    }),
  };
}

/** Everything that is known of a monitor, for the holder of its key. Times are Unix seconds. */
export function toRecord(
  owned: OwnedMonitor,
  nowMs: number,
  look: ProofLook | undefined,
  checked: CheckedCondition | undefined,
  alerts?: AlertSettings,
): object {
  const { monitor, proof, refusal, removedAtMs } = owned;
  const { id, url, name, isPublic, ...settings } = monitor;
  return {
    id,
    url,
    name,
    public: isPublic,
    ...settings,
    status: phaseOf(owned, nowMs),
    createdAt: toUnixSeconds(owned.createdAtMs),
    // JSON leaves out what is undefined.
    proof: proof && toProof(owned.monitor, proof, nowMs),
    refusal: refusal && { kind: refusal.kind, at: toUnixSeconds(refusal.atMs) },
    restorableUntil: removedAtMs && toUnixSeconds(removedAtMs + CHALLENGE_MS),
    challenges: openChallenges(owned, nowMs)
      // Others may have asked for a key: their tokens are theirs.
      .filter(({ goal }) => goal.kind !== "key")
      .map((challenge) => toChallenge(owned, challenge)),
    lastLook: look && toLook(look),
    lastCheck: checked && toCheck(checked),
    pushKey: alerts?.pushKey,
    channels: channelsOf(owned).map(toChannel),
  };
}

function toProof({ id, url }: Monitor, proof: Proof, nowMs: number): object {
  const lostAtMs = lossOf(proof);
  const times = {
    lostAt: toUnixSeconds(lostAtMs),
    pageUntil: toUnixSeconds(lostAtMs + GRACE_MS),
    recordUntil: toUnixSeconds(lostAtMs + GRACE_MS + DORMANT_MS),
  };
  return {
    method: proof.method,
    provedAt: toUnixSeconds(proof.provedAtMs),
    seenAt: toUnixSeconds(proof.seenAtMs),
    token: proof.token,
    ...challengePlaces(id, url, proof.token),
    ...(lostAtMs <= nowMs ? times : {}),
  };
}

/** A channel as its owner sees it: its secret was given once. */
function toChannel(channel: OwnerChannel): object {
  const { id, kind, addedAtMs, stoppedAtMs } = channel;
  return {
    id,
    kind,
    // The rest of a push endpoint is a secret between the browser and us.
    to: kind === "webhook" ? channel.url : new URL(channel.endpoint).host,
    addedAt: toUnixSeconds(addedAtMs),
    stoppedAt: stoppedAtMs && toUnixSeconds(stoppedAtMs),
  };
}

function toCheck({ condition, sinceMs, counts, ...details }: CheckedCondition): object {
  const since = sinceMs === null ? null : toUnixSeconds(sinceMs);
  return { state: condition, since, ...details, checks: counts };
}

/** What the holder of a key sees that is not proved yet: nothing of the monitor but what it has asked for. */
export function toCandidate(owned: OwnedMonitor, challenge: Challenge, look?: ProofLook): object {
  const { id, isPublic } = owned.monitor;
  return {
    id,
    status: "candidate",
    challenges: [toChallenge(owned, challenge, !isPublic)],
    lastLook: look && toLook(look, !isPublic),
  };
}
