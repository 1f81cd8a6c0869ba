import type { Challenge, OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import { DAY_MS } from "../../model/time.ts";

/* How long things last. Source: docs/monitors/owners.md, "Times". */

/** Time to show the token of a challenge, and to take a removal back. */
export const CHALLENGE_MS: number = DAY_MS;
/** How often the token is looked for once it was found. */
export const SEEN_EVERY_MS: number = 30 * DAY_MS;
/** How long a page stays without its proof. */
export const GRACE_MS: number = 30 * DAY_MS;
/** How long a record stays without its page. */
export const DORMANT_MS: number = 90 * DAY_MS;

/**
 * `pending`: never proved. `proved`. `lost`: the proof is gone, but the page stays for the grace. `dormant`: the page is gone, too.
 * `refused`: by the domain or the operator. `removed`: by its owner, who can take it back. `expired`: to be erased.
 */
export type OwnerPhase =
  | "pending"
  | "proved"
  | "lost"
  | "dormant"
  | "refused"
  | "removed"
  | "expired";

/** The phase of a record as of a time. Pure. */
export function phaseOf(owned: OwnedMonitor, nowMs: number): OwnerPhase {
  const { createdAtMs, proof, refusal, removedAtMs } = owned;
  if (removedAtMs !== undefined)
    return within(recoveryOf(owned, removedAtMs), CHALLENGE_MS, nowMs, "removed");
  if (refusal !== undefined)
    return within(refusal.atMs, proof === undefined ? CHALLENGE_MS : GRACE_MS, nowMs, "refused");
  if (proof === undefined) return within(createdAtMs, CHALLENGE_MS, nowMs, "pending");
  const lostAtMs = lossOf(proof);
  if (nowMs < lostAtMs) return "proved";
  if (nowMs < lostAtMs + GRACE_MS) return "lost";
  return within(lostAtMs + GRACE_MS, DORMANT_MS, nowMs, "dormant");
}

/** From when the day of a removal counts: a new key that was asked for in time has its own day, as a thief may have removed it. */
function recoveryOf({ challenges }: OwnedMonitor, removedAtMs: number): number {
  const asked = challenges
    .filter(({ goal, sinceMs }) => goal.kind === "key" && sinceMs < removedAtMs + CHALLENGE_MS)
    .map(({ sinceMs }) => sinceMs);
  return Math.max(removedAtMs, ...asked);
}

/** Since when a proof counts as lost: found to be gone, or not seen for a month after it was due. May be in the future. */
export function lossOf({ lostAtMs, seenAtMs }: NonNullable<OwnedMonitor["proof"]>): number {
  return lostAtMs ?? seenAtMs + SEEN_EVERY_MS + GRACE_MS;
}

function within(fromMs: number, lengthMs: number, nowMs: number, phase: OwnerPhase): OwnerPhase {
  return nowMs < fromMs + lengthMs ? phase : "expired";
}

/** Whether the monitor is checked, and its page and badge exist if it is public. */
export function isChecked(owned: OwnedMonitor, nowMs: number): boolean {
  const phase = phaseOf(owned, nowMs);
  return phase === "proved" || phase === "lost";
}

/** Challenges that can still be met. */
export function openChallenges({ challenges }: OwnedMonitor, nowMs: number): readonly Challenge[] {
  return challenges.filter(({ sinceMs }) => nowMs < sinceMs + CHALLENGE_MS);
}
