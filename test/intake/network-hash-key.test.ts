import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  findSecret,
  keepCopy,
  putSecret,
  readCopy,
  SECRET_KEY,
  UnusableStoreError,
} from "../../src/intake/network-hash-key.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { makeFolder } from "../reports/intake/harness.ts";

const SECRET = Buffer.alloc(32, 7);

test.each([0, 5, 31, 33])(
  "a secret of %d bytes in the store is damaged, and is not replaced",
  async (bytes) => {
    const store = createMemoryStore();
    const object = { body: Buffer.alloc(bytes), contentType: "", cacheControl: "" };
    await store.write(SECRET_KEY, object);
    const found = findSecret(store);
    await expect(found).rejects.toThrow(UnusableStoreError);
    await expect(found).rejects.toThrow(
      `memory: intake-secret.bin is damaged, it has ${bytes} bytes in place of 32. Restore it from a backup, or delete it: then the next start stores the copy from its journal folder there, or creates another key, and networks may count twice for an hour.`,
    );
    expect((await store.read(SECRET_KEY))?.body.byteLength).toBe(bytes);
  },
);

test("a secret is made at random, in 32 bytes that no cache keeps", async () => {
  const [one, other] = [createMemoryStore(), createMemoryStore()];
  expect(await findSecret(one)).toBeUndefined();
  const secret = await putSecret(one, undefined);
  expect(secret).toHaveLength(32);
  expect(await putSecret(other, undefined)).not.toEqual(secret);
  expect(one.objects.get("intake-secret.bin")).toMatchObject({
    contentType: "application/octet-stream",
    cacheControl: "no-store",
  });
});

test("a secret that is there stays, whatever another intake brings", async () => {
  const store = createMemoryStore();
  expect(Buffer.from(await putSecret(store, SECRET))).toEqual(SECRET);
  expect(Buffer.from(await putSecret(store, Buffer.alloc(32, 9)))).toEqual(SECRET);
  expect(Buffer.from((await findSecret(store)) ?? [])).toEqual(SECRET);
});

test("a secret that a store takes and does not show yet is the one that was stored", async () => {
  const store = { ...createMemoryStore(), read: () => Promise.resolve(undefined) };
  expect(Buffer.from(await putSecret(store, SECRET))).toEqual(SECRET);
});

test("a copy is for its owner alone", async () => {
  const folder = makeFolder();
  expect(await readCopy(folder)).toBeUndefined();
  await keepCopy(folder, SECRET);
  expect((await stat(join(folder, "secret.bin"))).mode & 0o777).toBe(0o600);
});

test.each([0, 5, 31, 33])(
  "a copy of %d bytes counts as missing, and is replaced",
  async (bytes) => {
    const folder = makeFolder();
    await writeFile(join(folder, "secret.bin"), Buffer.alloc(bytes));
    expect(await readCopy(folder)).toBe(undefined);
    await keepCopy(folder, SECRET);
    expect(await readCopy(folder)).toEqual(SECRET);
  },
);

test("a copy follows the secret of the store, and is written only if it differs", async () => {
  const folder = makeFolder();
  await keepCopy(folder, SECRET);
  const { mtimeMs, ino } = await stat(join(folder, "secret.bin"));
  await keepCopy(folder, Buffer.alloc(32, 7));
  expect(await stat(join(folder, "secret.bin"))).toMatchObject({ mtimeMs, ino });
  await keepCopy(folder, Buffer.alloc(32, 8));
  expect(await readCopy(folder)).toEqual(Buffer.alloc(32, 8));
});
