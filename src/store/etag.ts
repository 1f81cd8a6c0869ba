import { createHash } from "node:crypto";
import type { ETag, Precondition } from "../model/store.ts";

/** The tag in stores that have none of their own: SHA-256 of the bytes. */
export function digestOf(body: Uint8Array): ETag {
  return createHash("sha256").update(body).digest("hex");
}

/** Whether a precondition holds for the object with this tag (undefined: no object). No precondition always holds. */
export function mayWrite(precondition: Precondition | undefined, held: ETag | undefined): boolean {
  if (precondition === undefined) return true;
  return precondition.kind === "absent" ? held === undefined : held === precondition.etag;
}
