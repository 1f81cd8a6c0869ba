import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import type { Document } from "../../src/model/service/snapshot.ts";
import { toFileSegments } from "../../src/store/key.ts";
import type { CephAddress } from "./ceph.ts";
import type { Answered } from "./ask.ts";
import {
  type Front,
  type FrontName,
  type FrontOptions,
  startFront,
  writeFileAt,
} from "./fronts.ts";
import {
  buildOpenData,
  buildPublicDocuments,
  createPublicBucket,
  NO_BADGES,
  putDocuments,
  SECRET,
} from "./public-bucket.ts";
import { connectS3 } from "./s3-client.ts";
import { startStoreRelay, type StoreRelay } from "./store-relay.ts";

/** A store with a published snapshot, and any number of fronts that read from it. */
export interface FrontHarness {
  readonly s3: S3Client;
  /** Bucket and folder of the documents. */
  readonly place: string;
  readonly documents: readonly Document[];
  /** Between the fronts and the store. */
  readonly relay: StoreRelay;
  /** Starts a front, which is stopped with the harness. */
  readonly start: (name: FrontName, options?: FrontOptions) => Promise<Front>;
  /** Writes documents to the bucket and to the directory. */
  readonly publish: (documents: readonly Document[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Publishes the shipped catalogue and open data without a website to a new bucket and a new directory, each next to a private state. */
export async function openFrontHarness(ceph: CephAddress): Promise<FrontHarness> {
  const s3 = connectS3(ceph);
  const place = `fronts-${randomUUID()}/public`;
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-fronts-"));
  const directory = join(folder, "public");
  const relay = await startStoreRelay(ceph.endpoint);
  const documents = await buildPublicDocuments(Date.now() - 60_000);
  const fronts: Front[] = [];
  const publish = async (changed: readonly Document[]): Promise<void> => {
    await putDocuments(s3, place, changed);
    for (const { key, body } of changed) {
      await writeFileAt(join(directory, ...toFileSegments(key)), body);
    }
  };
  await createPublicBucket(s3, place);
  await publish([...documents, ...buildOpenData(documents)]);
  await writeFileAt(join(folder, ".state", "state.json.gz"), SECRET);
  await writeFileAt(join(directory, ".tmp", "half-written"), SECRET);
  await writeFileAt(join(directory, "state.json.gz"), SECRET);
  for (const key of NO_BADGES) {
    await writeFileAt(join(directory, ...toFileSegments(key)), SECRET);
  }
  return {
    s3,
    place,
    documents,
    relay,
    publish,
    async start(name, options) {
      const front = await startFront(
        name,
        { endpoint: relay.endpoint, bucket: place, directory },
        options,
      );
      fronts.push(front);
      return front;
    },
    async close() {
      await Promise.all(fronts.map((front) => front.stop()));
      await relay.close();
      s3.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The problems of the headers that every answer must have, whatever its status. */
export function findHeaderProblems({ status, lines, body }: Answered): readonly string[] {
  const origins = lines.filter(([name]) => name === "access-control-allow-origin");
  const foreign = lines.filter(([name]) =>
    /^(?:x-(?!content-type-options)|set-cookie)/u.test(name),
  );
  const exposed = lines.filter(([name]) => name === "access-control-expose-headers");
  const sniff = lines.filter(([name]) => name === "x-content-type-options");
  return [
    ...(origins.length === 1 && origins[0]?.[1] === "*"
      ? []
      : [`ACAO is ${JSON.stringify(origins)}`]),
    ...(exposed.length === 1 && exposed[0]?.[1] === "Age, Date, ETag, Retry-After"
      ? []
      : [`what scripts may read is ${JSON.stringify(exposed)}`]),
    ...(sniff.length === 1 && sniff[0]?.[1] === "nosniff" ? [] : ["nosniff is missing or doubled"]),
    ...foreign.map(([name]) => `${name} of the store shows`),
    ...lines
      .filter(([name], index) => lines.findIndex(([other]) => other === name) !== index)
      .map(([name]) => `${name} is there twice`),
    ...(status === 403 ? ["403"] : []),
    ...(body.includes(SECRET) ? ["the state shows"] : []),
  ];
}
