import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import {
  createAskReader,
  MAX_EVIDENCE_BYTES,
  putEvidence,
  readEvidence,
  removeEvidence,
  writeAsk,
} from "../../src/vantages/exchange.ts";
import { T0 } from "../model/samples.ts";

const IDS = [
  "0d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b11",
  "1d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b12",
  "2d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b13",
] as const;

const askOf = (at: number) => ({
  id: IDS[at] ?? "",
  after: IDS[at - 1] ?? null,
  experimenters: ["m1"],
  browsers: [],
  // The clock of the runner was set back.
  atMs: T0 - at,
  endpoints: [],
  failing: new Map(),
});

async function openFolder(): Promise<ObjectStore> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-exchange-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return createDirectoryStore(folder, { role: "exchange" });
}

const FOREIGN = { contentType: "application/gzip", cacheControl: "no-store" };
const warnings: string[] = [];
const warn = (message: string): void => void warnings.push(message);
const readAsk = (store: ObjectStore) => createAskReader(store, warn)();

test("asks take turns in two places, and the newest is read", async () => {
  const store = await openFolder();
  expect(await readAsk(store)).toBeUndefined();
  await writeAsk(store, askOf(0));
  await writeAsk(store, askOf(1));
  expect((await readAsk(store))?.id).toBe(IDS[1]);
  await writeAsk(store, askOf(2));
  expect((await readAsk(store))?.id).toBe(IDS[2]);
  expect((await store.listAll(9)).names.toSorted()).toEqual(["ask/0.json.gz", "ask/1.json.gz"]);
});

/** A store that notes what it is asked for. */
function watchRequests(store: ObjectStore) {
  const requests: string[] = [];
  const noting: ObjectStore = {
    ...store,
    read: (key, maxBytes) => (requests.push(`read ${key}`), store.read(key, maxBytes)),
    find: (key) => (requests.push(`find ${key}`), store.find(key)),
  };
  return { noting, takeRequests: () => requests.splice(0) };
}

test("while nothing is asked, only the place of the next ask is looked at", async () => {
  const store = await openFolder();
  const { noting, takeRequests } = watchRequests(store);
  const readNewest = createAskReader(noting, warn);
  const both = ["read ask/0.json.gz", "read ask/1.json.gz"];
  expect([await readNewest(), takeRequests()]).toEqual([undefined, both]);
  await writeAsk(store, askOf(0));
  expect([(await readNewest())?.id, takeRequests()]).toEqual([IDS[0], both]);
  expect([(await readNewest())?.id, takeRequests()]).toEqual([IDS[0], ["find ask/1.json.gz"]]);
  await writeAsk(store, askOf(1));
  const found = ["find ask/1.json.gz", ...both];
  expect([(await readNewest())?.id, takeRequests()]).toEqual([IDS[1], found]);
  expect([(await readNewest())?.id, takeRequests()]).toEqual([IDS[1], ["find ask/0.json.gz"]]);
});

test("after a lost state the second ask is seen, whatever the place of the first", async () => {
  const store = await openFolder();
  for (const at of [0, 1, 2]) await writeAsk(store, askOf(at));
  const readNewest = createAskReader(store, warn);
  expect((await readNewest())?.id).toBe(IDS[2]);
  // It takes the place of the newest one, not of the one before.
  const first = { ...askOf(0), id: "3d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b14" };
  const second = { ...askOf(0), id: "4d9f6a3e-5c1b-4a55-9d3e-0c8e6a0d7b15", after: first.id };
  await writeAsk(store, first);
  expect((await readNewest())?.id).toBe(IDS[2]);
  await writeAsk(store, second);
  expect((await readNewest())?.id).toBe(second.id);
});

test("junk in one place does not hide the ask in the other", async () => {
  const store = await openFolder();
  await writeAsk(store, askOf(0));
  await store.write("ask/1.json.gz", { body: Buffer.alloc(400_000, 1), ...FOREIGN });
  expect((await readAsk(store))?.id).toBe(IDS[0]);
  expect(warnings.at(-1)).toBe(
    `${store.name}: ask/1.json.gz is not a valid ask: incorrect header check.`,
  );
});

test("a place that may not be read counts as empty, but two do not", async () => {
  const store = await openFolder();
  await writeAsk(store, askOf(0));
  const denying = (keys: readonly string[]): ObjectStore => ({
    ...store,
    read: async (key, maxBytes) => {
      if (keys.includes(key)) throw new StoreError("read", key, "access denied");
      return store.read(key, maxBytes);
    },
  });
  expect((await readAsk(denying(["ask/1.json.gz"])))?.id).toBe(IDS[0]);
  await expect(readAsk(denying(["ask/0.json.gz", "ask/1.json.gz"]))).rejects.toThrow(
    "access denied",
  );
});

test("an answer is put once, and a second one changes nothing", async () => {
  const store = await openFolder();
  expect(await putEvidence(store, "fra", IDS[0], Buffer.from("first"))).toBe("put");
  expect(await putEvidence(store, "fra", IDS[0], Buffer.from("second"))).toBe("answered");
  expect(Buffer.from((await readEvidence(store, { id: "fra" }, IDS[0])) ?? []).toString()).toBe(
    "first",
  );
  await removeEvidence(store, [{ id: "fra" }, { id: "hel" }], IDS[0]);
  expect(await readEvidence(store, { id: "fra" }, IDS[0])).toBeUndefined();
});

test("an answer of megabytes is cut off while it is read", async () => {
  const store = await openFolder();
  await putEvidence(store, "fra", IDS[0], Buffer.alloc(5_000_000));
  expect((await readEvidence(store, { id: "fra" }, IDS[0]))?.length).toBe(MAX_EVIDENCE_BYTES + 1);
});

test("a failed look at the next place leads to a read, and a defect to an error", async () => {
  const store = await openFolder();
  await writeAsk(store, askOf(0));
  let fault: Error | undefined;
  const { noting, takeRequests } = watchRequests({
    ...store,
    find: (key) => (fault === undefined ? store.find(key) : Promise.reject(fault)),
  });
  const readNewest = createAskReader(noting, warn);
  await readNewest();
  takeRequests();
  fault = new StoreError("find", "ask/1.json.gz", "access denied");
  expect((await readNewest())?.id).toBe(IDS[0]);
  expect(takeRequests()).toEqual([
    "find ask/1.json.gz",
    "read ask/0.json.gz",
    "read ask/1.json.gz",
  ]);
  fault = new TypeError("a defect");
  await expect(readNewest()).rejects.toBe(fault);
});
