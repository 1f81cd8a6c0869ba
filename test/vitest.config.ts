import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import pureFolders from "./pure-folders.json" with { type: "json" };

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders whose tests open no socket and touch no disk beyond reading fixtures. */
const PURE = ["commit", "scenarios", ...pureFolders];

/** Where times are measured: one file after the other, and after all others, which would be measured along. */
const TIMED = ["test/{checks,intake,probe}/**/*.test.ts", "test/world/!(demo).test.ts"];

const pure = PURE.map((folder) => `test/${folder}/**/*.test.ts`);

/** Vitest itself leaves a processor free, which of two is half of them. */
const maxWorkers = availableParallelism();

const SLOW = { testTimeout: 30_000, hookTimeout: 30_000 };

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    projects: [
      { root, test: { name: "unit", include: pure, maxWorkers } },
      {
        root,
        test: {
          name: "loopback",
          include: ["test/**/*.test.ts"],
          exclude: [...pure, ...TIMED, "test/system/**"],
          maxWorkers,
          ...SLOW,
        },
      },
      { root, test: { name: "timed", include: TIMED, fileParallelism: false, ...SLOW } },
    ],
  },
});
