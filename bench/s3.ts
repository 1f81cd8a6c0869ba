import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { CreateBucketCommand } from "@aws-sdk/client-s3";
import { commit } from "../src/publish/commit.ts";
import type { Advance } from "../src/publish/generation.ts";
import type { Document } from "../src/model/service/snapshot.ts";
import type { State } from "../src/model/state.ts";
import { NO_GROUPS } from "../src/publish/object-groups.ts";
import type { PublishResult } from "../src/publish/publish.ts";
import { loadState } from "../src/state/state-file.ts";
import { type CountedStore, countRequests } from "../src/store/request-counter.ts";
import { openStore } from "../src/store/open.ts";
import { type CephAddress, startCeph } from "../test/system/ceph.ts";
import { connectS3 } from "../test/system/s3-client.ts";
import { environmentOf, urlOf } from "../test/system/s3-harness.ts";
import { EFFECTS } from "../test/system/counter-program.ts";
import { cpuSecondsOf } from "./processes.ts";
import type { Figure, Section } from "./report.ts";

const COMMAND = "npm run bench -- s3";
const SERVICES = 86;
const SMALL_TIMES = 7;
const MANY = 10_000;
const MANY_TIMES = 2;
/** About the size of a detail document. */
const BODY_BYTES = 400;
const GATEWAY_PATHS = ["/usr/bin/radosgw", "/usr/local/bin/radosgw"];
const MB = 1_000_000;

interface Stores {
  readonly publicStore: CountedStore;
  readonly stateStore: CountedStore;
}

/** The cost of publishing to an S3 gateway: requests of a steady run, 86 changed documents, 10,000 changed objects. */
export async function benchS3(): Promise<Section> {
  const title = "S3 store: Ceph RGW on the same cores";
  if (!GATEWAY_PATHS.some((path) => existsSync(path))) {
    const notes = ["Skipped: radosgw is not installed. `test/system/ceph.sh install` gets it."];
    return { title, command: COMMAND, figures: [], notes };
  }
  const ceph = await startCeph();
  try {
    Object.assign(process.env, environmentOf(ceph));
    const few = await benchFew(ceph);
    const many = await benchMany(ceph);
    return { title, command: COMMAND, figures: [...few, ...many.figures], notes: many.notes };
  } finally {
    await ceph.stop();
  }
}

async function benchFew(ceph: CephAddress): Promise<readonly Figure[]> {
  const stores = await openStores(ceph);
  const changedMs: number[] = [];
  for (let round = 0; round <= SMALL_TIMES; round += 1) {
    const { ms } = await publishAll(stores, documentsOf(SERVICES, SERVICES));
    if (round > 0) changedMs.push(ms);
  }
  const steady: { readonly public: number; readonly state: number }[] = [];
  const documents = documentsOf(SERVICES, SERVICES);
  await publishAll(stores, documents);
  for (let round = 0; round < SMALL_TIMES; round += 1) {
    const before = { public: total(stores.publicStore), state: total(stores.stateStore) };
    // As in `run` before it probes.
    await loadState(stores.stateStore);
    await publishAll(stores, [...documents.slice(0, -1), ...documentsOf(1, SERVICES)]);
    steady.push({
      public: total(stores.publicStore) - before.public,
      state: total(stores.stateStore) - before.state,
    });
  }
  return [
    {
      what: "steady run, requests to the public store",
      values: steady.map((one) => one.public),
      unit: "",
      digits: 0,
      goal: 3,
    },
    {
      what: "steady run, requests to the state store",
      values: steady.map((one) => one.state),
      unit: "",
      digits: 0,
      goal: 4,
    },
    {
      what: "all 86 documents changed, publish phase",
      values: changedMs,
      unit: "ms",
      digits: 0,
      goal: 500,
    },
  ];
}

async function benchMany(ceph: CephAddress) {
  const stores = await openStores(ceph);
  const seconds: number[] = [];
  const ends: number[] = [];
  const cpu = { self: 0, gateway: 0, osd: 0 };
  let peakBytes = 0;
  const sampler = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  }, 20);
  await publishAll(stores, documentsOf(MANY, MANY));
  const startBytes = process.memoryUsage.rss();
  for (let round = 0; round < MANY_TIMES; round += 1) {
    const before = cpuSeconds(ceph);
    const { ms, result } = await publishAll(stores, documentsOf(MANY, MANY));
    if (result.written !== MANY) throw new Error(`${result.written} of ${MANY} were written`);
    seconds.push(ms / 1_000);
    const after = cpuSeconds(ceph);
    for (const key of ["self", "gateway", "osd"] as const) cpu[key] += after[key] - before[key];
    ends.push(process.memoryUsage.rss() / MB);
  }
  clearInterval(sampler);
  const perPut = (value: number): string => ((value / MANY_TIMES / MANY) * 1_000).toFixed(2);
  const rates = seconds.map((value) => (MANY / value).toFixed(0)).join(", ");
  const figures: readonly Figure[] = [
    {
      what: "10,000 changed objects (600 PUT/s are 16.7 s)",
      values: seconds,
      unit: "s",
      digits: 1,
      goal: MANY / 600,
    },
    { what: "memory before", values: [startBytes / MB], unit: "MB", digits: 0 },
    { what: "memory after each 10,000", values: ends, unit: "MB", digits: 0 },
    { what: "memory at its peak", values: [peakBytes / MB], unit: "MB", digits: 0 },
  ];
  const notes = [
    `PUT/s: ${rates}. CPU for one PUT: ${perPut(cpu.self)} ms here, ${perPut(cpu.gateway)} ms in the gateway, ${perPut(cpu.osd)} ms in the OSD.`,
  ];
  return { figures, notes };
}

async function openStores(ceph: CephAddress): Promise<Stores> {
  const s3 = connectS3(ceph);
  const open = async (role: "public" | "private"): Promise<CountedStore> => {
    const bucket = `bench-${randomUUID()}`;
    await s3.send(new CreateBucketCommand({ Bucket: bucket }));
    const opened = await openStore(urlOf(ceph.endpoint, bucket), { role });
    if (opened.kind === "refused") throw new Error(opened.message);
    return countRequests(opened.store);
  };
  const stores = { publicStore: await open("public"), stateStore: await open("private") };
  s3.destroy();
  return stores;
}

/** New bytes for the last `changed` of `of` documents. */
function documentsOf(changed: number, of: number): readonly Document[] {
  return Array.from({ length: changed }, (_, at) => ({
    key: `api/v1/status/s${of - changed + at}`,
    body: randomBytes(BODY_BYTES),
    contentType: "application/json; charset=utf-8",
    cacheControl: "max-age=60",
  }));
}

async function publishAll(
  stores: Stores,
  documents: readonly Document[],
): Promise<{ readonly ms: number; readonly result: PublishResult }> {
  const advance = async (state: State): Promise<Advance> => ({
    state,
    documents,
    site: [],
    groups: NO_GROUPS,
    settle: async () => ({}),
    nowMs: Date.now(),
  });
  const startMs = performance.now();
  const result = await commit(
    {
      ...stores,
      ...EFFECTS,
      mustVerify: false,
    },
    advance,
    advance,
  );
  return { ms: performance.now() - startMs, result };
}

function total(store: CountedStore): number {
  return Object.values(store.requests()).reduce((sum, count) => sum + count, 0);
}

function cpuSeconds({ pids }: CephAddress) {
  const { user, system } = process.cpuUsage();
  return {
    self: (user + system) / 1e6,
    gateway: cpuSecondsOf(pids.gateway),
    osd: cpuSecondsOf(pids.osd),
  };
}
