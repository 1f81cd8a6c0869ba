/** A symptom and a little more; nobody needs to write us a book. Source: docs/intake.md, Requests. */
export const MAX_BODY_BYTES = 1_024;

export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too-large" }
  | { readonly kind: "too-slow" }
  /** The client went away, or what it sent was cut short. */
  | { readonly kind: "broken" };

/**
 * The body of a request, at most 1 KiB. One that says that it is longer is not read at all, one that turns out longer no
 * further than the chunk that shows it. Never rejects.
 */
export async function readBody(request: Request, timeoutMs: number): Promise<BodyResult> {
  const length = request.headers.get("Content-Length");
  if (length === "0") return { kind: "body", bytes: new Uint8Array() };
  if (length !== null && Number(length) > MAX_BODY_BYTES) return { kind: "too-large" };
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<BodyResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "too-slow" }), timeoutMs);
  });
  try {
    return await Promise.race([length === null ? readStream(request) : readWhole(request), slow]);
  } catch {
    return { kind: "broken" };
  } finally {
    clearTimeout(timer);
  }
}

/** A server holds the body to its Content-Length; a cloud function may not have one that does. */
async function readWhole(request: Request): Promise<BodyResult> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.byteLength > MAX_BODY_BYTES ? { kind: "too-large" } : { kind: "body", bytes };
}

async function readStream(request: Request): Promise<BodyResult> {
  const reader = request.body?.getReader();
  if (reader === undefined) return { kind: "body", bytes: new Uint8Array() };
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > MAX_BODY_BYTES) {
      // Not awaited: what the client still sends is none of our business.
      reader.cancel().catch(() => undefined);
      return { kind: "too-large" };
    }
    chunks.push(part.value);
  }
  return { kind: "body", bytes: new Uint8Array(Buffer.concat(chunks)) };
}
