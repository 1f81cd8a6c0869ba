import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventsNamed, type CliResult } from "../cli/cli.ts";
import { openStage, readTree, type Stage } from "../cli/stage.ts";
import { startWorld, type World } from "../world/world.ts";

/** A disk that fills up, shown with a small file system in memory. */
const DISK_BYTES = 4 * 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), "status-snapshot-disk-"));
const disk = join(folder, "disk");
const canMount = tryToMount();

let world: World;
let stage: Stage;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  await world.close();
  if (canMount) execFileSync("umount", [disk]);
  await rm(folder, { recursive: true, force: true });
});

/** Only root may mount, and not in every container. */
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

/** Takes what is left of the disk, but for so many bytes. */
function fillDisk(leave: number): void {
  let size = DISK_BYTES - leave;
  for (let part = 0; size >= 4_096 && part < 200; part += 1) {
    try {
      writeFileSync(join(disk, `filler-${part}`), Buffer.alloc(size));
    } catch {
      // What did not fit is cut off; halve until a block is too much.
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
    "of the %s folder: the message names %s, what was published stays, the next run heals",
    async (full, setting) => {
      stage = await openStage(world);
      const places = {
        public: join(folder, `${full}-public`),
        state: join(folder, `${full}-state`),
      };
      const onDisk = { ...places, [full]: join(disk, full) };
      await mkdir(join(disk, full), { recursive: true });
      const run = (minutes: number) =>
        stage.run([
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

      await stage.set("beta", { kind: "tcp-refused" });
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
      await stage.close();
      rmSync(join(disk, full), { recursive: true, force: true });
    },
  );
});

test.skipIf(canMount)("a full disk is not tried: this user may not mount a file system", () => {
  expect(canMount).toBe(false);
});
