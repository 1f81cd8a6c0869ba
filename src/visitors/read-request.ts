import * as z from "zod";
import { parseJson } from "../model/errors.ts";
import {
  EXPIRATION_TIME,
  HTTPS_ONLY,
  jsonPointerOf,
  SUBSCRIPTION_KEYS,
} from "../model/monitor/push-subscription.ts";
import type { PushReceiver } from "../model/monitor/visitor.ts";
import type { Fault } from "../http-server/problem-response.ts";

/** Longer than any service of a browser makes its URLs. */
const MAX_ENDPOINT_LENGTH = 1_000;

/** A parser of URLs leaves some of them out in silence. */
const CONTROL_OR_SPACE = /[\p{Cc}\s]/u;

const MAX_SERVICES = 500;

export interface VisitorRules {
  /** Why an endpoint may not be sent to; undefined: it may. */
  readonly refusalOfUrl: (url: URL) => string | undefined;
  readonly isPlainAllowed: boolean;
  readonly hasService: (slug: string) => boolean;
}

export interface WantedVisitor {
  readonly receiver: PushReceiver;
  /** Of the catalogue, ascending. */
  readonly services: readonly string[];
  readonly language: "ru" | "en";
}

export type VisitorRequest<Wanted> =
  | { readonly kind: "ok"; readonly wanted: Wanted }
  /** Not one JSON object. */
  | { readonly kind: "malformed" }
  | { readonly kind: "invalid"; readonly faults: readonly Fault[] };

function endpointSchema({ refusalOfUrl, isPlainAllowed }: VisitorRules): z.ZodType<string> {
  const faultIn = (text: string): string | undefined => {
    if (text.length > MAX_ENDPOINT_LENGTH) return `is over ${MAX_ENDPOINT_LENGTH} characters long.`;
    if (CONTROL_OR_SPACE.test(text)) return "has a space or a control character.";
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) return "not a URL.";
    const isKnown = url.protocol === "https:" || (isPlainAllowed && url.protocol === "http:");
    if (!isKnown) return HTTPS_ONLY;
    if (url.username !== "" || url.password !== "") return "a URL may not carry credentials.";
    return refusalOfUrl(url);
  };
  return z
    .string()
    .superRefine((text, context) => {
      const message = faultIn(text);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .transform((text) => (URL.canParse(text) ? new URL(text).href : text));
}

/** A service may leave the catalogue while a browser follows it, so others are left out and not refused. */
function servicesSchema({ hasService }: VisitorRules): z.ZodType<readonly string[]> {
  return z
    .array(z.string().max(200))
    .max(MAX_SERVICES)
    .transform((slugs) => [...new Set(slugs)].filter(hasService).toSorted())
    .refine(({ length }) => length > 0, "name at least one service of the catalogue.");
}

const LANGUAGE = z.enum(["ru", "en"]);

/** `POST /push`: `{"subscription": …, "services": […], "language": …}`. Never throws. */
export function readSubscription(text: string, rules: VisitorRules): VisitorRequest<WantedVisitor> {
  const schema = z
    .strictObject({
      subscription: z.strictObject({
        endpoint: endpointSchema(rules),
        keys: z.strictObject(SUBSCRIPTION_KEYS),
        expirationTime: EXPIRATION_TIME,
      }),
      services: servicesSchema(rules),
      language: LANGUAGE.default("ru"),
    })
    .transform(({ subscription: { endpoint, keys }, services, language }) => ({
      receiver: { endpoint, ...keys },
      services,
      language,
    }));
  return readShape(text, schema);
}

/** `PUT /push/<id>`: `{"services": […]}`. Never throws. */
export function readServices(
  text: string,
  rules: VisitorRules,
): VisitorRequest<Pick<WantedVisitor, "services">> {
  return readShape(text, z.strictObject({ services: servicesSchema(rules) }));
}

function readShape<Wanted>(text: string, schema: z.ZodType<Wanted>): VisitorRequest<Wanted> {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "malformed" };
  const shaped = schema.safeParse(value);
  return shaped.success
    ? { kind: "ok", wanted: shaped.data }
    : { kind: "invalid", faults: shaped.error.issues.map(toFault) };
}

function toFault({ path, message }: z.core.$ZodIssue): Fault {
  return { pointer: jsonPointerOf(path), message };
}
