import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { PATIENCE } from "../patience.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const ALL = ["test/system/**/*.test.ts"];

/** Browsers, and fronts under many requests: what they wait for has time-outs of its own, so only two of them are busy at once. */
const SEEN = ["test/system/{badge,fronts*,site-*}.test.ts"];

/** They need a machine that is busy with nothing else: what they ask for has to come through while it is flooded. */
const ALONE = ["test/system/{reports-flood,slow-heads}.test.ts"];

/** Files of `npm test` that have a longer form: those that ask for their depth. */
const DEEP = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`)
  .filter((file) => /from "\.\.\/depth\.ts"/u.test(readFileSync(`${root}${file}`, "utf8")));

/** Files that take longest, the longest first: one that came last would keep a worker when all others are done. */
const LONGEST = [
  "system/s3-races",
  "system/monitors-races",
  "system/start",
  "cli/crash",
  "system/site-pages",
  "system/reports",
  "system/monitors",
  "system/start-signals",
  "store/publishing",
  "system/s3-publish",
  "cli/intake",
  "system/fronts-faults",
  "cli/state-outage",
  "system/s3-faults",
  "world/demo",
  "cli/run",
];

class LongestFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONGEST.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
      return rank === -1 ? LONGEST.length : rank;
    };
    return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}

/** More at once would be slower for each, and some of what they start has time-outs of its own. */
const maxWorkers = 2;

/**
 * Tests with real servers from Debian's packages; one store for all files, in which each has buckets of its own. See `run.sh`.
 * Beside them, tests of `npm test` that have a longer form run in that.
 */
export default defineConfig({
  root,
  test: {
    globalSetup: "test/system/setup.ts",
    sequence: { sequencer: LongestFirst },
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
          env: { STATUS_SNAPSHOT_TEST_DEPTH: "full" },
          ...PATIENCE,
        },
      },
      {
        root,
        test: {
          name: "seen",
          include: SEEN,
          maxWorkers,
          // After the others.
          sequence: { groupOrder: 1 },
          ...PATIENCE,
        },
      },
      { root, test: { name: "alone", include: ALONE, fileParallelism: false, ...PATIENCE } },
    ],
  },
});
