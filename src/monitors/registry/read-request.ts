import * as z from "zod";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type { PushChannel, WebhookChannel } from "../../model/monitor/owner-channel.ts";
import { checkShape, strictMapping } from "../../yaml/check-shape.ts";
import { type BodyReading, toFault } from "../../model/monitor/problems.ts";
import { readJsonLine } from "./json-lines.ts";
import { address, monitorSchema, type MonitorRules, toWritten } from "./registry-schema.ts";
import {
  EXPIRATION_TIME,
  HTTPS_ONLY,
  LANGUAGE,
  SUBSCRIPTION_KEYS,
} from "../../model/monitor/push-subscription.ts";

/** The monitor that a JSON object describes by the rules of the registry, under an id of ours. Never throws. */
export function readNewMonitor(text: string, id: string, rules: MonitorRules) {
  return readMonitor(text, rules, (written) => ({ ...written, id }));
}

/** A monitor after a JSON merge patch (RFC 7396). A name that was only the default follows the URL. Never throws. */
export function readMonitorPatch(text: string, monitor: Monitor, rules: MonitorRules) {
  return readMonitor(text, rules, (written) => {
    const merged = { ...toWritten(monitor), ...written };
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  });
}

function readMonitor(text: string, rules: MonitorRules, complete: (written: object) => object) {
  const given = readShape(text, WITHOUT_ID);
  if (given.kind !== "ok") return given;
  return readShape(JSON.stringify(complete(given.wanted)), monitorSchema(rules));
}

const WITHOUT_ID = z.record(z.string(), z.unknown()).refine((written) => !("id" in written), {
  path: ["id"],
  error: "an id is given by the server.",
});

/** A channel as its owner asks for it. */
export type WantedChannel =
  | Pick<WebhookChannel, "kind" | "url">
  | Omit<PushChannel, "id" | "addedAtMs" | "stoppedAtMs">;

/** The channel of `{"webhook": URL}` or `{"push": SUBSCRIPTION, "language": …}`. Never throws. `isPlainAllowed`: http, too. */
export function readChannelRequest(text: string, rules: MonitorRules, isPlainAllowed: boolean) {
  const receiver = address(rules).refine(
    ({ protocol }) => protocol === "https:" || isPlainAllowed,
    HTTPS_ONLY,
  );
  const channel = strictMapping({
    webhook: z.exactOptional(receiver),
    push: z.exactOptional(
      strictMapping({
        endpoint: receiver,
        keys: strictMapping(SUBSCRIPTION_KEYS),
        expirationTime: EXPIRATION_TIME,
      }),
    ),
    language: LANGUAGE.default("ru"),
  }).transform(({ webhook, push, language }, context): WantedChannel => {
    if (webhook !== undefined && push === undefined) return { kind: "webhook", url: webhook.href };
    if (push !== undefined && webhook === undefined)
      return { kind: "push", endpoint: push.endpoint.href, ...push.keys, language };
    const message = "give either a webhook or a push subscription.";
    context.issues.push({ code: "custom", input: webhook, message });
    return z.NEVER;
  });
  return readShape(text, channel);
}

function readShape<Wanted>(text: string, schema: z.ZodType<Wanted>): BodyReading<Wanted> {
  const read = readJsonLine(text, 0);
  if (read.kind === "broken") return { kind: "malformed", detail: read.finding.message };
  const shaped = checkShape(read.root, schema);
  const found = [...read.findings, ...(shaped.kind === "ok" ? [] : shaped.findings)];
  return shaped.kind === "ok" && found.length === 0
    ? { kind: "ok", wanted: shaped.value }
    : { kind: "invalid", errors: found.map(({ path, message }) => toFault(path, message)) };
}
