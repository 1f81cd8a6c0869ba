import * as z from "zod";
import { OWNER_SETTINGS, STORED_MONITOR } from "../../model/monitor/monitor-schema.ts";
import {
  type OwnedMonitor,
  type OwnerEdit,
  type OwnerShard,
  PROOF_METHODS,
} from "../../model/monitor/owned-monitor.ts";
import { MAX_CHANNELS, type OwnerChannel } from "../../model/monitor/owner-channel.ts";
import { codecOf, count, instant, listOf, sortPairs } from "./parts.ts";
import { storedAs, type StoredKind } from "./stored.ts";

const { id } = STORED_MONITOR.shape;
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/u);
const keyHash = z.string().regex(/^[A-Za-z0-9_-]{43}$/u);
const network = z.string().max(64);

const urlGoal = z.strictObject({ kind: z.literal("url"), url: z.string() });
const keyGoal = z.strictObject({ kind: z.literal("key"), keyHash });
const firstGoal = z.strictObject({ kind: z.literal("first") });
const goal = z.discriminatedUnion("kind", [firstGoal, urlGoal, keyGoal]);

const channelBase = { id: token, addedAtMs: instant, stoppedAtMs: z.exactOptional(instant) };

const channel: z.ZodType<OwnerChannel> = z.discriminatedUnion("kind", [
  z.strictObject({
    ...channelBase,
    kind: z.literal("webhook"),
    url: z.url({ protocol: /^https?$/u }),
    secret: z.string().startsWith("whsec_"),
  }),
  z.strictObject({
    ...channelBase,
    kind: z.literal("push"),
    endpoint: z.url({ protocol: /^https?$/u }),
    p256dh: z.base64url(),
    auth: z.base64url(),
    language: z.enum(["ru", "en"]),
  }),
]);

export const OWNED_MONITOR: z.ZodType<OwnedMonitor> = z.strictObject({
  monitor: STORED_MONITOR,
  revision: count,
  keyHash,
  createdAtMs: instant,
  proof: z.exactOptional(
    z.strictObject({
      token,
      method: z.enum(PROOF_METHODS),
      provedAtMs: instant,
      seenAtMs: instant,
      lostAtMs: z.exactOptional(instant),
    }),
  ),
  challenges: listOf(z.strictObject({ token, goal, sinceMs: instant, network })),
  removedAtMs: z.exactOptional(instant),
  refusal: z.exactOptional(z.strictObject({ kind: z.enum(["denied", "blocked"]), atMs: instant })),
  channels: z.exactOptional(z.array(channel).max(MAX_CHANNELS).readonly()),
});

const at = { atMs: instant };

const OWNER_EDIT: z.ZodType<OwnerEdit> = z.discriminatedUnion("kind", [
  z.strictObject({
    ...at,
    kind: z.literal("register"),
    monitor: STORED_MONITOR,
    keyHash,
    token,
    network,
  }),
  z.strictObject({ ...at, kind: z.literal("change"), id, settings: OWNER_SETTINGS }),
  z.strictObject({
    ...at,
    kind: z.literal("challenge"),
    id,
    token,
    goal: z.discriminatedUnion("kind", [urlGoal, keyGoal]),
    network,
  }),
  z.strictObject({
    ...at,
    kind: z.literal("proof-seen"),
    id,
    token,
    method: z.enum(PROOF_METHODS),
  }),
  z.strictObject({
    ...at,
    kind: z.enum(["proof-missing", "denied", "remove", "restore", "erase"]),
    id,
  }),
  z.strictObject({ ...at, kind: z.literal("channel-added"), id, channel }),
  z.strictObject({
    ...at,
    kind: z.enum(["channel-removed", "channel-stopped"]),
    id,
    channelId: token,
  }),
  z.strictObject({ ...at, kind: z.enum(["block", "unblock"]), host: z.string() }),
]);

/** Edits of one object: with the longest texts they stay below a megabyte. */
export const MAX_EDITS_PER_OBJECT = 200;

/** Owned monitors, in the order of their ids. */
export const OWNER_SHARD: StoredKind<OwnerShard> = storedAs(
  {
    name: "the list of owned monitors",
    format: "status-snapshot/owners",
    foreign: "this is not a list of owned monitors of status-snapshot",
    remedy: "restore it from a copy",
  },
  z.strictObject({
    sequence: count,
    owned: codecOf(
      listOf(OWNED_MONITOR),
      (owned): OwnerShard["owned"] => new Map(owned.map((one) => [one.monitor.id, one])),
      (owned) => sortPairs(owned).map(([, one]) => one),
    ),
  }),
);

export const OWNER_EDITS: StoredKind<readonly OwnerEdit[]> = storedAs(
  {
    name: "the inbox of edits",
    format: "status-snapshot/owner-edits",
    foreign: "this is not an inbox of edits of status-snapshot",
    isPlain: true,
  },
  codecOf(
    z.strictObject({ edits: z.array(OWNER_EDIT).max(MAX_EDITS_PER_OBJECT).readonly() }),
    ({ edits }): readonly OwnerEdit[] => edits,
    (edits) => ({ edits }),
  ),
);
