import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Tests with real servers from Debian's packages: one store for all files, so one file after the other. See `run.sh`. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    name: "system",
    include: ["test/system/**/*.test.ts"],
    globalSetup: "test/system/setup.ts",
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
