import { join } from "node:path";
import type { S3Client } from "@aws-sdk/client-s3";
import type { ReportLedger } from "../../src/model/service/reports.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { parseAddress, createNetworkKeys } from "../../src/http-server/network-key.ts";
import { loadState } from "../../src/state/state-file.ts";
import { openStore } from "../../src/store/open.ts";
import type { StoreRole } from "../../src/store/store-error.ts";
import type { CliResult, RunningCli } from "../cli/cli.ts";
import { type RunningIntake, startIntake } from "../cli/running-intake.ts";
import type { Detail, List, Workspace } from "../cli/workspace.ts";
import type { CephAddress } from "./ceph.ts";
import { createBucket, environmentOf, urlOf, WEBSITE } from "./s3-harness.ts";

/** The stores of a test, and the environment to use them. */
export interface Place {
  readonly storeUrl: string;
  readonly stateUrl: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The built program over a place, with a small catalogue, and functions that read its stores. */
export interface ReportHarness {
  readonly publicStore: ObjectStore;
  readonly stateStore: ObjectStore;
  readonly startIntake: () => Promise<RunningIntake>;
  readonly start: (command: "run" | "refresh", atMs?: number) => RunningCli;
  readonly refresh: (atMs?: number) => Promise<CliResult>;
  readonly list: () => Promise<List | undefined>;
  readonly detail: (slug: string) => Promise<Detail | undefined>;
  readonly ledger: () => Promise<ReportLedger>;
  /** Keys of the network of an address in the state: today's, and yesterday's if the day has just changed. */
  readonly keysOf: (address: string) => Promise<readonly string[]>;
}

/** A kind of store, and a function that opens a place in it for a workspace. */
export type Kind = readonly [name: string, open: (workspace: Workspace) => Place | Promise<Place>];

/** Both kinds of store. */
export function kindsOfPlaces(ceph: CephAddress, s3: S3Client): readonly Kind[] {
  return [
    ["Ceph's gateway", () => openBuckets(ceph, s3)],
    ["a directory", toFolders],
  ];
}

async function openBuckets(ceph: CephAddress, s3: S3Client): Promise<Place> {
  return {
    storeUrl: urlOf(ceph.endpoint, await createBucket(s3)),
    stateUrl: urlOf(ceph.endpoint, await createBucket(s3)),
    env: environmentOf(ceph),
  };
}

function toFolders({ folder }: Workspace): Place {
  return {
    storeUrl: `file:${join(folder, "public")}`,
    stateUrl: `file:${join(folder, ".state")}`,
    env: {},
  };
}

/** For buckets, the environment of this process must have the environment of the place. */
export async function openReportHarness(
  workspace: Workspace,
  place: Place,
): Promise<ReportHarness> {
  const publicStore = await open(place.storeUrl, "public");
  const stateStore = await open(place.stateUrl, "private");
  const stores = [
    ...WEBSITE,
    "--store",
    place.storeUrl,
    "--state",
    place.stateUrl,
    "--log",
    "debug",
  ];
  const withCatalogue = ["--catalogue", "catalogue.json", ...stores];
  const at = (atMs: number | undefined): readonly string[] =>
    atMs === undefined ? [] : ["--at", new Date(atMs).toISOString()];
  const start: ReportHarness["start"] = (command, atMs) => {
    const options = command === "run" ? [...workspace.options, ...stores] : withCatalogue;
    return workspace.start([command, ...options, ...at(atMs)], place.env);
  };
  const read = async (key: string): Promise<unknown> => {
    const found = await publicStore.read(key);
    return found && JSON.parse(new TextDecoder().decode(found.body));
  };
  return {
    publicStore,
    stateStore,
    startIntake: () =>
      startIntake([...withCatalogue, "--set", "proxy=127.0.0.1", "--set", "journal=journal"], {
        cwd: workspace.folder,
        env: place.env,
      }),
    start,
    refresh: (atMs) => start("refresh", atMs).ended,
    // The fields are checked in other tests.
    list: async () => (await read("api/v1/status")) as List | undefined,
    detail: async (slug) => (await read(`api/v1/status/${slug}`)) as Detail | undefined,
    ledger: async () => (await loadState(stateStore)).state.reports.ledger,
    async keysOf(text) {
      const secret = await stateStore.read("intake-secret.bin");
      const address = parseAddress(text);
      if (secret === undefined || address === undefined) throw new Error("no secret, no key");
      const nowMs = Date.now();
      const toKey = createNetworkKeys(secret.body);
      return [nowMs, nowMs - 300_000].map((atMs) => toKey(address, atMs).network);
    },
  };
}

async function open(url: string, role: StoreRole): Promise<ObjectStore> {
  const opened = await openStore(url, { role });
  if (opened.kind === "refused") throw new Error(opened.message);
  return opened.store;
}
