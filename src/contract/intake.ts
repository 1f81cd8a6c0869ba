import { LANGUAGE } from "../model/monitor/push-subscription.ts";
import { SYMPTOMS } from "../model/service/choices.ts";
import * as z from "zod";
import { COUNT, exact, itemsOf, TEXT, TIME } from "./parts.ts";
import { SLUG } from "./status.ts";
import { HASH } from "../model/monitor/owner-channel.ts";
import { VISITOR_PROBLEMS } from "../model/monitor/problems.ts";

const SYMPTOM = z.enum(SYMPTOMS).describe("What is wrong.");

/** A report of a user, and its answers. */
export const REPORT_SCHEMAS = {
  ReportCounts: exact("The counts of the service, including this report.", {
    slug: SLUG,
    reportsHour: COUNT,
    reportsDay: COUNT,
  }),
  Symptom: SYMPTOM,
  Report: z
    .object({ symptom: SYMPTOM.nullable().optional() })
    .describe("Other fields are ignored."),
  ReportForm: z
    .object({ symptom: z.union([SYMPTOM, z.literal("")]).optional() })
    .describe("Other fields are ignored; an empty symptom means none."),
  Error: exact("Why the request failed.", { error: z.string().min(1) }),
};

/** A refusal of a request, with its codes. More fields may come. Source: RFC 9457. */
export function problemOf(codes: object) {
  return z.object({
    title: TEXT,
    status: z.int(),
    code: z.enum(Object.keys(codes)),
    detail: TEXT.optional(),
    errors: itemsOf(z.object({ pointer: TEXT, message: TEXT }).readonly()).optional(),
    type: TEXT.optional(),
  });
}

const SERVICES = z
  .array(TEXT)
  .min(1)
  .describe("Slugs. Those that are not in the catalogue are left out.");

/** A browser that can be sent to. */
export const RECEIVER = z
  .object({
    endpoint: TEXT.describe("URL, with https."),
    keys: z.object({ p256dh: TEXT, auth: TEXT }),
    expirationTime: z.number().nullable().optional(),
  })
  .describe("What `PushSubscription.toJSON()` gives.");

/** Subscriptions of browsers. Source: docs/reports/intake.md, "Subscriptions of visitors". */
export const PUSH_SCHEMAS = {
  NewSubscription: z.strictObject({
    subscription: RECEIVER,
    services: SERVICES,
    language: LANGUAGE.default("ru"),
  }),
  FollowedServices: z.strictObject({ services: SERVICES }),
  Subscription: z.object({
    id: HASH.describe("SHA-256 of the endpoint."),
    services: SERVICES,
    until: TIME.describe("When it ends unless it is renewed by any of these operations."),
    token: HASH.describe("Changes and ends it. Given once, by the subscription.").optional(),
  }),
  PushProblem: problemOf(VISITOR_PROBLEMS).omit({ type: true }),
};
