import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "./patience.ts";
import pureFolders from "./pure-folders.json" with { type: "json" };

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders whose tests open no socket and touch no disk beyond reading fixtures. */
const PURE = ["commit", "scenarios", "simulate", ...pureFolders];

const pure = PURE.map((folder) => `test/${folder}/**/*.test.ts`);

/** Vitest itself leaves a processor free, which of two is half of them. */
const maxWorkers = availableParallelism();

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    projects: [
      // No file leaves anything behind for the next, so a worker need not begin anew for each.
      { root, test: { name: "unit", include: pure, isolate: false, maxWorkers, ...PATIENCE } },
      {
        root,
        test: {
          name: "loopback",
          include: ["test/**/*.test.ts"],
          exclude: [...pure, "test/system/**"],
          isolate: false,
          maxWorkers,
          ...PATIENCE,
        },
      },
    ],
  },
});
