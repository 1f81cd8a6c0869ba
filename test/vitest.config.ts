import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./longest-first.ts";
import { PATIENCE } from "./patience.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Tests that start the built program import none of its sources: without this, `--changed` would not find them. */
const program = {
  name: "program",
  transform: (code: string, id: string) =>
    id === `${root}test/cli/cli.ts`
      ? `${code}\nvoid (() => import("../../src/cli.ts"));`
      : undefined,
};

/** Tests over sockets wait for time-outs more than half of their time, so two for each core would still leave the cores idle. */
const maxWorkers = 3 * availableParallelism();

const sequencer = longestFirst([
  "vantages/command",
  "cli/first-day",
  "cli/owners",
  "cli/run",
  "cli/monitors-shards",
  "probe/probe-isolation",
  "intake/command",
  "cli/long",
  "cli/notify-services",
  "monitors/checks/worker-pool",
  "cli/archive",
  "notify/visitor-notices",
  "cli/notify",
  "visitors/visitor-strangers",
  "cli/monitor-guard",
  "cli/state-outage",
]);

export default defineConfig({
  root,
  plugins: [program],
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    include: ["test/**/*.test.ts"],
    exclude: ["test/recipes/**", "test/system/**"],
    sequence: { sequencer },
    // Test files leave no state behind, so workers can be reused.
    isolate: false,
    maxWorkers,
    // Most objects of a test are garbage soon after: with a larger young heap V8 collects them in a tenth of the time.
    execArgv: ["--max-semi-space-size=64"],
    // A golden file that was not committed is a fault on the machine of its author too, not only where CI is set.
    update: "none",
    ...PATIENCE,
  },
});
