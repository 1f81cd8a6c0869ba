import { LANGUAGES } from "../../contract/codes/language.ts";
import { AUTH_SECRET, P256_POINT, withoutPadding } from "./push-keys.ts";
import * as z from "zod";

function base64url(form: RegExp): z.ZodType<string> {
  return z
    .string()
    .transform(withoutPadding)
    .refine((text) => form.test(text), "not a key of a push subscription.");
}

/** The keys of a subscription, as browsers write them. */
export const SUBSCRIPTION_KEYS = {
  p256dh: base64url(P256_POINT),
  auth: base64url(AUTH_SECRET),
};

/** As browsers write a subscription; services end one on their own. */
export const EXPIRATION_TIME = z.exactOptional(z.number().nullable());

/** Of the messages to a receiver. */
export const LANGUAGE = z.enum(LANGUAGES);

/** What stands in a message may be private, and others who read a signed one could send it again. */
export const HTTPS_ONLY = "use https: what is sent there is for its receiver alone.";
