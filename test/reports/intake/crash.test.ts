import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";
import { openJournal } from "../../../src/reports/intake/journal.ts";
import { bundleScript } from "../../run-script.ts";
import { makeFolder } from "./harness.ts";
import { decode } from "./reports.ts";

const CHILD = new URL("crash-script.ts", import.meta.url);
const KILLS = 6;

/** Runs the child until it has acknowledged at least so many reports, and returns their numbers. */
async function runUntilKilled(args: readonly string[], enough: number): Promise<readonly number[]> {
  const child = spawn(process.execPath, [await bundleScript(CHILD), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  const acknowledged: number[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => {
    acknowledged.push(Number(line));
    if (acknowledged.length === enough) child.kill("SIGKILL");
  });
  await Promise.all([closed, once(lines, "close")]);
  return acknowledged;
}

test("kill -9 at any time loses no acknowledged report and counts none twice", async () => {
  const folder = makeFolder();
  const [inbox, journal] = [join(folder, "inbox"), join(folder, "journal")];
  mkdirSync(inbox);
  const acknowledged: number[] = [];
  for (let index = 0; index < KILLS; index += 1) {
    const args = [inbox, journal, String(index * 1_000_000)];
    acknowledged.push(...(await runUntilKilled(args, 25 + Math.floor(Math.random() * 200))));
  }
  // By id: the objects of the inbox, and those that the journal would write.
  const objects = new Map<string, readonly number[]>();
  for (const name of readdirSync(inbox).filter((name) => name.endsWith(".object"))) {
    const reports = decode(readFileSync(join(inbox, name)));
    objects.set(
      name.replace(".object", ""),
      reports.map(({ atMs }) => atMs),
    );
  }
  const fromInbox = objects.size;
  const left = await openJournal(journal, { maxReports: 20, nowMs: () => Date.now() });
  for (let segment = await left.next(); segment; segment = await left.next()) {
    const numbers = segment.reports.map(({ atMs }) => atMs);
    expect(objects.get(segment.id) ?? numbers).toEqual(numbers);
    objects.set(segment.id, numbers);
    await left.remove(segment.id);
  }
  const counted = [...objects.values()].flat();
  expect(acknowledged.length).toBeGreaterThan(KILLS * 20);
  // How many of them a child writes before it is killed depends on the machine.
  expect(fromInbox).toBeGreaterThan(0);
  expect(new Set(counted).size).toBe(counted.length);
  const found = new Set(counted);
  expect(acknowledged.filter((number) => !found.has(number))).toEqual([]);
});
