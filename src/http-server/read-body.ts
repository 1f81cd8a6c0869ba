export type BodyResult =
  | { readonly kind: "body"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "too-large" }
  | { readonly kind: "too-slow" }
  /** The client disconnected, or the body is incomplete. */
  | { readonly kind: "broken" };

/**
 * Reads the body of a request, at most `maxBytes`. With a larger Content-Length it is not read at all; without one it is read up to the
 * chunk that exceeds the limit. Never rejects.
 */
export async function readBody(
  request: Request,
  timeoutMs: number,
  maxBytes: number,
): Promise<BodyResult> {
  const length = request.headers.get("Content-Length");
  if (length === "0") return { kind: "body", bytes: new Uint8Array() };
  if (length !== null && Number(length) > maxBytes) return { kind: "too-large" };
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<BodyResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "too-slow" }), timeoutMs);
  });
  try {
    return await Promise.race([
      length === null ? readStream(request, maxBytes) : readWhole(request, maxBytes),
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
