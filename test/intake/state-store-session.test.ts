import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { putSecret, SECRET_KEY, UnusableStoreError } from "../../src/intake/network-hash-key.ts";
import { openStateStoreSession } from "../../src/intake/state-store-session.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { saveState } from "../../src/state/state-file.ts";
import { makeFolder } from "../reports/intake/harness.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { openLog } from "./prepared.ts";

const COPY = Buffer.alloc(32, 7);

/** A folder of a journal with a copy of the secret. */
async function folderWithCopy(): Promise<string> {
  const folder = makeFolder();
  await writeFile(join(folder, "secret.bin"), COPY);
  return folder;
}

/** A store that is down until it is told otherwise. */
function downStore() {
  const memory = createMemoryStore();
  const world = { isDown: true, reads: 0 };
  const store: ObjectStore = {
    ...memory,
    read: async (key, maxBytes) => {
      world.reads += 1;
      if (world.isDown) throw new StoreError("read", key, "the store is down.");
      return memory.read(key, maxBytes);
    },
  };
  return { store, world, memory };
}

describe("with a store that answers", () => {
  test("a secret is made once, and its copy kept", async () => {
    const store = createMemoryStore();
    const folder = makeFolder();
    const { log, warnings } = openLog();
    const first = await openStateStoreSession(store, folder, log);
    expect(first.secret).toHaveLength(32);
    const second = await openStateStoreSession(store, undefined, log);
    expect(Buffer.from(second.secret)).toEqual(Buffer.from(first.secret));
    await first.handshake();
    expect(warnings).toEqual([]);
  });

  test("a store that has lost its secret gets the copy", async () => {
    const store = createMemoryStore();
    const { secret } = await openStateStoreSession(store, await folderWithCopy(), openLog().log);
    expect([Buffer.from(secret), Buffer.from((await store.read(SECRET_KEY))?.body ?? [])]).toEqual([
      COPY,
      COPY,
    ]);
  });

  test("a store that ignores conditions is refused", async () => {
    const memory = createMemoryStore();
    const store: ObjectStore = {
      ...memory,
      write: (key, object) => memory.write(key, object),
    };
    const opened = openStateStoreSession(store, undefined, openLog().log);
    await expect(opened).rejects.toThrow(UnusableStoreError);
    await expect(opened).rejects.toThrow(
      "memory: this store ignores the conditions of writes, so only one program may write there. Use another --state for an intake that works in parallel to runs; doctor says more.",
    );
  });

  test("a copy that cannot be kept is a warning", async () => {
    const { log, warnings } = openLog();
    const folder = makeFolder();
    const store = createMemoryStore();
    const reading: ObjectStore = {
      ...store,
      // The folder of the journal breaks after it was looked at.
      read: async (key, most) => {
        await mkdir(join(folder, "secret.bin"), { recursive: true });
        return store.read(key, most);
      },
    };
    await openStateStoreSession(reading, folder, log);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^The intake cannot start while the state store is down: no secret in \/.* \(EISDIR/u,
      ),
    ]);
  });

  test("the counts of the state are those that the intake starts with", async () => {
    const store = createMemoryStore();
    const ledger = { ...EMPTY_STATE.reports.ledger };
    await saveState(store, { ...EMPTY_STATE }, undefined);
    expect((await openStateStoreSession(store, undefined, openLog().log)).ledger).toEqual(ledger);
  });

  test("one lost request is not a store that ignores conditions", async () => {
    const memory = createMemoryStore();
    let lost = 0;
    const store: ObjectStore = {
      ...memory,
      write: (key, object, condition) => {
        const isFirst = condition?.kind === "absent" && key.startsWith("intake/") && lost === 0;
        if (isFirst) lost += 1;
        return isFirst
          ? Promise.resolve({ kind: "conflict" } as const)
          : memory.write(key, object, condition);
      },
    };
    await openStateStoreSession(store, undefined, openLog().log);
    expect(lost).toBe(1);
  });
});

describe("with a store that is down", () => {
  test("an intake without a copy does not start, and says how it could", async () => {
    const { store } = downStore();
    const { log } = openLog();
    await expect(openStateStoreSession(store, undefined, log)).rejects.toThrow(
      "the store is down. Without a journal an intake cannot start while its store is down.",
    );
    const folder = makeFolder();
    await expect(openStateStoreSession(store, folder, log)).rejects.toThrow(
      `the store is down. The first start with the journal ${folder} takes a secret from there.`,
    );
  });

  test("an intake with a copy starts, and makes its handshake later, once", async () => {
    const { store, world, memory } = downStore();
    await putSecret(memory, COPY);
    const { log, warnings } = openLog();
    const session = await openStateStoreSession(store, await folderWithCopy(), log);
    expect(Buffer.from(session.secret)).toEqual(COPY);
    expect(warnings).toEqual([
      "Nothing is published until the state store answers. Reports are kept in the journal as long as there is space: the store is down.",
    ]);
    await expect(session.handshake()).rejects.toThrow("the store is down.");
    world.isDown = false;
    await Promise.all([session.handshake(), session.handshake()]);
    const { reads } = world;
    await session.handshake();
    expect([world.reads, warnings.length]).toEqual([reads, 1]);
  });

  test("another secret in the store is told, because networks may count twice", async () => {
    const { store, world, memory } = downStore();
    await putSecret(memory, Buffer.alloc(32, 8));
    const { log, warnings } = openLog();
    const session = await openStateStoreSession(store, await folderWithCopy(), log);
    world.isDown = false;
    await session.handshake();
    expect(warnings[1]).toBe(
      "The state store has another secret than this intake started with, so networks may count twice: restart the intake.",
    );
  });

  test("a store that turns out to be unusable ends the intake", async () => {
    const { store, world, memory } = downStore();
    const object = { body: Buffer.alloc(31), contentType: "", cacheControl: "" };
    await memory.write(SECRET_KEY, object);
    const session = await openStateStoreSession(store, await folderWithCopy(), openLog().log);
    world.isDown = false;
    await expect(session.handshake()).rejects.toThrow(UnusableStoreError);
    expect(await session.failure).toBeInstanceOf(UnusableStoreError);
  });

  test("a damaged secret is no outage: the intake does not start", async () => {
    const store = createMemoryStore();
    const object = { body: Buffer.alloc(31), contentType: "", cacheControl: "" };
    await store.write(SECRET_KEY, object);
    const opened = openStateStoreSession(store, await folderWithCopy(), openLog().log);
    await expect(opened).rejects.toThrow(UnusableStoreError);
  });
});
