import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { longestFirst } from "../longest-first.ts";
import { PATIENCE } from "../patience.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ALL = ["test/system/**/*.test.ts"];

/** Browsers, and fronts with many requests: they have timeouts, so only two run at the same time. */
const SEEN = ["test/system/{badge,browser-*,fronts*,site-*}.test.ts"];

/** They need an otherwise idle machine, because requests have to succeed during a flood. */
const ALONE = ["test/system/{reports-flood,slow-heads}.test.ts"];

/** Files of `npm test` with a longer form: those that import the depth. */
const DEEP = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`)
  .filter((file) => /from "(?:\.\.\/)+depth\.ts"/u.test(readFileSync(`${root}${file}`, "utf8")));

/** The slowest files, slowest first: a late one would run alone at the end. */
const sequencer = longestFirst([
  "cli/blocked-or-down",
  "system/monitors-races",
  "system/s3-races",
  "system/stores",
  "simulated-internet/demo",
  "cli/crash",
  "monitors/owner-api/owner-kills",
  "system/start",
  "system/site-pages",
  "system/reports",
  "system/monitors",
  "system/engine-faults",
  "system/start-signals",
  "store/publishing",
  "system/s3-publish",
  "intake",
  "system/fronts-faults",
  "cli/state-outage",
  "system/s3-faults",
  "cli/run",
  "system/anycast",
]);

/** One for each of two cores, and one because some files mostly wait for what never answers. More would be slower. */
const maxWorkers = 3;

/**
 * Tests with real servers from Debian's packages. All files share one store, and each uses its own buckets. See `run.sh`.
 * Also runs the longer form of tests of `npm test`.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/system/setup.ts",
    sequence: { sequencer },
    projects: [
      {
        root,
        test: {
          name: "system",
          include: ALL,
          exclude: [...SEEN, ...ALONE],
          maxWorkers,
          ...PATIENCE,
        },
      },
      {
        root,
        test: {
          name: "deep",
          include: DEEP,
          maxWorkers,
          globalSetup: "test/temporary-folder.ts",
          env: { TEST_DEPTH: "full" },
          ...PATIENCE,
        },
      },
      {
        root,
        test: {
          name: "seen",
          include: SEEN,
          maxWorkers: 2,
          // After the others.
          sequence: { groupOrder: 1 },
          ...PATIENCE,
        },
      },
      { root, test: { name: "alone", include: ALONE, fileParallelism: false, ...PATIENCE } },
    ],
  },
});
