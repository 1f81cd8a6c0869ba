import { join } from "node:path";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import type { ObjectStore } from "../src/model/store.ts";
import { openStore } from "../src/store/open.ts";
import { type RunningIntake, startIntake } from "../test/cli/running-intake.ts";
import type { CephAddress } from "../test/system/ceph.ts";
import { connectS3 } from "../test/system/s3-client.ts";
import { urlOf } from "../test/system/s3-harness.ts";
import { measureCommand } from "./command.ts";

/** Two new stores for the measurement of an intake. */
export interface Place {
  readonly name: string;
  readonly storeUrl: string;
  readonly stateUrl: string;
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
}

/** Longer than any part of the benchmark. */
const TIMEOUT_MS = 400_000;

/** An intake for the stores, after a first publish of all documents. */
export async function openIntake(
  place: Place,
  cwd: string,
  nodeOptions = "",
  more: readonly string[] = [],
): Promise<RunningIntake> {
  const { AWS_ACCESS_KEY_ID = "", AWS_SECRET_ACCESS_KEY = "" } = process.env;
  const stores = ["--store", place.storeUrl, "--state", place.stateUrl];
  const options = [
    "--set",
    "proxy=127.0.0.1",
    "--set",
    `journal=${join(cwd, `journal-${Date.now()}`)}`,
    ...more,
  ];
  const env = { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  // Publishes the documents, so that their first write is not measured.
  await measureCommand(["refresh", ...stores], env);
  return startIntake([...stores, ...options], {
    cwd,
    env: { ...env, NODE_OPTIONS: nodeOptions },
    timeoutMs: TIMEOUT_MS,
  });
}

/** Two new buckets. */
export async function openBuckets(ceph: CephAddress): Promise<Place> {
  const s3 = connectS3(ceph);
  const names = [0, 1].map((number) => `bench-reports-${Date.now()}-${number}`);
  for (const Bucket of names) await s3.send(new CreateBucketCommand({ Bucket }));
  s3.destroy();
  const [storeUrl = "", stateUrl = ""] = names.map((name) => urlOf(ceph.endpoint, name));
  return openPlace("RGW", storeUrl, stateUrl);
}

/** Two subfolders. */
export function openFolders(folder: string): Promise<Place> {
  return openPlace("directory", `file:${join(folder, "public")}`, `file:${join(folder, "state")}`);
}

async function openPlace(name: string, storeUrl: string, stateUrl: string): Promise<Place> {
  const publicStore = await openStore(storeUrl, { role: "public" });
  const stateStore = await openStore(stateUrl, { role: "private" });
  if (publicStore.kind === "refused" || stateStore.kind === "refused") {
    throw new Error(`no store at ${storeUrl}, ${stateUrl}`);
  }
  return {
    name,
    storeUrl,
    stateUrl,
    publicStore: publicStore.store,
    stateStore: stateStore.store,
  };
}
