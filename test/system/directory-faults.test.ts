import { mkdtempSync, rmSync } from "node:fs";
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
import { openSmallDisk } from "./small-disk.ts";

const folder = mkdtempSync(join(tmpdir(), "status-snapshot-disk-"));
const disk = openSmallDisk(4 * 1024 * 1024);

let internet: SimulatedInternet;
let workspace: Workspace;

beforeAll(async () => {
  internet = await startSimulatedInternet();
});
afterAll(async () => {
  await internet.close();
  disk?.close();
  await rm(folder, { recursive: true, force: true });
});

const documentsIn = (files: ReadonlyMap<string, string>): readonly string[] =>
  [...files.keys()].filter((path) => path.startsWith("api/v1/"));

const problemOf = ({ stderr }: CliResult): string =>
  eventsNamed(stderr, "failed")
    .map(({ message }) => String(message))
    .join("\n");

describe.runIf(disk !== undefined)("a full disk", () => {
  test.each([
    ["public", "--store"],
    ["state", "--state"],
  ])(
    "of the %s folder is reported with %s, documents stay, the next run repairs",
    async (full, setting) => {
      if (disk === undefined) throw new Error("there is no disk");
      workspace = await openWorkspace(internet);
      const places = {
        public: join(folder, `${full}-public`),
        state: join(folder, `${full}-state`),
      };
      const onDisk = { ...places, [full]: join(disk.folder, full) };
      await mkdir(join(disk.folder, full), { recursive: true });
      const run = (minutes: number) =>
        workspace.run([
          "--store",
          `file:${onDisk.public}`,
          "--state",
          `file:${onDisk.state}`,
          "--log",
          "debug",
          "--at",
          new Date(1_800_000_000_000 + minutes * 60_000).toISOString(),
        ]);
      expect(await run(0)).toMatchObject({ code: 0 });
      const before = await readTree(onDisk.public);
      expect(documentsIn(before)).toHaveLength(4);
      const stateBefore = await readTree(onDisk.state);

      await workspace.set("beta", { kind: "tcp-refused" });
      disk.fill(0);
      const result = await run(5);
      expect(result.code).toBe(1);
      expect(problemOf(result)).toMatch(/cannot write \S+ \(ENOSPC\): no space .* Free some/u);
      expect(problemOf(result)).toContain(`point ${setting} at another disk`);
      expect(await readTree(onDisk.public)).toEqual(before);
      if (full === "state") expect(await readTree(onDisk.state)).toEqual(stateBefore);

      disk.clear();
      expect(await run(10)).toMatchObject({ code: 0 });
      const after = await readTree(onDisk.public);
      expect(after.get("api/v1/status.json")).not.toBe(before.get("api/v1/status.json"));
      expect(documentsIn(after)).toHaveLength(4);
      await workspace.close();
      rmSync(join(disk.folder, full), { recursive: true, force: true });
    },
  );
});

test.skipIf(disk !== undefined)(
  "a full disk is not tested: this user may not mount file systems",
  () => {
    expect(disk).toBeUndefined();
  },
);
