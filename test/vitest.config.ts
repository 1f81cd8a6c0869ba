import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "./patience.ts";
import layers from "./layers/layers.json" with { type: "json" };

const root = fileURLToPath(new URL("..", import.meta.url));

/** Folders whose tests open no socket and only read fixtures from disk: those of pure rooms, and those with stores in memory. */
const PURE = [
  ...layers.flatMap(({ rooms, isPure }) => (isPure === true ? rooms : [])),
  "cli/output",
  "pipeline",
  "publish",
  "scenarios",
  "simulate",
  "state",
];

const pure = [...PURE.map((folder) => `test/${folder}/**/*.test.ts`), "test/reports/*.test.ts"];

/** Tests that start the built program import none of its sources: without this, `--changed` would not find them. */
const program = {
  name: "program",
  transform: (code: string, id: string) =>
    id === `${root}test/cli/cli.ts`
      ? `${code}\nvoid (() => import("../../src/cli.ts"));`
      : undefined,
};

/** Tests over sockets wait for time-outs more than half of their time, so one for each core would leave the cores idle. */
const maxWorkers = 2 * availableParallelism();

export default defineConfig({
  root,
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    projects: [
      // Test files leave no state behind, so workers can be reused.
      { root, test: { name: "unit", include: pure, isolate: false, maxWorkers, ...PATIENCE } },
      {
        root,
        plugins: [program],
        test: {
          name: "loopback",
          include: ["test/**/*.test.ts"],
          exclude: [...pure, "test/recipes/**", "test/system/**"],
          isolate: false,
          maxWorkers,
          ...PATIENCE,
        },
      },
    ],
  },
});
