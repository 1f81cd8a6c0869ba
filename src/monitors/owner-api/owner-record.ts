import type { MonitorCondition } from "../../model/monitor/uptime.ts";
import type {
  Monitor,
  MonitorWarning,
  UptimeCount,
  UptimeWindow,
} from "../../model/monitor/monitor.ts";
import type {
  Challenge,
  OwnedMonitor,
  Proof,
  ProofLook,
} from "../../model/monitor/owned-monitor.ts";
import type { OwnerChannel } from "../../model/monitor/owner-channel.ts";
import type { FailureCode } from "../../model/probe-outcome.ts";
import { toUnixSeconds } from "../../model/time.ts";
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

/** How owners are told of failures, where a notifier runs. */
export interface AlertSettings {
  /** Public key of the notifier, base64url, for subscriptions of browsers (RFC 8292). */
  readonly pushKey: string;
  /** Whether channels may have http. */
  readonly isPlainAllowed: boolean;
}

/** What the checks of a monitor say. */
export interface CheckedCondition {
  readonly condition: MonitorCondition;
  readonly sinceMs: number | null;
  readonly code?: FailureCode;
  readonly warning?: MonitorWarning;
  readonly counts: Readonly<Record<UptimeWindow, UptimeCount>>;
}

/** A challenge as its owner sees it. */
export function toChallenge(
  { monitor }: OwnedMonitor,
  { token, goal, sinceMs }: Challenge,
): object {
  const url = goal.kind === "url" ? goal.url : monitor.url;
  return {
    for: goal.kind,
    url,
    until: toUnixSeconds(sinceMs + CHALLENGE_MS),
    token,
    ...challengePlaces(monitor.id, url, token),
  };
}

/** A challenge for a client that has asked for a new key, and may be a stranger: of a private monitor, it does not name the site. */
export function toKeyChallenge(owned: OwnedMonitor, challenge: Challenge): object {
  const { id, isPublic } = owned.monitor;
  if (isPublic) return toChallenge(owned, challenge);
  const { token, goal, sinceMs } = challenge;
  return {
    for: goal.kind,
    until: toUnixSeconds(sinceMs + CHALLENGE_MS),
    token,
    ...placesWithoutSite(id, token),
  };
}

/** A look for such a client. */
export function toKeyLook({ monitor }: OwnedMonitor, look: ProofLook): object {
  if (monitor.isPublic) return toLook(look);
  const { atMs, isDenied, places } = look;
  return {
    at: toUnixSeconds(atMs),
    denied: isDenied,
    places: [...places].map(([method, { finding }]) => ({ method, found: finding.kind })),
  };
}

/** A look as its owner sees it: what was found where. */
export function toLook({ atMs, isDenied, places }: ProofLook): object {
  return {
    at: toUnixSeconds(atMs),
    denied: isDenied,
    places: [...places].map(([method, { place, finding }]) => {
      // A token that was found may be that of another challenge.
      if (finding.kind === "found") return { method, place, found: finding.kind };
      const { kind, ...details } = finding;
      return { method, place, found: kind, ...details };
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
  const { id, url, name, isPublic, ownedSinceMs: _, ...settings } = monitor;
  const phase = phaseOf(owned, nowMs);
  return {
    id,
    url,
    name,
    public: isPublic,
    ...settings,
    status: phase,
    createdAt: toUnixSeconds(owned.createdAtMs),
    ...(proof === undefined ? {} : { proof: toProof(owned.monitor, proof, nowMs) }),
    ...(refusal === undefined
      ? {}
      : { refusal: { kind: refusal.kind, at: toUnixSeconds(refusal.atMs) } }),
    ...(removedAtMs === undefined
      ? {}
      : { restorableUntil: toUnixSeconds(removedAtMs + CHALLENGE_MS) }),
    challenges: openChallenges(owned, nowMs)
      // Others may have asked for a key: their tokens are theirs.
      .filter(({ goal }) => goal.kind !== "key")
      .map((challenge) => toChallenge(owned, challenge)),
    ...(look === undefined ? {} : { lastLook: toLook(look) }),
    ...(checked === undefined ? {} : { lastCheck: toCheck(checked) }),
    ...(alerts === undefined ? {} : { pushKey: alerts.pushKey }),
    channels: channelsOf(owned).map(toChannel),
  };
}

function toProof({ id, url }: Monitor, proof: Proof, nowMs: number): object {
  const lostAtMs = lossOf(proof);
  return {
    method: proof.method,
    provedAt: toUnixSeconds(proof.provedAtMs),
    seenAt: toUnixSeconds(proof.seenAtMs),
    token: proof.token,
    ...challengePlaces(id, url, proof.token),
    ...(lostAtMs <= nowMs
      ? {
          lostAt: toUnixSeconds(lostAtMs),
          pageUntil: toUnixSeconds(lostAtMs + GRACE_MS),
          recordUntil: toUnixSeconds(lostAtMs + GRACE_MS + DORMANT_MS),
        }
      : {}),
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
    ...(stoppedAtMs === undefined ? {} : { stoppedAt: toUnixSeconds(stoppedAtMs) }),
  };
}

function toCheck({ condition, sinceMs, code, warning, counts }: CheckedCondition): object {
  return {
    state: condition,
    since: sinceMs === null ? null : toUnixSeconds(sinceMs),
    ...(code === undefined ? {} : { code }),
    ...(warning === undefined ? {} : { warning }),
    checks: counts,
  };
}

/** What the holder of a key sees that is not proved yet: nothing of the monitor but what it has asked for. */
export function toCandidate(owned: OwnedMonitor, challenge: Challenge, look?: ProofLook): object {
  return {
    id: owned.monitor.id,
    status: "candidate",
    challenges: [toKeyChallenge(owned, challenge)],
    ...(look === undefined ? {} : { lastLook: toKeyLook(owned, look) }),
  };
}
