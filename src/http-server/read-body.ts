import { SECOND_MS } from "../model/time.ts";

/** `malformed`: the client disconnected, or the body is incomplete. */
export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too-large" | "too-slow" | "malformed" };

/** Reads at most `maxBytes` of a body; nothing of one whose Content-Length is larger. Never rejects. */
export async function readBody(
  request: Request,
  timeoutMs: number,
  maxBytes: number,
): Promise<BodyResult> {
  const length = request.headers.get("Content-Length");
  if (length === "0") return { kind: "body", bytes: new Uint8Array() };
  if (Number(length) > maxBytes) return { kind: "too-large" };
  const isTold = /^\d+$/u.test(length ?? "");
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<BodyResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "too-slow" }), timeoutMs);
  });
  try {
    return await Promise.race([
      isTold ? readWhole(request, maxBytes) : readStream(request, maxBytes),
      slow,
    ]);
  } catch {
    return { kind: "malformed" };
  } finally {
    clearTimeout(timer);
  }
}

/** Node's server enforces Content-Length; the platform of a cloud function may not. */
async function readWhole(request: Request, maxBytes: number): Promise<BodyResult> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > maxBytes ? { kind: "too-large" } : { kind: "body", bytes };
}

async function readStream(request: Request, maxBytes: number): Promise<BodyResult> {
  const reader = request.body?.getReader();
  if (reader === undefined) return { kind: "body", bytes: new Uint8Array() };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) {
      // Not awaited: the rest of the body is irrelevant.
      reader.cancel().catch(() => undefined);
      return { kind: "too-large" };
    }
    chunks.push(part.value);
  }
  return { kind: "body", bytes: new Uint8Array(Buffer.concat(chunks)) };
}

/** The media type of a `Content-Type`, in lower case without its parameters. */
export function mediaTypeOf(contentType: string): string {
  return contentType.replace(/;.*$/su, "").trim().toLowerCase();
}

/** Throws `TypeError` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Enough for every setting at its longest, with each character escaped. */
const MAX_BODY_BYTES = 16 * 1024;
/** More than a real client needs. */
export const BODY_TIMEOUT_MS: number = 10 * SECOND_MS;

/** Why a body is not read as JSON. */
export interface BodyRefusal {
  readonly reason: "unknown-media-type" | Exclude<BodyResult["kind"], "body">;
  readonly detail?: string;
}

/** The body of a request as text. Other pages could send a form without asking, so only JSON is read. Never rejects. */
export async function readJsonText(request: Request): Promise<{ text: string } | BodyRefusal> {
  const type = mediaTypeOf(request.headers.get("Content-Type") ?? "");
  const isJson = type === "application/json" || type === "application/merge-patch+json";
  if (!isJson || request.headers.has("Content-Encoding")) return { reason: "unknown-media-type" };
  const body = await readBody(request, BODY_TIMEOUT_MS, MAX_BODY_BYTES);
  if (body.kind !== "body") return { reason: body.kind };
  try {
    return { text: decodeUtf8(body.bytes) };
  } catch {
    return { reason: "malformed", detail: "not UTF-8" };
  }
}
