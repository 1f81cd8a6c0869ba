import { gunzipSync, gzipSync } from "node:zlib";
import { type CryptoKey, FlattenedSign, flattenedVerify, type JWK, importJWK } from "jose";
import * as z from "zod";
import { MAX_CATALOGUE_ENDPOINTS } from "../model/service/catalogue.ts";
import { CONNECTIVITY_STATES } from "../model/service/connectivity.ts";
import { RESULT_CODES } from "../model/failures.ts";
import {
  type EvidenceRefusal,
  SAME_ADDRESS,
  SEEN,
  SIGNED_EVIDENCE,
  type SignedEvidence,
  type Vantage,
  type VantageEvidence,
  type VantageResult,
} from "../model/service/vantage.ts";
import { MAX_EVIDENCE_BYTES } from "./exchange.ts";

/* One answer of a vantage: a flattened JWS (RFC 7515) with Ed25519 (RFC 8037) over gzipped JSON, gzipped again for the store. */

/** Of the payload of evidence when it is unpacked. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** Of the payload. The second one has what a place saw, and its own experiments; the first one is that of 0.1.0. */
const VERSIONS = [1, 2] as const;
const VERSION = 2;

/** Code, milliseconds, address, how the runner's own address answered, what else was seen. */
const result = z
  .tuple([
    z.enum(RESULT_CODES),
    z.int().min(0).max(600_000),
    z.union([z.ipv4(), z.ipv6()]).nullable(),
    z.enum(SAME_ADDRESS).nullable(),
    SEEN.optional(),
  ])
  .readonly();

const PAYLOAD = z.strictObject({
  format: z.literal("status-snapshot/evidence"),
  version: z.literal(VERSIONS),
  vantage: z.string(),
  ask: z.uuid(),
  urls: z.string(),
  atMs: z.int().min(0),
  connectivity: z.enum(CONNECTIVITY_STATES),
  whiteList: z.boolean().nullable(),
  results: z.array(result).max(MAX_CATALOGUE_ENDPOINTS).readonly(),
});

const ALGORITHM = "EdDSA";
const CONTENT_TYPE = "application/gzip";

/** Nothing else, so that no extension (`crit`, `b64`) changes what the signature covers. */
const HEADER = z.strictObject({
  alg: z.literal(ALGORITHM),
  kid: z.string(),
  cty: z.literal(CONTENT_TYPE),
});

/** A private key as `keygen` writes it. Throws what `jose` throws for anything else. */
export async function importPrivateKey(jwk: JWK): Promise<CryptoKey> {
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519" || jwk.d === undefined)
    throw new TypeError("not a private key for Ed25519");
  // Only a symmetric key would be bytes.
  return (await importJWK(jwk, ALGORITHM)) as CryptoKey;
}

/** The evidence, signed, as bytes. */
export async function signEvidence(
  evidence: VantageEvidence,
  privateKey: CryptoKey,
): Promise<Uint8Array> {
  const { vantage, askId, urls, atMs, connectivity, isWhiteList } = evidence;
  const results = evidence.results.map(
    ({ code, ms, address = null, sameAddress = null, seen = {} }) =>
      [code, Math.round(ms), address, sameAddress, seen] as const,
  );
  const payload: z.infer<typeof PAYLOAD> = {
    format: "status-snapshot/evidence",
    version: VERSION,
    vantage,
    ask: askId,
    urls,
    atMs,
    connectivity,
    whiteList: isWhiteList,
    results,
  };
  // A signature makes its payload incompressible, so that is packed first.
  const jws = await new FlattenedSign(gzipSync(JSON.stringify(payload), { level: 9 }))
    .setProtectedHeader({ alg: ALGORITHM, kid: vantage, cty: CONTENT_TYPE })
    .sign(privateKey);
  return gzipSync(JSON.stringify(jws), { level: 9 });
}

/** What evidence has to be about. */
export interface ExpectedEvidence {
  readonly vantage: Vantage;
  readonly askId: string;
  /** Digest and number of the URLs of that ask. */
  readonly urls: string;
  readonly count: number;
}

/** The evidence in the bytes if this vantage signed it for this ask. Bounded for any input. Never throws. */
export async function verifyEvidence(
  bytes: Uint8Array,
  { vantage, askId, urls, count }: ExpectedEvidence,
) {
  if (bytes.length > MAX_EVIDENCE_BYTES) return refused("too-large");
  const signed = readPacked(SIGNED_EVIDENCE, bytes, MAX_EVIDENCE_BYTES);
  const header = signed && readJson(HEADER, Buffer.from(signed.protected, "base64url"));
  if (signed === undefined || header === undefined) return refused("malformed");
  const payload = await verifySignature(signed, vantage.publicKey);
  if (payload === undefined) return refused("bad-signature");
  const read = readPacked(PAYLOAD, payload, MAX_PAYLOAD_BYTES);
  if (read === undefined) return refused("malformed");
  if (header.kid !== vantage.id || read.vantage !== vantage.id) return refused("other-vantage");
  if (read.ask !== askId) return refused("other-ask");
  if (read.urls !== urls || read.results.length !== count) return refused("other-endpoints");
  const { atMs, connectivity, whiteList: isWhiteList } = read;
  const said = { atMs, connectivity, isWhiteList, results: read.results.map(unpackResult) };
  const evidence: VantageEvidence = { vantage: vantage.id, askId, urls, ...said };
  return { kind: "ok", evidence, signed } as const;
}

function refused(reason: EvidenceRefusal) {
  return { kind: "refused", reason } as const;
}

function readPacked<T>(schema: z.ZodType<T>, bytes: Uint8Array, maxOutputLength: number) {
  try {
    return readJson(schema, gunzipSync(bytes, { maxOutputLength }));
  } catch {
    return undefined;
  }
}

/**
 * JSON in the very bytes that `JSON.stringify` writes. Whatever parsers could read in two ways is refused: a doubled key, of which one
 * takes the first and another the last, a number beyond a double, what is not UTF-8.
 */
function readJson<T>(schema: z.ZodType<T>, bytes: Buffer) {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return bytes.equals(Buffer.from(JSON.stringify(value)))
      ? schema.safeParse(value).data
      : undefined;
  } catch {
    return undefined;
  }
}

async function verifySignature(
  signed: SignedEvidence,
  publicKey: string,
): Promise<Uint8Array | undefined> {
  try {
    const key = await importJWK({ kty: "OKP", crv: "Ed25519", x: publicKey }, ALGORITHM);
    return (await flattenedVerify(signed, key, { algorithms: [ALGORITHM] })).payload;
  } catch {
    return undefined;
  }
}

function unpackResult([code, ms, address, sameAddress, seen]: z.infer<
  typeof result
>): VantageResult {
  return {
    code,
    ms,
    ...(address === null ? {} : { address }),
    ...(sameAddress === null ? {} : { sameAddress }),
    ...(seen === undefined || Object.keys(seen).length === 0 ? {} : { seen }),
  };
}
