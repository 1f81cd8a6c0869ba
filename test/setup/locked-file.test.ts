import { readFile, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { withLockedFile } from "../../src/setup/files/locked-file.ts";
import { makeScratchFolder } from "../store/scratch.ts";

/** The lock is looked at every five seconds. */
const LOOKED_AT_MS = 5_000;

async function start(): Promise<string> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const file = join(makeScratchFolder(), "list.jsonl");
  await writeFile(file, "old");
  return file;
}

/** Lets the lock be looked at. */
async function passTime(file: string): Promise<void> {
  vi.advanceTimersByTime(LOOKED_AT_MS);
  for (let times = 0; times < 50; times += 1) await stat(file);
}

test("a file whose lock was lost is not replaced", async () => {
  const file = await start();
  const outcome = await withLockedFile(file, 100, async ({ read, replace }) => {
    const held = await read();
    await rmdir(`${file}.lock`);
    await passTime(file);
    return replace(Buffer.from("new"), held);
  });
  expect([outcome, await readFile(file, "utf8")]).toEqual(["conflict", "old"]);
});

test("a file whose lock was kept for long is replaced", async () => {
  const file = await start();
  const outcome = await withLockedFile(file, 100, async ({ read, replace }) => {
    const held = await read();
    await passTime(file);
    return replace(Buffer.from("new"), held);
  });
  expect([outcome, await readFile(file, "utf8")]).toEqual(["written", "new"]);
});
