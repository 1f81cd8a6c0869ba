import {
  CreateBucketCommand,
  PutBucketCorsCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { COLOR_OF, type Verdict, type VerdictCode } from "../../src/contract/codes/verdict.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { buildSnapshot, buildDocuments } from "../../src/services/snapshot/api-documents.ts";
import { drawBadges } from "../verify/good-badges.ts";
import { drawData } from "../verify/good-data.ts";
import type { GoodEntry } from "../verify/good-statuspage.ts";
import { readShippedCatalogue } from "../simulated-internet/shipped-catalogue.ts";

/** The monitor with published badges. */
export const BADGE_ID = "my-shop";
const SECRET_KEYS = [
  "state/current",
  "state.json.gz",
  ".state/state.json.gz",
  "state/state.json.gz",
];
/** Content of everything private: no answer of a front may contain it. */
export const SECRET = "only-for-the-publisher";

const BADGE_TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml; charset=utf-8",
  png: "image/png",
  json: "application/json; charset=utf-8",
};

/** The documents of the shipped catalogue with all verdict codes, details first, then the badges of one monitor. */
export async function buildPublicDocuments(updatedAtMs: number): Promise<readonly Document[]> {
  const catalogue = await readShippedCatalogue();
  // The record has exactly these keys.
  const codes = Object.keys(COLOR_OF) as VerdictCode[];
  const verdicts = new Map(
    catalogue.services.map(({ slug }, index): [string, Verdict] => {
      const code = codes[index % codes.length] ?? "ok";
      const live = code === "fail" || code === "spike";
      // `COLOR_OF` gives the right colour of each code, which the compiler cannot derive from a variable.
      const verdict = { code, color: COLOR_OF[code], live, sinceMs: updatedAtMs - index * 60_000 };
      return [slug, verdict as Verdict];
    }),
  );
  const snapshot = buildSnapshot(catalogue, verdicts, new Map(), updatedAtMs);
  return [...buildDocuments(snapshot), ...buildBadges("99.98%")];
}

const FILE_TYPES: Readonly<Record<string, string>> = {
  metrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  json: "application/json; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
  gz: "application/gzip",
  csv: "text/csv; charset=utf-8; header=present",
};

/** Open data that agree with the list among the documents, with the history and the badge of its first service alone. */
export function buildOpenData(documents: readonly Document[]): readonly Document[] {
  const list = documents.find(({ key }) => key === "api/v1/status");
  const { updated, services }: { updated: number; services: readonly GoodEntry[] } = JSON.parse(
    Buffer.from(list?.body ?? []).toString(),
  );
  const [first] = services;
  const isWanted = (key: string): boolean =>
    !/^(?:history|badge)\//u.test(key) || /\/index/u.test(key) || key.includes(`/${first?.slug}.`);
  return Object.entries(drawData(services, updated))
    .filter(([key]) => isWanted(key))
    .map(([key, body]) => ({
      key,
      contentType: FILE_TYPES[key.slice(key.lastIndexOf(".") + 1)] ?? "",
      cacheControl: /^archive\/v1\/\d/u.test(key)
        ? "public, max-age=31536000, immutable"
        : "max-age=60",
      body: Buffer.from(body),
    }));
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

/** Names below the monitor's folder that are not badges and must not be served. */
export const NO_BADGES = [
  `${BADGE_ID}/badge-30d.svg`,
  `${BADGE_ID}/badge-24h.png`,
  `${BADGE_ID}/badge-24h.json`,
  `${BADGE_ID}/secret.svg`,
].map((name) => `api/m/${name}`);

/** A badge with a text. */
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

/** Writes documents to a bucket, or to a folder of one (`bucket/public`). `toKey` changes their keys. */
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

/** Splits `bucket/public` into the name of the bucket and the prefix of keys, `public/`; empty for a bucket alone. */
function splitPlace(place: string): { readonly bucket: string; readonly prefix: string } {
  const [bucket = "", ...folders] = place.split("/");
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join("") };
}

/**
 * Creates a bucket with private state, some of it among the documents: wrong, but some operators will have it. The objects of the
 * place (the bucket, or a folder of it: `bucket/public`) are public, listing is not, and the store has its own CORS rules, which
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
