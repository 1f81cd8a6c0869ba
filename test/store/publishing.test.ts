import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { publishAll } from "../publish/publish-all.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { atDepth } from "../depth.ts";
import { bundleScript } from "../run-script.ts";
import { ageLock } from "./age-lock.ts";
import {
  COMING_AND_GOING,
  type Content,
  keyOf,
  keysToRemove,
  LIST_KEY,
  parseContent,
  SLUGS,
  toDocuments,
} from "./publishing.ts";
import { makeScratchFolder } from "./scratch.ts";

/**
 * Generations that the reader sees, at least. A wrong order, or a file that is not replaced atomically, shows within the first 50;
 * a rarer defect may need hundreds.
 */
const SEEN_GENERATIONS = atDepth(50, 400);

const CHILD = new URL("publish-many.ts", import.meta.url);

/** A process that publishes; resolves when its first generation is published. Throws if it ends before. */
async function startPublisher(
  folder: string,
  first: number,
): Promise<ChildProcessByStdio<Writable, Readable, null>> {
  const child = spawn(process.execPath, [await bundleScript(CHILD), folder, String(first)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the publisher ended with ${code}: see above`);
  });
  await Promise.race([once(child.stdout, "data"), ended]);
  // Later it may end or be killed.
  ended.catch(() => undefined);
  return child;
}

/** Reads the file directly, as a web server does. */
function readContent(folder: string, key: string): Content | undefined {
  try {
    return parseContent(readFileSync(join(folder, `${key}.json`), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** Reads the list, then the details that it names: none may be missing, torn, or older than the list. */
function checkAsReader(folder: string, newestSeen: number): number {
  const list = readContent(folder, LIST_KEY);
  if (list === undefined) throw new Error("the list is missing");
  expect(list.generation).toBeGreaterThanOrEqual(newestSeen);
  for (const slug of list.slugs) {
    const detail = readContent(folder, keyOf(slug));
    if (detail === undefined) {
      // A service may be removed between the two reads, but then there is already a newer list.
      expect(slug).toBe(COMING_AND_GOING);
      expect(readContent(folder, LIST_KEY)?.generation).toBeGreaterThan(list.generation);
    } else {
      expect(detail.generation).toBeGreaterThanOrEqual(list.generation);
    }
  }
  return list.generation;
}

test("a reader during many publishes never sees a missing, torn or older document", async () => {
  const folder = makeScratchFolder();
  const child = await startPublisher(folder, 1);
  const closed = once(child, "close");
  let last = 0;
  createInterface({ input: child.stdout }).on("line", (line) => (last = Number(line)));
  let newestSeen = 0;
  const seen = new Set<number>();
  while (seen.size < SEEN_GENERATIONS) {
    expect(child.exitCode).toBeNull();
    for (let round = 0; round < 20; round += 1) {
      newestSeen = checkAsReader(folder, newestSeen);
      seen.add(newestSeen);
    }
    await sleep(0);
  }
  child.stdin.end();
  expect(await closed).toEqual([0, null]);
  expect(last).toBeGreaterThanOrEqual(SEEN_GENERATIONS);
  expect(checkAsReader(folder, newestSeen)).toBe(last);
});

test("a killed publisher leaves whole documents; the next one cleans up", async () => {
  const folder = makeScratchFolder();
  let generation = 0;
  for (let round = 0; round < atDepth(3, 10); round += 1) {
    const child = await startPublisher(folder, generation + 1);
    await sleep(Math.random() * 60);
    child.kill("SIGKILL");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    ageLock(folder);
    generation = checkAsReader(folder, generation);
  }

  const leftovers = readdirSync(join(folder, ".tmp"));
  for (const name of leftovers) utimesSync(join(folder, ".tmp", name), 0, 0);
  const healed = generation + 2 - (generation % 2);
  await publishAll(createDirectoryStore(folder), toDocuments(healed), {
    removeKeys: keysToRemove(healed),
  });
  for (const key of [LIST_KEY, ...SLUGS.map(keyOf)]) {
    expect(readContent(folder, key)?.generation).toBe(healed);
  }
  expect(readContent(folder, keyOf(COMING_AND_GOING))).toBeUndefined();
  expect(readdirSync(join(folder, ".tmp"))).toEqual([]);
});
