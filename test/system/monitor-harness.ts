import { randomUUID } from "node:crypto";
import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { expect } from "vitest";
import type { MonitorClock } from "../../src/model/monitor/uptime.ts";
import { decodeState } from "../../src/state/codec/state.ts";
import { STATE_KEY } from "../../src/state/state-file.ts";
import { BADGE_NAMES } from "../cli/badge-names.ts";
import type { CliResult, RunningCli } from "../cli/cli.ts";
import type { Workspace } from "../cli/workspace.ts";
import type { CephAddress } from "./ceph.ts";
import { createPublicBucket } from "./public-bucket.ts";
import { expectDone } from "./results.ts";
import { bucketOptions, createBucket, environmentOf, keysOf, urlOf } from "./s3-harness.ts";

const REGISTRY_KEY = "monitors.jsonl";

/** A line of the registry. */
export interface Entry {
  readonly id: string;
  readonly url: string;
  readonly public: boolean;
}

/** One monitor of `monitor list --json`. */
export interface Row {
  readonly id: string;
  readonly isPublic: boolean;
  readonly state: string;
  readonly uptime: Uptime;
}

export interface Uptime {
  readonly decided: number;
  readonly healthy: number;
}

/** The built program over buckets for documents, state and registry. */
export interface MonitorHarness {
  readonly publicBucket: string;
  readonly stateBucket: string;
  /** Value of `--monitors`, at any endpoint. */
  readonly registryUrl: (endpoint?: string) => string;
  /** `run`; options given again replace those of the harness. */
  readonly run: (...args: readonly string[]) => Promise<CliResult>;
  readonly start: (...args: readonly string[]) => RunningCli;
  /** A `monitor COMMAND …` that publishes. */
  readonly edit: (command: string, ...args: readonly string[]) => Promise<CliResult>;
  readonly startEdit: (command: string, ...args: readonly string[]) => RunningCli;
  /** `monitor list --json`, by id. */
  readonly list: () => Promise<ReadonlyMap<string, Row>>;
  readonly writeRegistry: (entries: readonly Entry[]) => Promise<void>;
  readonly readRegistry: () => Promise<readonly Entry[]>;
  /** Names of the objects of each monitor that has any. */
  readonly badges: () => Promise<ReadonlyMap<string, readonly string[]>>;
  /** Bytes of one object of the public store. */
  readonly read: (key: string) => Promise<Buffer>;
  readonly head: (
    key: string,
  ) => Promise<{ readonly type: string | undefined; readonly cache: string | undefined }>;
  /** The counted runs in the state, and whether the last writer died before it had finished. */
  readonly clock: () => Promise<{ readonly clock: MonitorClock; readonly isUnsettled: boolean }>;
}

/** Creates buckets for a workspace, which the caller closes. The documents are public, as a front needs it. */
export async function openMonitorHarness(
  ceph: CephAddress,
  s3: S3Client,
  workspace: Workspace,
): Promise<MonitorHarness> {
  const env = environmentOf(ceph);
  const publicBucket = `monitors-${randomUUID()}`;
  await createPublicBucket(s3, publicBucket);
  // Objects for the tests of fronts are not badges of this test.
  const foreign = new Set(await keysOf(s3, publicBucket));
  const [stateBucket, registryBucket] = [await createBucket(s3), await createBucket(s3)];
  const registryUrl = (endpoint = ceph.endpoint): string =>
    urlOf(endpoint, `${registryBucket}/${REGISTRY_KEY}`);
  const options = [
    ...bucketOptions(ceph.endpoint, publicBucket, stateBucket),
    "--monitors",
    registryUrl(),
  ];
  const withCatalogue = ["--catalogue", "catalogue.json", ...options];
  const get = async (Bucket: string, Key: string): Promise<Buffer> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
    return Buffer.from((await Body?.transformToByteArray()) ?? []);
  };
  return {
    publicBucket,
    stateBucket,
    registryUrl,
    run: (...args) => workspace.run([...options, ...args], env),
    start: (...args) => workspace.start(["run", ...workspace.options, ...options, ...args], env),
    edit: (command, ...args) => workspace.cli(["monitor", command, ...withCatalogue, ...args], env),
    startEdit: (command, ...args) =>
      workspace.start(["monitor", command, ...withCatalogue, ...args], env),
    async list() {
      const args = options.slice(options.indexOf("--state"));
      const result = expectDone(await workspace.cli(["monitor", "list", "--json", ...args], env));
      // The fields are checked where the rows are used.
      const rows = JSON.parse(result.stdout) as readonly Row[];
      return new Map(rows.map((row) => [row.id, row]));
    },
    async writeRegistry(entries) {
      const Body = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      await s3.send(new PutObjectCommand({ Bucket: registryBucket, Key: REGISTRY_KEY, Body }));
    },
    async readRegistry() {
      const text = (await get(registryBucket, REGISTRY_KEY)).toString();
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as Entry);
    },
    async badges() {
      const found = new Map<string, string[]>();
      for (const key of await keysOf(s3, publicBucket)) {
        const [, id, name] = /^api\/m\/([^/]+)\/(.+)$/u.exec(key) ?? [];
        if (id === undefined || name === undefined || foreign.has(key)) continue;
        found.set(id, [...(found.get(id) ?? []), name]);
      }
      return found;
    },
    read: (key) => get(publicBucket, key),
    async head(Key) {
      const found = await s3.send(new HeadObjectCommand({ Bucket: publicBucket, Key }));
      return { type: found.ContentType, cache: found.CacheControl };
    },
    async clock() {
      const decoded = decodeState(await get(stateBucket, STATE_KEY));
      if (decoded.kind !== "ok") throw new Error(decoded.message);
      const { clock, pending } = decoded.value.monitors;
      return { clock, isUnsettled: pending !== null };
    },
  };
}

/** The value of a badge for an uptime. Source: docs/monitors/badges.md, "The value". */
export function messageOf({ decided, healthy }: Uptime): string {
  if (decided === 0) return "нет данных";
  if (healthy === decided) return "100%";
  const hundredths = Math.floor((healthy * 10_000) / decided);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, "0")}%`;
}

/**
 * Fails unless exactly the public monitors of `monitor list` have badges, all six each, and all show the uptime of the list.
 * Only for histories shorter than a day, of which every window shows the same.
 */
export async function expectBadgesAsListed(
  harness: MonitorHarness,
  rows: ReadonlyMap<string, Row>,
): Promise<void> {
  const shown = [...rows.values()].filter(({ isPublic }) => isPublic);
  const expected = shown.map(({ id }) => [id, BADGE_NAMES] as const);
  expect(new Map(await harness.badges())).toEqual(new Map(expected));
  const pictures = new Map<string, string>();
  await Promise.all(
    shown.map(async ({ id, uptime }) => {
      const message = messageOf(uptime);
      const bodies = await Promise.all(
        BADGE_NAMES.map((name) =>
          harness.read(`api/m/${id}/${name}`).then((body) => ({ name, body })),
        ),
      );
      for (const { name, body } of bodies) {
        const said = saidBy(name, body.toString());
        expect({ id, name, said }).toEqual({ id, name, said: said && `аптайм: ${message}` });
        if (said !== undefined) continue;
        // The value cannot be read from a picture, but equal values have equal pictures.
        const same = pictures.get(message) ?? body.toString("base64");
        expect({ id, name, isSame: body.toString("base64") === same }).toMatchObject({
          isSame: true,
        });
        pictures.set(message, same);
      }
    }),
  );
  expect(new Set(pictures.values()).size).toBe(pictures.size);
}

function saidBy(name: string, text: string): string | undefined {
  if (name.endsWith(".svg")) return /<title>(.*)<\/title>/u.exec(text)?.[1] ?? "no title";
  if (!name.endsWith(".json")) return undefined;
  const { label, message } = JSON.parse(text) as {
    readonly label: string;
    readonly message: string;
  };
  return `${label}: ${message}`;
}
