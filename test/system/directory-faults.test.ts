import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsNamed, type CliResult } from "../cli/cli.ts";
import { openWorkspace, readTree, type Workspace } from "../cli/workspace.ts";
import {
  startSimulatedInternet,
  type SimulatedInternet,
} from "../simulated-internet/simulated-internet.ts";

/** A full disk, simulated by a small file system in memory. */
const DISK_BYTES = 4 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "status-snapshot-disk-"));
const disk = join(folder, "disk");
const canMount = tryToMount();

let internet: SimulatedInternet;
let workspace: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
});
afterAll(async () => {
  await internet.close();
  if (canMount) execFileSync("umount", [disk]);
  await rm(folder, { recursive: true, force: true });
});

/** Mounting needs root, and is not allowed in every container. */
function tryToMount(): boolean {
  mkdirSync(disk);
  try {
    const options = ["-t", "tmpfs", "-o", `size=${DISK_BYTES}`, "tmpfs", disk];
    execFileSync("mount", options, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Fills the disk except for `leave` bytes. */
function fillDisk(leave: number): void {
  let size = DISK_BYTES - leave;
  for (let part = 0; size >= 4_096 && part < 200; part += 1) {
    try {
      writeFileSync(join(disk, `filler-${part}`), Buffer.alloc(size));
    } catch {
      // The partial file is removed; the size is halved until it is less than a block.
      rmSync(join(disk, `filler-${part}`), { force: true });
      size = Math.floor(size / 2);
    }
  }
}

function clearDisk(): void {
  for (const name of readdirSync(disk)) {
    if (name.startsWith("filler-")) rmSync(join(disk, name));
  }
}

const documentsIn = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files.keys()].filter((path) => path.startsWith("api/"));

const problemOf = ({ stderr }: CliResult): string =>
  eventsNamed(stderr, "failed")
    .map(({ message }) => String(message))
    .join("\n");

describe.runIf(canMount)("a full disk", () => {
  test.each([
    ["public", "--store"],
    ["state", "--state"],
  ])(
    "of the %s folder is reported with %s, documents stay, the next run repairs",
    async (full, setting) => {
      workspace = await openWorkspace(internet);
      const places = {
        public: join(folder, `${full}-public`),
        state: join(folder, `${full}-state`),
      };
      const onDisk = { ...places, [full]: join(disk, full) };
      await mkdir(join(disk, full), { recursive: true });
      const run = (minutes: number) =>
        workspace.run([
          "--store",
          `file:${onDisk.public}`,
          "--state",
          `file:${onDisk.state}`,
          "--log",
          "json",
          "--at",
          new Date(1_800_000_000_000 + minutes * 60_000).toISOString(),
        ]);
      expect(await run(0)).toMatchObject({ code: 0 });
      const before = await readTree(onDisk.public);
      expect(documentsIn(before)).toHaveLength(4);
      const stateBefore = await readTree(onDisk.state);

      await workspace.set("beta", { kind: "tcp-refused" });
      fillDisk(0);
      const result = await run(5);
      expect(result.code).toBe(1);
      expect(problemOf(result)).toMatch(/cannot write \S+ \(ENOSPC\): no space .* Free some/u);
      expect(problemOf(result)).toContain(`point ${setting} at another disk`);
      expect(await readTree(onDisk.public)).toEqual(before);
      if (full === "state") expect(await readTree(onDisk.state)).toEqual(stateBefore);

      clearDisk();
      expect(await run(10)).toMatchObject({ code: 0 });
      const after = await readTree(onDisk.public);
      expect(after.get("api/v1/status.json")).not.toBe(before.get("api/v1/status.json"));
      expect(documentsIn(after)).toHaveLength(4);
      await workspace.close();
      rmSync(join(disk, full), { recursive: true, force: true });
    },
  );
});

test.skipIf(canMount)("a full disk is not tested: this user may not mount file systems", () => {
  expect(canMount).toBe(false);
});
