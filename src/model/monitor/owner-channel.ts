import { LANGUAGE } from "./push-subscription.ts";
import * as z from "zod";
import { KEY_SOURCE, TOKEN_SOURCE } from "../ids.ts";
import { instant, listOf, type Stored } from "../stored-parts.ts";

/** Channels of one monitor at most. Source: docs/monitors/owners.md, "Alerts". */
export const MAX_CHANNELS = 5;

/** 128 random bits. */
export const TOKEN = z.string().regex(new RegExp(`^${TOKEN_SOURCE}$`, "u"));
/** 256 bits: a key, or a hash of one. */
export const HASH = z.string().regex(new RegExp(`^${KEY_SOURCE}$`, "u"));

/** What both kinds of channels have. */
const base = {
  /** Unguessable, because it stands in URLs. */
  id: TOKEN,
  addedAtMs: instant,
  /** Since when nothing is sent, because the receiver has refused for good or for days. Absent: it works as far as is known. */
  stoppedAtMs: z.exactOptional(instant),
};

const webhook = z.strictObject({
  ...base,
  kind: z.literal("webhook"),
  url: z.url({ protocol: /^https?$/u }),
  /** `whsec_` and 24 bytes as base64. It is given once; only we and the receiver know it. */
  secret: z.string().startsWith("whsec_"),
});

/** A request to a URL of the owner, signed as Standard Webhooks says. */
export type WebhookChannel = Stored<typeof webhook>;

/** With the fields of a `PushReceiver`. */
const push = z.strictObject({
  ...base,
  kind: z.literal("push"),
  endpoint: z.url({ protocol: /^https?$/u }),
  p256dh: z.base64url(),
  auth: z.base64url(),
  language: LANGUAGE,
});

/** A message to a browser, encrypted for it (RFC 8291). */
export type PushChannel = Stored<typeof push>;

export const OWNER_CHANNEL = z.discriminatedUnion("kind", [webhook, push]);

/** Where an owner is told that the site fails or works again. */
export type OwnerChannel = Stored<typeof OWNER_CHANNEL>;

/** Places where an owner can put the token of a challenge. Source: docs/monitors/owners.md, "Proof". */
export const PROOF_METHODS = ["file", "dns", "meta"] as const;
export type ProofMethod = (typeof PROOF_METHODS)[number];

const change = {
  /** Ascending without gaps. */
  seq: z.int().min(1),
  /** Of the monitor. */
  id: z.string(),
  /** Of the run, or of the edit. */
  atMs: instant,
};

const ownerChange = z.discriminatedUnion("kind", [
  z.strictObject({
    ...change,
    kind: z.literal("condition"),
    before: z.enum(["healthy", "failing", "refused", "unknown"]),
    /** When `before` began. */
    sinceMs: instant,
    after: z.enum(["healthy", "failing"]),
    /** Of the failure. */
    code: z.exactOptional(z.string()),
  }),
  z.strictObject({ ...change, kind: z.literal("added"), channelId: z.string() }),
]);

/** What an owner is told. `added`: a channel was added, so that its owner sees that it works. */
export type OwnerChange = Stored<typeof ownerChange>;

export const OWNER_CHANGES = z
  .strictObject({
    /** Number of the next change, from 1. */
    next: z.int().min(1),
    /** The oldest first. */
    recent: listOf(ownerChange),
  })
  .refine(
    ({ next, recent }) => recent.every(({ seq }, at) => seq === next - recent.length + at),
    "the changes are not numbered without gaps",
  );

/** An outbox: changes of monitors with channels, written in the generation that made them, so that each exists once. */
export type OwnerChanges = Stored<typeof OWNER_CHANGES>;

export const NO_OWNER_CHANGES: OwnerChanges = { next: 1, recent: [] };
