import * as z from "zod";
import { FOLDED_IDS } from "./folded-ids.ts";
import { OWNED_MONITOR } from "./owned-monitor.ts";
import { count, instant, mapOf } from "./parts.ts";

const change = { seq: z.int().min(1), id: z.string(), atMs: instant };

const changes = z
  .strictObject({
    next: z.int().min(1),
    recent: z
      .array(
        z.discriminatedUnion("kind", [
          z.strictObject({
            ...change,
            kind: z.literal("condition"),
            before: z.enum(["healthy", "failing", "refused", "unknown"]),
            sinceMs: instant,
            after: z.enum(["healthy", "failing"]),
            code: z.exactOptional(z.string()),
          }),
          z.strictObject({ ...change, kind: z.literal("added"), channelId: z.string() }),
        ]),
      )
      .readonly(),
  })
  .refine(
    ({ next, recent }) => recent.every(({ seq }, at) => seq === next - recent.length + at),
    "the changes are not numbered without gaps",
  );

/** What the main state has about owned monitors. */
export const OWNERS = z.strictObject({
  sequence: count,
  pending: z.strictObject({ sequence: count, changes: mapOf(OWNED_MONITOR.nullable()) }).nullable(),
  shards: z.array(count).readonly(),
  folded: FOLDED_IDS,
  blockedHosts: z.array(z.string()).readonly(),
  changes,
});
