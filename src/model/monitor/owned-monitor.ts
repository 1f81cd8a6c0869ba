import type { FoldedIds } from "../folded-ids.ts";
import type { Monitor, OwnerSettings } from "./monitor.ts";
import { NO_OWNER_CHANGES, type OwnerChanges, type OwnerChannel } from "./owner-channel.ts";
import type { FailureCode } from "../probe-outcome.ts";

/** Places where an owner can put the token of a challenge. Source: docs/monitors/owners.md, "Proof". */
export const PROOF_METHODS = ["file", "dns", "meta"] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

/** What the proof of a challenge leads to. */
export type ChallengeGoal =
  /** The monitor begins. */
  | { readonly kind: "first" }
  /** The monitor moves to another address. */
  | { readonly kind: "url"; readonly url: string }
  /** The key is replaced. */
  | { readonly kind: "key"; readonly keyHash: string };

/** A token that has to be shown on the site, to prove control of it. */
export interface Challenge {
  /** 128 random bits as base64url. */
  readonly token: string;
  readonly goal: ChallengeGoal;
  readonly sinceMs: number;
  /** Keyed hashes of the network that asked for it and of its block, as in reports and `senderOf`: for the limits. */
  readonly network: string;
}

/** The last proof of control. */
export interface Proof {
  readonly token: string;
  readonly method: ProofMethod;
  /** When control was first proved with this token. */
  readonly provedAtMs: number;
  readonly seenAtMs: number;
  /** Since when the token is known to be gone; absent while it is there. */
  readonly lostAtMs?: number;
}

/** Why a monitor of an owner is refused: `denied` by the domain in DNS, `blocked` by the operator. */
export type OwnerRefusal = "denied" | "blocked";

/** A monitor that its owner has added without the operator. Only the holder of the key may read or change it. */
export interface OwnedMonitor {
  readonly monitor: Monitor;
  /** How many edits it has had: the entity tag of its record. */
  readonly revision: number;
  /** SHA-256 of the key, base64url. */
  readonly keyHash: string;
  readonly createdAtMs: number;
  /** Absent: control was never proved, and nothing is checked. */
  readonly proof?: Proof;
  /** Open ones, the oldest first. */
  readonly challenges: readonly Challenge[];
  readonly removedAtMs?: number;
  readonly refusal?: { readonly kind: OwnerRefusal; readonly atMs: number };
  readonly channels?: readonly OwnerChannel[];
}

/** One accepted change, as it is written into the inbox. */
export type OwnerEdit = { readonly atMs: number } & (
  | {
      readonly kind: "register";
      readonly monitor: Monitor;
      readonly keyHash: string;
      readonly token: string;
      readonly network: string;
    }
  | { readonly kind: "change"; readonly id: string; readonly settings: OwnerSettings }
  | {
      readonly kind: "challenge";
      readonly id: string;
      readonly token: string;
      readonly goal: Exclude<ChallengeGoal, { kind: "first" }>;
      readonly network: string;
    }
  | {
      readonly kind: "proof-seen";
      readonly id: string;
      readonly token: string;
      readonly method: ProofMethod;
    }
  | { readonly kind: "proof-missing"; readonly id: string }
  | { readonly kind: "denied"; readonly id: string }
  | { readonly kind: "remove"; readonly id: string }
  | { readonly kind: "restore"; readonly id: string }
  | { readonly kind: "channel-added"; readonly id: string; readonly channel: OwnerChannel }
  | { readonly kind: "channel-removed"; readonly id: string; readonly channelId: string }
  /** By the notifier: its receiver is gone. */
  | { readonly kind: "channel-stopped"; readonly id: string; readonly channelId: string }
  /** By the operator, or displaced by another that waits: nothing of it stays. */
  | { readonly kind: "erase"; readonly id: string }
  /** By the operator: monitors of this host are refused, now and in future. */
  | { readonly kind: "block"; readonly host: string }
  | { readonly kind: "unblock"; readonly host: string }
);

/** One of 64 objects with the records of owned monitors. */
export interface OwnerShard {
  /** Of the last changes that were applied to it. */
  readonly sequence: number;
  readonly owned: ReadonlyMap<string, OwnedMonitor>;
}

/** A journal in the state: changes of the last generation that the shards may not have yet. Null: the record is gone. */
export interface PendingOwnerChanges {
  readonly sequence: number;
  readonly changes: ReadonlyMap<string, OwnedMonitor | null>;
}

/** The part of the main state about owned monitors; their records are in separate shards. */
export interface OwnersState {
  /** Of the last changes. Follows the wall clock, as for uptimes. */
  readonly sequence: number;
  readonly pending: PendingOwnerChanges | null;
  /** Numbers of the shards that exist, ascending. */
  readonly shards: readonly number[];
  /** Objects of the inbox of edits that are counted. */
  readonly folded: FoldedIds;
  /** Hosts that the operator has blocked, sorted. */
  readonly blockedHosts: readonly string[];
  readonly changes: OwnerChanges;
}

export const NO_OWNERS: OwnersState = {
  sequence: 0,
  pending: null,
  shards: [],
  folded: new Map(),
  blockedHosts: [],
  changes: NO_OWNER_CHANGES,
};

/** What a generation knows about owned monitors that an intake may not know yet. */
export interface OwnersNews {
  /** All records, or only those that have changed; null: erased. */
  readonly isAll: boolean;
  readonly records: readonly (readonly [id: string, owned: OwnedMonitor | null])[];
  readonly folded: FoldedIds;
  readonly blockedHosts: readonly string[];
}

/** What was found at one place where a proof may be. */
export type PlaceFinding =
  /** One of the tokens that were looked for. */
  | { readonly kind: "found"; readonly token: string }
  /** Something else. `excerpt`: its beginning, hostile. */
  | { readonly kind: "other"; readonly excerpt: string }
  /** The site or the DNS says that there is nothing. */
  | { readonly kind: "absent"; readonly httpStatus?: number }
  /** A redirect to another domain, which proves nothing about this one. */
  | { readonly kind: "elsewhere"; readonly host: string }
  | { readonly kind: "failed"; readonly code: FailureCode };

/** One look for the proof of a monitor. */
export interface ProofLook {
  readonly atMs: number;
  readonly isDenied: boolean;
  /** What it reads there ended the thread that read it: it is not looked at again by itself. */
  readonly hasEndedReader?: true;
  /** By method, in the order in which they were tried; those after the first that was found are missing. */
  readonly places: ReadonlyMap<
    ProofMethod,
    { readonly place: string; readonly finding: PlaceFinding }
  >;
}

/** What to look for. */
export interface ProofQuery {
  readonly id: string;
  readonly url: string;
  readonly tokens: readonly string[];
  /** Time for all of it. */
  readonly withinMs: number;
}

/** Looks for a proof. Never rejects. */
export type LookForProof = (query: ProofQuery) => Promise<ProofLook>;
