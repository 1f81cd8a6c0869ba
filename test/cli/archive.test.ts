import { join } from "node:path";
import { expect, test } from "vitest";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { atDepth } from "../depth.ts";
import { ageLock } from "../store/age-lock.ts";
import { killDuringFolds } from "./archive-kills.ts";
import { eventsNamed } from "./cli.ts";
import { useCliFixture } from "./cli-fixture.ts";

const { workspace } = useCliFixture(true);

test("runs that are killed while they fold a day leave it in the archive once", async () => {
  const one = await workspace();
  const [publicFolder, stateFolder] = [join(one.folder, "public"), join(one.folder, ".state")];
  await killDuringFolds(
    {
      workspace: one,
      options: [],
      env: {},
      publicStore: createDirectoryStore(publicFolder, { role: "public" }),
      stateStore: createDirectoryStore(stateFolder, { role: "private" }),
      afterKill: () => {
        for (const folder of [publicFolder, stateFolder]) ageLock(folder);
      },
    },
    atDepth(3, 25),
  );
});

test("`keepArchive` removes what is older, and refuses too few days", async () => {
  const one = await workspace();
  const run = (at: string, ...more: string[]) => one.run(["--at", at, "--log", "debug", ...more]);
  for (const at of ["2026-09-30T12:00:00Z", "2026-10-01T00:20:00Z", "2026-11-20T00:20:00Z"])
    expect((await run(at)).code).toBe(0);
  const archived = async () =>
    [...(await one.published()).keys()].filter((path) => /^archive.*checks\.parquet$/u.test(path));
  expect(await archived()).toEqual([
    "archive/v1/2026-09-30/checks.parquet",
    "archive/v1/2026-10-01/checks.parquet",
  ]);
  const { code, stderr } = await run("2026-11-21T00:20:00Z", "--set", "keepArchive=45");
  expect([code, eventsNamed(stderr, "archive-sealed")]).toMatchObject([
    0,
    [{ dates: ["2026-11-20"] }],
  ]);
  expect((await run("2026-11-21T00:25:00Z", "--set", "keepArchive=45")).code).toBe(0);
  expect(await archived()).toEqual(["archive/v1/2026-11-20/checks.parquet"]);
  const refused = await run("2026-11-21T00:30:00Z", "--set", "keepArchive=7");
  expect([refused.code, refused.stderr]).toMatchObject([
    2,
    expect.stringContaining("keepArchive 7: give forever"),
  ]);
});
