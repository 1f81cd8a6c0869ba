import { onceFor } from "../model/lists.ts";
import * as z from "zod";
import { isObject, parseJson } from "../model/errors.ts";
import {
  EXPIRATION_TIME,
  HTTPS_ONLY,
  LANGUAGE,
  SUBSCRIPTION_KEYS,
} from "../model/monitor/push-subscription.ts";
import { type BodyReading, toFault } from "../model/monitor/problems.ts";

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
  return z.string().transform((text, context) => {
    const message = faultIn(text);
    if (message === undefined) return new URL(text).href;
    context.issues.push({ code: "custom", input: text, message });
    return z.NEVER;
  });
}

/** Slugs of the catalogue, ascending. A service may leave it while a browser follows it, so others are left out and not refused. */
function servicesSchema({ hasService }: VisitorRules): z.ZodType<readonly string[]> {
  return z
    .array(z.string().max(200))
    .max(MAX_SERVICES)
    .transform((slugs) => [...new Set(slugs)].filter(hasService).toSorted())
    .refine(({ length }) => length > 0, "name at least one service of the catalogue.");
}

/** A schema is compiled when it is first used, so each set of rules has one of each kind. */
const schemasOf = onceFor((rules: VisitorRules) => {
  const services = servicesSchema(rules);
  const subscription = z.strictObject({
    endpoint: endpointSchema(rules),
    keys: z.strictObject(SUBSCRIPTION_KEYS),
    expirationTime: EXPIRATION_TIME,
  });
  const language = LANGUAGE.default("ru");
  return {
    subscribing: z
      .strictObject({ subscription, services, language })
      .transform(({ subscription: { endpoint, keys }, ...rest }) => ({
        receiver: { endpoint, ...keys },
        ...rest,
      })),
    changing: z.strictObject({ services }),
  };
});

/** `POST /push`: `{"subscription": …, "services": […], "language": …}`. Never throws. */
export function readSubscription(text: string, rules: VisitorRules) {
  return readShape(text, schemasOf(rules).subscribing);
}

/** `PUT /push/<id>`: `{"services": […]}`. Never throws. */
export function readServices(text: string, rules: VisitorRules) {
  return readShape(text, schemasOf(rules).changing);
}

function readShape<Wanted>(text: string, schema: z.ZodType<Wanted>): BodyReading<Wanted> {
  const value = parseJson(text);
  if (!isObject(value)) return { kind: "malformed" };
  const { data, error } = schema.safeParse(value);
  if (error === undefined) return { kind: "ok", wanted: data };
  const errors = error.issues.map(({ path, message }) => toFault(path, message));
  return { kind: "invalid", errors };
}
