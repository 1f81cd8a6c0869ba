import { z } from "zod";
import { AUTH_SECRET, P256_POINT, withoutPadding } from "../../model/monitor/visitor.ts";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import { readJsonLine } from "./json-lines.ts";
import { type RequestFault, toFault } from "./read-request.ts";
import { address, type MonitorRules } from "./registry-schema.ts";

/** A channel as its owner asks for it. */
export type WantedChannel =
  | { readonly kind: "webhook"; readonly url: string }
  | {
      readonly kind: "push";
      readonly endpoint: string;
      readonly p256dh: string;
      readonly auth: string;
      readonly language: "ru" | "en";
    };

export type ChannelRequest =
  | { readonly kind: "channel"; readonly channel: WantedChannel }
  /** Not one JSON object. */
  | { readonly kind: "malformed"; readonly message: string }
  | { readonly kind: "invalid"; readonly faults: readonly RequestFault[] };

/** What stands in a message may be private, and others who read a signed one could send it again. */
const PLAIN = "use https: what is sent there is for its receiver alone.";

function base64url(form: RegExp): z.ZodType<string> {
  return z
    .string()
    .transform(withoutPadding)
    .refine((text) => form.test(text), "not a key of a push subscription.");
}

function channelSchema(rules: MonitorRules, isPlainAllowed: boolean) {
  const receiver = address(rules).refine(
    ({ protocol }) => protocol === "https:" || isPlainAllowed,
    PLAIN,
  );
  return strictMapping({
    webhook: z.exactOptional(receiver),
    push: z.exactOptional(
      strictMapping({
        endpoint: receiver,
        keys: strictMapping({ p256dh: base64url(P256_POINT), auth: base64url(AUTH_SECRET) }),
        // As browsers write a subscription; services end one on their own.
        expirationTime: z.exactOptional(z.number().nullable()),
      }),
    ),
    language: z.exactOptional(z.enum(["ru", "en"])),
  }).transform(({ webhook, push, language }, context): WantedChannel => {
    if (webhook !== undefined && push === undefined) return { kind: "webhook", url: webhook.href };
    if (push !== undefined && webhook === undefined)
      return {
        kind: "push",
        endpoint: push.endpoint.href,
        ...push.keys,
        language: language ?? "ru",
      };
    const message = "give either a webhook or a push subscription.";
    context.issues.push({ code: "custom", input: webhook, message });
    return z.NEVER;
  });
}

/**
 * The channel that a JSON object asks for: `{"webhook": URL}` or `{"push": SUBSCRIPTION, "language": …}`. URLs follow the rules of
 * monitors. Never throws.
 *
 * @param isPlainAllowed whether http is accepted, too.
 */
export function readChannelRequest(
  text: string,
  rules: MonitorRules,
  isPlainAllowed: boolean,
): ChannelRequest {
  const read = readJsonLine(text, 0);
  if (read.kind === "broken") return { kind: "malformed", message: read.finding.message };
  if (typeof read.root.value !== "object" || read.root.value === null)
    return { kind: "malformed", message: "not a JSON object" };
  if (read.findings.length > 0) return { kind: "invalid", faults: read.findings.map(toFault) };
  const shaped = checkShape(read.root, channelSchema(rules, isPlainAllowed));
  return shaped.kind === "ok"
    ? { kind: "channel", channel: shaped.value }
    : { kind: "invalid", faults: shaped.findings.map(toFault) };
}
