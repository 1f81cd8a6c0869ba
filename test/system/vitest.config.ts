import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ALL = ["test/system/**/*.test.ts"];

/** They look at how a page moves, need a machine that is busy with nothing else, or do as much as there is time for. */
const ALONE = ["test/system/{monitors-races,reports,reports-flood,s3-publish,site-*}.test.ts"];

const SLOW = { testTimeout: 120_000, hookTimeout: 120_000 };

/**
 * Tests with real servers from Debian's packages; one store for all files, in which each has buckets of its own. Two files at once,
 * for most of them wait much of their time: for what a cache forgets, for a store that does not answer. See `run.sh`.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/system/setup.ts",
    projects: [
      { root, test: { name: "system", include: ALL, exclude: ALONE, maxWorkers: 2, ...SLOW } },
      { root, test: { name: "alone", include: ALONE, fileParallelism: false, ...SLOW } },
    ],
  },
});
