import * as z from "zod";
import { MONITOR } from "../model/monitor/monitor-schema.ts";
import { HASH, TOKEN, PROOF_METHODS } from "../model/monitor/owner-channel.ts";
import { LANGUAGE } from "../model/monitor/push-subscription.ts";
import { problemOf, RECEIVER } from "./intake.ts";
import { BOOLEAN, itemsOf, TEXT, TIME } from "./parts.ts";
import { OWNER_PROBLEMS } from "../model/monitor/problems.ts";

const { id: ID, url: _, isPublic, ...others } = MONITOR.shape;

/** As owners write and read them: `isPublic` is `public` there. */
const SETTINGS = z.object({ public: isPublic, ...others }).partial().shape;

const CHALLENGE = z
  .object({
    for: z.enum(["first", "url", "key"]),
    url: TEXT.optional(),
    until: TIME,
    token: TOKEN,
    file: z.object({ url: TEXT, content: TEXT }),
    dns: z.object({ name: TEXT, type: z.literal("TXT"), value: TEXT }).optional(),
    meta: z.object({ url: TEXT.optional(), tag: TEXT }),
  })
  .describe(
    "What an owner shows on the site, in one of three places. An address has no `dns`. Asked for a new key of a private monitor, it does not name the site: the URL of the file is its path, the name of the record lacks the host.",
  );

const LOOK = z.object({
  at: TIME,
  denied: BOOLEAN,
  places: itemsOf(
    z.object({
      method: z.enum(PROOF_METHODS),
      place: TEXT.optional(),
      found: z.enum(["found", "other", "absent", "elsewhere", "failed"]),
      excerpt: TEXT.optional(),
      httpStatus: z.int().optional(),
      host: TEXT.optional(),
      code: TEXT.optional(),
    }),
  ),
});

const CHANNEL_KIND = z.enum(["webhook", "push"]);

const CHANNEL = z.object({
  id: TOKEN,
  kind: CHANNEL_KIND,
  to: TEXT.describe("URL of the webhook, or host of the browser's service."),
  addedAt: TIME,
  stoppedAt: TIME.describe("Since when nothing is sent: the receiver is gone.").optional(),
});

export type OwnerChallenge = z.infer<typeof CHALLENGE>;
export type OwnerLook = z.infer<typeof LOOK>;
export type OwnerChannel = z.infer<typeof CHANNEL>;
export type OwnerRecord = z.infer<typeof OWNER_SCHEMAS.OwnedMonitor>;
export type OwnerRegistration = z.infer<typeof OWNER_SCHEMAS.OwnerRegistration>;

/** Monitors of owners, and where they are told of failures. Source: docs/monitors/owners.md. */
export const OWNER_SCHEMAS = {
  OwnerChallenge: CHALLENGE,
  OwnerRegistration: z.object({
    id: ID,
    token: HASH.describe("The key, given once."),
    until: TIME,
    challenge: CHALLENGE,
  }),
  OwnerLook: LOOK,
  OwnedMonitor: z.object({
    id: ID,
    url: TEXT.optional(),
    ...SETTINGS,
    status: z.enum([
      "pending",
      "proved",
      "lost",
      "dormant",
      "refused",
      "removed",
      "expired",
      "candidate",
    ]),
    createdAt: TIME.optional(),
    proof: z.object({}).optional(),
    refusal: z.object({ kind: z.enum(["denied", "blocked"]), at: TIME }).optional(),
    restorableUntil: TIME.optional(),
    challenges: itemsOf(CHALLENGE),
    lastLook: LOOK.optional(),
    lastCheck: z.object({}).optional(),
    pushKey: TEXT.describe("Key for subscriptions of browsers, where alerts are sent.").optional(),
    channels: itemsOf(CHANNEL).optional(),
  }),
  OwnerVerification: z.object({ id: ID, status: TEXT, look: LOOK }),
  OwnerRemoval: z.object({ id: ID, status: TEXT, restorableUntil: TIME }),
  OwnerChannel: CHANNEL,
  NewChannel: z.strictObject({
    webhook: TEXT.describe("URL, with https.").optional(),
    push: RECEIVER.optional(),
    language: LANGUAGE.optional(),
  }),
  AddedChannel: z.object({
    id: TOKEN,
    kind: CHANNEL_KIND,
    secret: TEXT.describe("Of a webhook: signs each message. Given once.").optional(),
  }),
  WebhookMessage: z.object({
    type: z.enum(["channel.added", "monitor.failing", "monitor.healthy", "monitor.flapping"]),
    timestamp: z.iso.datetime(),
    data: z.object({
      id: ID,
      url: TEXT,
      name: TEXT,
      page: TEXT.optional(),
      before: TEXT.optional(),
      state: z.enum(["failing", "healthy"]).optional(),
      at: TIME.optional(),
      beforeSeconds: z.int().describe("Length of the state before.").optional(),
      code: TEXT.optional(),
      changes: z.int().describe("Since the last message; above 1: no rest.").optional(),
    }),
  }),
  NewMonitor: z.strictObject({ url: TEXT, ...SETTINGS }),
  OwnerProblem: problemOf(OWNER_PROBLEMS).required({ type: true }),
};
