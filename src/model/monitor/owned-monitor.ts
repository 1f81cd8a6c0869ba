import { SHARD_COUNT } from "./shard.ts";
import * as z from "zod";
import { OWNER_SETTINGS, STORED_MONITOR } from "./monitor-schema.ts";
import {
  HASH,
  MAX_CHANNELS,
  NO_OWNER_CHANGES,
  OWNER_CHANGES,
  OWNER_CHANNEL,
  PROOF_METHODS,
  type ProofMethod,
  TOKEN,
} from "./owner-channel.ts";
import type { FailureCode } from "../failures.ts";
import { FOLDED_IDS, mapOf } from "../stored-maps.ts";
import { count, instant, listOf, type Stored } from "../stored-parts.ts";

const { id } = STORED_MONITOR.shape;

/** Keyed hashes of the network that asked for a challenge and of its block, as in reports and `senderOf`: for the limits. */
const network = z.string().max(64);

/** The monitor moves to another address. */
const urlGoal = z.strictObject({ kind: z.literal("url"), url: z.string() });
/** The key is replaced. */
const keyGoal = z.strictObject({ kind: z.literal("key"), keyHash: HASH });
/** The monitor begins. */
const firstGoal = z.strictObject({ kind: z.literal("first") });
/** What the proof of a challenge leads to. */
const goal = z.discriminatedUnion("kind", [firstGoal, urlGoal, keyGoal]);

const challenge = z.strictObject({ token: TOKEN, goal, sinceMs: instant, network });

/** A token that has to be shown on the site, to prove control of it. */
export type Challenge = Stored<typeof challenge>;

const proof = z.strictObject({
  token: TOKEN,
  method: z.enum(PROOF_METHODS),
  /** When control was first proved with this token. */
  provedAtMs: instant,
  seenAtMs: instant,
  /** Since when the token is known to be gone; absent while it is there. */
  lostAtMs: z.exactOptional(instant),
});

/** The last proof of control. */
export type Proof = Stored<typeof proof>;

/** Why a monitor of an owner is refused: `denied` by the domain in DNS, `blocked` by the operator. */
const refusal = z.strictObject({ kind: z.enum(["denied", "blocked"]), atMs: instant });

export const OWNED_MONITOR = z.strictObject({
  monitor: STORED_MONITOR,
  /** How many edits it has had: the entity tag of its record. */
  revision: count,
  keyHash: HASH,
  createdAtMs: instant,
  /** Absent: control was never proved, and nothing is checked. */
  proof: z.exactOptional(proof),
  /** Open ones, the oldest first. */
  challenges: listOf(challenge),
  removedAtMs: z.exactOptional(instant),
  refusal: z.exactOptional(refusal),
  channels: z.exactOptional(z.array(OWNER_CHANNEL).max(MAX_CHANNELS).readonly()),
});

/** A monitor that its owner has added without the operator. Only the holder of the key may read or change it. */
export type OwnedMonitor = Stored<typeof OWNED_MONITOR>;

function edit<Kind extends string, Fields extends z.core.$ZodLooseShape>(
  kind: Kind,
  fields: Fields,
) {
  return z.strictObject({ atMs: instant, kind: z.literal(kind), ...fields });
}

export const OWNER_EDIT = z.discriminatedUnion("kind", [
  edit("register", { monitor: STORED_MONITOR, keyHash: HASH, token: TOKEN, network }),
  edit("change", { id, settings: OWNER_SETTINGS }),
  edit("challenge", {
    id,
    token: TOKEN,
    goal: z.discriminatedUnion("kind", [urlGoal, keyGoal]),
    network,
  }),
  edit("proof-seen", { id, token: TOKEN, method: z.enum(PROOF_METHODS) }),
  edit("proof-missing", { id }),
  edit("denied", { id }),
  edit("remove", { id }),
  edit("restore", { id }),
  /** By the operator, or displaced by another that waits: nothing of it stays. */
  edit("erase", { id }),
  edit("channel-added", { id, channel: OWNER_CHANNEL }),
  edit("channel-removed", { id, channelId: TOKEN }),
  /** By the notifier: its receiver is gone. */
  edit("channel-stopped", { id, channelId: TOKEN }),
  /** By the operator: monitors of this host are refused, now and in future. */
  edit("block", { host: z.string() }),
  edit("unblock", { host: z.string() }),
]);

/** One accepted change, as it is written into the inbox. */
export type OwnerEdit = Stored<typeof OWNER_EDIT>;

/** One of 64 objects with the records of owned monitors. */
export interface OwnerShard {
  /** Of the last changes that were applied to it. */
  readonly sequence: number;
  readonly owned: ReadonlyMap<string, OwnedMonitor>;
}

const pendingChanges = z.strictObject({
  sequence: count,
  changes: mapOf(OWNED_MONITOR.nullable()),
});

/** A journal in the state: changes of the last generation that the shards may not have yet. Null: the record is gone. */
export type PendingOwnerChanges = Stored<typeof pendingChanges>;

export const OWNERS_STATE = z.strictObject({
  /** Of the last changes. Follows the wall clock, as for uptimes. */
  sequence: count,
  pending: pendingChanges.nullable(),
  /** Numbers of the shards that exist, ascending. */
  shards: listOf(count),
  /** Objects of the inbox of edits that are counted. */
  folded: FOLDED_IDS,
  /** Hosts that the operator has blocked, sorted. */
  blockedHosts: listOf(z.string()),
  changes: OWNER_CHANGES,
});

/** The part of the main state about owned monitors; their records are in separate shards, all of which may have outlived a lost state. */
export type OwnersState = Stored<typeof OWNERS_STATE>;

export const NO_OWNERS: OwnersState = {
  sequence: 0,
  pending: null,
  shards: Array.from({ length: SHARD_COUNT }, (_, number) => number),
  folded: new Map(),
  blockedHosts: [],
  changes: NO_OWNER_CHANGES,
};

/** What a generation knows about owned monitors that an intake may not know yet. */
export interface OwnersNews extends Pick<OwnersState, "folded" | "blockedHosts"> {
  /** All records, or only those that have changed; null: erased. */
  readonly isAll: boolean;
  readonly records: readonly (readonly [id: string, owned: OwnedMonitor | null])[];
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
