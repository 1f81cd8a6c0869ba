import {
  CreateBucketCommand,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { COLOR_OF, type Verdict, type VerdictCode } from "../../src/model/verdict.ts";
import type { Document } from "../../src/model/snapshot.ts";
import { buildSnapshot } from "../../src/snapshot/build.ts";
import { buildDocuments } from "../../src/snapshot/documents.ts";
import { drawBadges } from "../verify/good-badges.ts";
import { readShippedCatalogue } from "../world/shipped-catalogue.ts";

/** The monitor whose badge is published. */
export const BADGE_ID = "my-shop";
const SECRET_KEYS = [
  "state/current",
  "state.json.gz",
  ".state/state.json.gz",
  "state/state.json.gz",
];
/** Stands in everything that is private: no answer of a front may hold it. */
export const SECRET = "only-for-the-publisher";

const BADGE_TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml; charset=utf-8",
  png: "image/png",
  json: "application/json; charset=utf-8",
};

/** The documents of the shipped catalogue with every verdict code among them, details first, and the badges of one monitor. */
export async function buildPublicDocuments(updatedAtMs: number): Promise<readonly Document[]> {
  const catalogue = await readShippedCatalogue();
  // The keys of a record of codes.
  const codes = Object.keys(COLOR_OF) as VerdictCode[];
  const verdicts = new Map(
    catalogue.services.map(({ slug }, index): [string, Verdict] => {
      const code = codes[index % codes.length] ?? "ok";
      const live = code === "fail" || code === "spike";
      // `COLOR_OF` is what pairs them, which the compiler cannot follow through a variable.
      const verdict = { code, color: COLOR_OF[code], live, sinceMs: updatedAtMs - index * 60_000 };
      return [slug, verdict as Verdict];
    }),
  );
  const snapshot = buildSnapshot(catalogue, verdicts, new Map(), updatedAtMs);
  return [...buildDocuments(snapshot), ...buildBadges("99.98%")];
}

/** All badges of the monitor. */
export function buildBadges(value: string): readonly Document[] {
  return Object.entries(drawBadges(value)).map(([name, body]) => ({
    key: `api/m/${BADGE_ID}/${name}`,
    contentType: BADGE_TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "",
    cacheControl: "max-age=60",
    body,
  }));
}

/** What a publisher never writes, and what would be no badge of the monitor if it were there. */
export const NO_BADGES = [
  `${BADGE_ID}/badge-30d.svg`,
  `${BADGE_ID}/badge-24h.png`,
  `${BADGE_ID}/badge-24h.json`,
  `${BADGE_ID}/secret.svg`,
].map((name) => `api/m/${name}`);

/** A badge by its text. */
export function badge(text: string): Document {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="20"><text>${text}</text></svg>`;
  return {
    key: `api/m/${BADGE_ID}/badge.svg`,
    contentType: "image/svg+xml; charset=utf-8",
    cacheControl: "max-age=60",
    body: Buffer.from(svg),
  };
}

/** One document of a service. */
export function detail(slug: string): Document {
  return {
    key: `api/v1/status/${slug}`,
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
    body: Buffer.from(JSON.stringify({ slug })),
  };
}

/** Writes documents to a bucket, or to a folder of one (`bucket/public`), under their keys as they are unless told otherwise. */
export async function putDocuments(
  s3: S3Client,
  place: string,
  documents: readonly Document[],
  toKey: (key: string) => string = (key) => key,
): Promise<void> {
  const { bucket, prefix } = splitPlace(place);
  for (const { key, body, contentType, cacheControl } of documents) {
    await s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: `${prefix}${toKey(key)}`,
        Body: Buffer.from(body),
        ContentType: contentType,
        CacheControl: cacheControl,
        Metadata: { gen: "7" },
      }),
    );
  }
}

/** `bucket/public` as the name of the bucket and what keys begin with in it, `public/`; a bucket alone has no prefix. */
function splitPlace(place: string): { readonly bucket: string; readonly prefix: string } {
  const [bucket = "", ...folders] = place.split("/");
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join("") };
}

/**
 * Makes a bucket that holds state, even among the documents, as nobody should have it, but some will. Everybody may get what is in
 * the place (the bucket, or a folder of it: `bucket/public`), nobody may list, and the store has CORS rules of its own, which
 * answer an `Origin`.
 */
export async function createPublicBucket(s3: S3Client, place: string): Promise<void> {
  const { bucket, prefix } = splitPlace(place);
  await s3.send(new CreateBucketCommand({ Bucket: bucket }));
  const keys = [...SECRET_KEYS, ...[...SECRET_KEYS, ...NO_BADGES].map((key) => `${prefix}${key}`)];
  for (const Key of keys) {
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: Buffer.from(SECRET) }));
  }
  const Statement = [
    {
      Effect: "Allow",
      Principal: { AWS: ["*"] },
      Action: ["s3:GetObject"],
      Resource: [`arn:aws:s3:::${bucket}/${prefix}*`],
    },
  ];
  await s3.send(
    new PutBucketPolicyCommand({
      Bucket: bucket,
      Policy: JSON.stringify({ Version: "2012-10-17", Statement }),
    }),
  );
  const CORSRules = [
    { AllowedOrigins: ["*"], AllowedMethods: ["GET", "HEAD"], AllowedHeaders: ["*"] },
  ];
  await s3.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules } }));
}
