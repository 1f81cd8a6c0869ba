import * as z from "zod";
import {
  AUTH_SECRET,
  P256_POINT,
  type Visitor,
  type VisitorShard,
} from "../../model/monitor/visitor.ts";
import { codecOf, sortPairs } from "./parts.ts";
import { storedAs, type StoredKind } from "./stored.ts";

const hash = z.string().regex(/^[A-Za-z0-9_-]{43}$/u);

const visitor: z.ZodType<Visitor> = z.strictObject({
  id: hash,
  endpoint: z.url(),
  p256dh: z.string().regex(P256_POINT),
  auth: z.string().regex(AUTH_SECRET),
  tokenHash: hash,
  language: z.enum(["ru", "en"]),
  services: z.array(z.string()).readonly(),
  renewedAtMs: z.number().min(0),
  isUntried: z.exactOptional(z.literal(true)),
});

/** Subscriptions, in the order of their ids. */
export const VISITOR_SHARD: StoredKind<VisitorShard> = storedAs(
  {
    name: "the list of subscriptions",
    format: "status-snapshot/visitors",
    foreign: "this is not a list of subscriptions of status-snapshot",
    // The browsers in it have to subscribe again.
    remedy: "restore it from a copy, or remove it",
  },
  codecOf(
    z.strictObject({ visitors: z.array(visitor).readonly() }),
    ({ visitors }): VisitorShard => new Map(visitors.map((one) => [one.id, one])),
    (shard) => ({ visitors: sortPairs(shard).map(([, one]) => one) }),
  ),
);
