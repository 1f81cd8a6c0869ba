import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "../patience.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ALL = ["test/system/**/*.test.ts"];

/** They look at how a page moves, need a machine that is busy with nothing else, or do as much as there is time for. */
const ALONE = [
  "test/system/{monitors-races,reports,reports-flood,s3-publish,site-*,slow-heads}.test.ts",
];

/** Files of `npm test` that have a longer form: those that ask for their depth. */
const DEEP = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`)
  .filter((file) => /from "\.\.\/depth\.ts"/u.test(readFileSync(`${root}${file}`, "utf8")));

/**
 * Tests with real servers from Debian's packages; one store for all files, in which each has buckets of its own. Two files at once,
 * for most of them wait much of their time: for what a cache forgets, for a store that does not answer. See `run.sh`. Beside them,
 * tests of `npm test` that have a longer form run in that.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/system/setup.ts",
    projects: [
      { root, test: { name: "system", include: ALL, exclude: ALONE, maxWorkers: 2, ...PATIENCE } },
      {
        root,
        test: {
          name: "deep",
          include: DEEP,
          maxWorkers: 2,
          globalSetup: "test/temporary-folder.ts",
          env: { STATUS_SNAPSHOT_TEST_DEPTH: "full" },
          ...PATIENCE,
        },
      },
      { root, test: { name: "alone", include: ALONE, fileParallelism: false, ...PATIENCE } },
    ],
  },
});
