import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  connectionsOfNetwork,
  connectionsWithin,
  readDescriptorLimit,
} from "../../src/http-server/listen.ts";

function write(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "limits");
  writeFileSync(file, text);
  return file;
}

const line = (soft: string, hard: string): string =>
  `Limit                     Soft Limit           Hard Limit           Units     \nMax processes             1                    2                    processes \nMax open files            ${soft.padEnd(20)} ${hard.padEnd(20)} files     \n`;

test.each([
  ["400", "400", 400],
  ["1024", "524288", 1_024],
  ["unlimited", "unlimited", Number.POSITIVE_INFINITY],
])("a soft limit of %s is read", async (soft, hard, expected) => {
  expect(await readDescriptorLimit(write(line(soft, hard)))).toBe(expected);
});

test("the limit is 1,024 if the system does not report it", async () => {
  expect(await readDescriptorLimit(write("something else\n"))).toBe(1_024);
  expect(await readDescriptorLimit("/nowhere/limits")).toBe(1_024);
});

test.skipIf(process.platform !== "linux")("Linux reports the limit of this process", async () => {
  // A child has the limits of its parent.
  const shown = execFileSync("sh", ["-c", "ulimit -n"], { encoding: "utf8" }).trim();
  expect(await readDescriptorLimit()).toBe(
    shown === "unlimited" ? Number.POSITIVE_INFINITY : Number(shown),
  );
});

test("the reserve stays free, except at very low limits", () => {
  expect([400, 175, 171].map(connectionsWithin)).toEqual([272, 47, 43]);
  // 128 are reserved, as long as a quarter remains.
  expect([170, 169, 100, 8, 7, 4, 3, 1].map(connectionsWithin)).toEqual([
    42, 42, 25, 2, 1, 1, 1, 1,
  ]);
});

test("no server keeps more than 4,096 connections", () => {
  const limits = [4_223, 4_224, 4_225, 8_192, 1_000_000, Number.POSITIVE_INFINITY];
  expect(limits.map(connectionsWithin)).toEqual([4_095, 4_096, 4_096, 4_096, 4_096, 4_096]);
});

test("it takes eight networks to use all connections, but each has 4 to 64", () => {
  expect([1, 8, 39, 40, 272, 511, 512, 520, 4_096].map(connectionsOfNetwork)).toEqual([
    4, 4, 4, 5, 34, 63, 64, 64, 64,
  ]);
});
