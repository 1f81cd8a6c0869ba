import { createHash } from "node:crypto";
import type { ETag, Precondition } from "../model/store.ts";

/** Tag of the stores that have none of their own: a digest of the bytes. */
export function digestOf(body: Uint8Array): ETag {
  return createHash("sha256").update(body).digest("hex");
}

/** Whether a precondition holds for what a store has now (undefined: nothing). None always holds. */
export function isMet(precondition: Precondition | undefined, held: ETag | undefined): boolean {
  if (precondition === undefined) return true;
  return precondition.kind === "absent" ? held === undefined : held === precondition.etag;
}
