import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import pureFolders from "./pure-folders.json" with { type: "json" };

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders whose tests open no socket and touch no disk beyond reading fixtures. */
const PURE = ["commit", "scenarios", ...pureFolders];

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    projects: [
      {
        root,
        test: {
          name: "unit",
          include: PURE.map((folder) => `test/${folder}/**/*.test.ts`),
        },
      },
      {
        root,
        test: {
          name: "loopback",
          include: ["test/**/*.test.ts"],
          exclude: [...PURE.map((folder) => `test/${folder}/**`), "test/system/**"],
          testTimeout: 30_000,
          hookTimeout: 30_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
