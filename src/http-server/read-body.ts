import { SECOND_MS } from "../model/time.ts";

/** `broken`: the client disconnected, or the body is incomplete. */
export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too-large" | "too-slow" | "broken" };

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
    return { kind: "broken" };
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

/** Enough for every setting at its longest, with each character escaped. */
const MAX_BODY_BYTES = 16 * 1024;
const BODY_TIMEOUT_MS = 10 * SECOND_MS;

export type JsonText =
  | { readonly text: string }
  | {
      readonly problem: "unknown-media-type" | "too-large" | "too-slow" | "malformed";
      readonly detail?: string;
    };

/** The body of a request as text. Other pages could send a form without asking, so only JSON is read. Never rejects. */
export async function readJsonText(request: Request): Promise<JsonText> {
  const type = (request.headers.get("Content-Type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const isJson = type === "application/json" || type === "application/merge-patch+json";
  if (!isJson || request.headers.has("Content-Encoding")) return { problem: "unknown-media-type" };
  const body = await readBody(request, BODY_TIMEOUT_MS, MAX_BODY_BYTES);
  if (body.kind !== "body") return { problem: body.kind === "broken" ? "malformed" : body.kind };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(body.bytes) };
  } catch {
    return { problem: "malformed", detail: "not UTF-8" };
  }
}
