import type { Challenge, OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import { openChallenges } from "../ownership/owner-phase.ts";
import { isKeyOf } from "./owner-keys.ts";

/** What a key opens: a monitor, or only the request for a new key that it came with. */
export type Access =
  | { readonly kind: "owner"; readonly owned: OwnedMonitor }
  | { readonly kind: "candidate"; readonly owned: OwnedMonitor; readonly challenge: Challenge };

/** Compared with when there is no such monitor, so that the time tells nothing. */
const NO_KEY = "0".repeat(43);

/** What a key opens of a monitor; undefined if nothing. */
export function accessOf(
  owned: OwnedMonitor | undefined,
  key: string | undefined,
  nowMs: number,
): Access | undefined {
  const isOwner = isKeyOf(owned?.keyHash ?? NO_KEY, key ?? "");
  if (owned === undefined || key === undefined) return undefined;
  if (isOwner) return { kind: "owner", owned };
  const challenge = openChallenges(owned, nowMs).find(
    ({ goal }) => goal.kind === "key" && isKeyOf(goal.keyHash, key),
  );
  return challenge && { kind: "candidate", owned, challenge };
}
