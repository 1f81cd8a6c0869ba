import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  findSecret,
  keepCopy,
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
    await expect(found).rejects.toThrow(`is damaged, it has ${bytes} bytes in place of 32`);
    expect((await store.read(SECRET_KEY))?.body.byteLength).toBe(bytes);
  },
);

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
