import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import {
  MAX_EVIDENCE_BYTES,
  putEvidence,
  readAsk,
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

test("asks take turns in two places, and the newest is read", async () => {
  const store = await openFolder();
  expect(await readAsk(store, warn)).toBeUndefined();
  await writeAsk(store, askOf(0));
  await writeAsk(store, askOf(1));
  expect((await readAsk(store, warn))?.id).toBe(IDS[1]);
  await writeAsk(store, askOf(2));
  expect((await readAsk(store, warn))?.id).toBe(IDS[2]);
  expect((await store.listAll(9)).names.toSorted()).toEqual(["ask/0.json.gz", "ask/1.json.gz"]);
});

test("junk in one place does not hide the ask in the other", async () => {
  const store = await openFolder();
  await writeAsk(store, askOf(0));
  await store.write("ask/1.json.gz", { body: Buffer.alloc(400_000, 1), ...FOREIGN });
  expect((await readAsk(store, warn))?.id).toBe(IDS[0]);
  expect(warnings.at(-1)).toContain("ask/1.json.gz is not a valid ask");
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
  expect((await readAsk(denying(["ask/1.json.gz"]), warn))?.id).toBe(IDS[0]);
  await expect(readAsk(denying(["ask/0.json.gz", "ask/1.json.gz"]), warn)).rejects.toThrow(
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
