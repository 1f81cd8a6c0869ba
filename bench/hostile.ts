import { openCrowdLab } from "../test/checks/hostile-crowd.ts";
import { RAW_KINDS, WORLD_KINDS } from "../test/checks/hostile-kinds.ts";
import { openHostileLab } from "../test/checks/hostile-lab.ts";
import type { Figure, Section } from "./report.ts";

/** Time-out of the monitors that are checked one at a time, and of those in the crowd. */
const ONE_TIMEOUT_MS = 1_500;
const CROWD_TIMEOUT_MS = 3_000;
const SIZES = [300, 1_000];

/** What hostile servers cost: a check of each kind alone, then hundreds of them in one run. */
export async function benchHostile(): Promise<Section> {
  return {
    title: `Hostile servers: one check of each kind (timeoutMs: ${ONE_TIMEOUT_MS}), then many in one run (timeoutMs: ${CROWD_TIMEOUT_MS})`,
    command: "npm run bench -- hostile",
    figures: [...(await measureKinds()), ...(await measureCrowds())],
    notes: [
      "The servers are in the process of the check, and in that of the crowd in two others, on the same cores.",
    ],
  };
}

async function measureKinds(): Promise<readonly Figure[]> {
  const hostile = await openHostileLab();
  const figures: Figure[] = [];
  try {
    for (const name of Object.keys({ ...WORLD_KINDS, ...RAW_KINDS })) {
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
  const crowd = await openCrowdLab({ shortMs: CROWD_TIMEOUT_MS, longMs: CROWD_TIMEOUT_MS });
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
        figure("lateness of the main thread, 99th percentile", lagMs, "ms", 150),
      );
    }
  } finally {
    await crowd.close();
  }
  return figures;
}
