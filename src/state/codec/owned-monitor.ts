import * as z from "zod";
import { OWNER_SETTINGS, STORED_MONITOR } from "../../model/monitor/monitor-schema.ts";
import { MAX_CHANNELS, type OwnerChannel } from "../../model/monitor/owner-channel.ts";
import {
  type OwnedMonitor,
  type OwnerEdit,
  PROOF_METHODS,
} from "../../model/monitor/owned-monitor.ts";

const instant = z.int().min(0);
const count = z.int().min(0);
const { id } = STORED_MONITOR.shape;
const token = z.string().regex(/^[A-Za-z0-9_-]{22}$/u);
const keyHash = z.string().regex(/^[A-Za-z0-9_-]{43}$/u);
const network = z.string().max(64);

const urlGoal = z.strictObject({ kind: z.literal("url"), url: z.string() });
const keyGoal = z.strictObject({ kind: z.literal("key"), keyHash });
const goal = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("first") }),
  urlGoal,
  keyGoal,
]);

const channelBase = {
  id: token,
  addedAtMs: instant,
  stoppedAtMs: z.exactOptional(instant),
};

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

/** The stored record of an owned monitor. */
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
  challenges: z.array(z.strictObject({ token, goal, sinceMs: instant, network })).readonly(),
  removedAtMs: z.exactOptional(instant),
  refusal: z.exactOptional(z.strictObject({ kind: z.enum(["denied", "blocked"]), atMs: instant })),
  channels: z.exactOptional(z.array(channel).max(MAX_CHANNELS).readonly()),
});

const at = { atMs: instant };

/** A stored edit. */
export const OWNER_EDIT: z.ZodType<OwnerEdit> = z.discriminatedUnion("kind", [
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
