import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { longestFirst } from "./longest-first.ts";
import { PATIENCE } from "./patience.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The sources behind a test that starts the built program, or names a folder of them to read all of its files. */
function sourcesBehind(code: string, id: string): readonly string[] {
  if (id === `${root}test/cli/cli.ts`) return [`${root}src/cli.ts`];
  const [, folder = ""] = /"\.\.\/\.\.\/(src\/[^"]+\/)", import\.meta\.url/u.exec(code) ?? [];
  const names =
    folder === "" ? [] : readdirSync(root + folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(".ts")).map((name) => root + folder + name);
}

/** Such tests import none of these sources: without this, `--changed` would not find them. */
const hiddenImports = {
  name: "hidden-imports",
  transform: (code: string, id: string) => {
    const sources = sourcesBehind(code, id);
    const imports = sources.map((one) => `\nvoid (() => import(${JSON.stringify(one)}));`);
    return sources.length === 0 ? undefined : code + imports.join("");
  },
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
  plugins: [hiddenImports],
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
