import { openCrowdHarness } from "../test/monitors/checks/hostile-crowd.ts";
import { RAW_KINDS, INTERNET_KINDS } from "../test/monitors/checks/hostile-kinds.ts";
import { openHostileHarness } from "../test/monitors/checks/hostile-harness.ts";
import type { Figure, Section } from "./report.ts";

/** Timeouts of the monitors that are checked one at a time, and of those that are checked together. */
const ONE_TIMEOUT_MS = 1_500;
const MANY_TIMEOUT_MS = 3_000;
const SIZES = [300, 1_000];

/** The cost of hostile servers: one check of each kind, then hundreds in one run. */
export async function benchHostile(): Promise<Section> {
  return {
    title: `Hostile servers: one check of each kind (timeoutMs: ${ONE_TIMEOUT_MS}), then many in one run (timeoutMs: ${MANY_TIMEOUT_MS})`,
    command: "npm run bench -- hostile",
    figures: [...(await measureKinds()), ...(await measureCrowds())],
    notes: [
      "For single checks, the servers are in the process of the check; for runs, in two others on the same cores.",
    ],
  };
}

async function measureKinds(): Promise<readonly Figure[]> {
  const hostile = await openHostileHarness();
  const figures: Figure[] = [];
  try {
    for (const name of Object.keys({ ...INTERNET_KINDS, ...RAW_KINDS })) {
      const startMs = performance.now();
      const { word, rawBytes } = await hostile.checkKind(name, ONE_TIMEOUT_MS);
      const ms = performance.now() - startMs;
      const what = `${name}: ${word}, ${(rawBytes / 1_000).toFixed(1)} kB read`;
      figures.push({ what, values: [ms], unit: "ms", digits: 0 });
    }
  } finally {
    await hostile.close();
  }
  return figures;
}

async function measureCrowds(): Promise<readonly Figure[]> {
  const crowd = await openCrowdHarness({ shortMs: MANY_TIMEOUT_MS, longMs: MANY_TIMEOUT_MS });
  const figures: Figure[] = [];
  try {
    for (const size of SIZES) {
      const { targets } = await crowd.gather(size);
      const { tookMs, grownMb, lagMs } = await crowd.run(targets);
      const figure = (what: string, value: number, unit: string, goal: number): Figure => {
        return { what: `${size} in one run, ${what}`, values: [value], unit, digits: 0, goal };
      };
      figures.push(
        figure("time", tookMs, "ms", 40_000),
        figure("growth of the process", grownMb, "MiB", 500),
        figure("event loop lag of the main thread, p99", lagMs, "ms", 150),
      );
    }
  } finally {
    await crowd.close();
  }
  return figures;
}
