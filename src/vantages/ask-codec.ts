import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import type { Ask } from "../model/service/vantage.ts";
import { readUrl } from "../yaml/validators.ts";

/** Of an unpacked ask. Source: docs/services/vantages.md, "Limits". */
const MAX_BYTES = 1024 * 1024;
const MAX_ENDPOINTS = 2_048;
const MAX_TEXT_LENGTH = 200;

const marker = z.string().min(1).max(MAX_TEXT_LENGTH);

const url = z.string().refine((text) => "href" in readUrl(text), "not a URL that can be probed");

const endpoint = z.strictObject({
  url,
  trust: z.enum(["public", "national"]),
  expect: z.exactOptional(z.array(z.int().min(100).max(999)).max(64).readonly()),
  denied: z.exactOptional(
    z.strictObject({
      status: z.exactOptional(z.int()),
      body: z.exactOptional(marker),
      location: z.exactOptional(marker),
    }),
  ),
  body: z.exactOptional(marker),
  notBody: z.exactOptional(z.array(marker).max(8).readonly()),
  location: z.exactOptional(marker),
  sites: z.exactOptional(z.array(marker).max(9).readonly()),
  redirects: z.exactOptional(z.literal("answer")),
  works: z.exactOptional(z.literal("answer")),
});

const ASK = z.strictObject({
  format: z.literal("status-snapshot/ask"),
  version: z.literal(1),
  id: z.uuid(),
  after: z.uuid().nullable(),
  atMs: z.int().min(0),
  endpoints: z.array(endpoint).max(MAX_ENDPOINTS).readonly(),
  failing: z
    .array(z.tuple([z.string(), z.string().nullable()]).readonly())
    .max(MAX_ENDPOINTS)
    .readonly(),
});

export type DecodedAsk =
  | { readonly kind: "ok"; readonly ask: Ask }
  | { readonly kind: "invalid"; readonly message: string };

/** The ask as bytes: gzip over JSON. */
export function encodeAsk({ id, after, atMs, ...ask }: Ask): Uint8Array {
  const endpoints = ask.endpoints.map(toTarget);
  const failing = [...ask.failing];
  const head = { format: "status-snapshot/ask", version: 1, id, after, atMs };
  return gzipSync(JSON.stringify({ ...head, endpoints, failing }));
}

/** Only what a probe needs: the names of the parts are of no use elsewhere. */
function toTarget(known: Ask["endpoints"][number]): z.infer<typeof endpoint> {
  const values: Readonly<Record<string, unknown>> = { ...known };
  const names = Object.keys(endpoint.shape).filter((name) => values[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, values[name]])) as z.infer<typeof endpoint>;
}

/** The ask in the bytes, within bounds for any input. Never throws. */
export function decodeAsk(bytes: Uint8Array): DecodedAsk {
  try {
    const text = gunzipSync(bytes, { maxOutputLength: MAX_BYTES }).toString("utf8");
    const read = ASK.safeParse(JSON.parse(text));
    if (read.success) {
      const { id, after, atMs, endpoints, failing } = read.data;
      return { kind: "ok", ask: { id, after, atMs, endpoints, failing: new Map(failing) } };
    }
    const [first] = read.error.issues;
    const message = `${first?.path.join(".") ?? ""}: ${first?.message ?? ""}`;
    return { kind: "invalid", message };
  } catch (error) {
    return { kind: "invalid", message: error instanceof Error ? error.message : String(error) };
  }
}

/** Digest of the URLs of an ask in their order, so that an answer can leave them out. */
export function digestUrls(urls: readonly string[]): string {
  return createHash("sha256").update(urls.join("\n")).digest("base64url").slice(0, 22);
}
