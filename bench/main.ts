import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { readShippedCatalogue } from "../test/simulated-internet/shipped-catalogue.ts";
import { benchHelp, benchHistory, benchProbe, benchRuns, benchSilence } from "./benches.ts";
import { benchArchive } from "./archive.ts";
import { benchBadges } from "./badges.ts";
import { benchFronts } from "./fronts.ts";
import { benchCells } from "./cells.ts";
import { benchEngine } from "./engine.ts";
import { benchHostile } from "./hostile.ts";
import { benchMonitors } from "./monitors.ts";
import { benchReports } from "./reports.ts";
import { benchOutages } from "./outages.ts";
import { benchOwners } from "./owners.ts";
import { benchPages } from "./pages.ts";
import { benchPush } from "./push.ts";
import { benchRegistry } from "./registry.ts";
import { renderSection, type Section } from "./report.ts";
import { benchS3 } from "./s3.ts";
import { benchSettled } from "./settled.ts";
import { benchVantages } from "./vantages.ts";
import { benchSite } from "./site.ts";

/*
 * `npm run bench`: prints the cost of the program on this machine, each figure with its goal. Always exits with 0. All
 * traffic stays on loopback.
 */

/** By name on the command line. */
const BENCHES = {
  help: benchHelp,
  history: benchHistory,
  probe: benchProbe,
  run: benchRuns,
  settled: benchSettled,
  silence: benchSilence,
  monitors: benchMonitors,
  outages: benchOutages,
  registry: benchRegistry,
  hostile: benchHostile,
  fronts: benchFronts,
  s3: benchS3,
  badges: benchBadges,
  reports: benchReports,
  site: benchSite,
  vantages: benchVantages,
  owners: benchOwners,
  pages: benchPages,
  push: benchPush,
  engine: benchEngine,
  cells: benchCells,
  archive: benchArchive,
};

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0) {
    process.stderr.write(
      `${unknown.join(", ")}: unknown; use ${Object.keys(BENCHES).join(", ")}\n`,
    );
    process.exitCode = 2;
    return;
  }
  const { length: cores } = cpus();
  print(`Node ${process.versions.node}, ${cores} cores of ${cpus()[0]?.model ?? "unknown make"}`);
  print("The simulated internet runs on the same cores, in its own process.");
  const catalogue = await readShippedCatalogue();
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-bench-"));
  const startMs = performance.now();
  try {
    for (const [name, bench] of Object.entries(BENCHES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      const section: Section = await bench({ catalogue, folder });
      print(`\n${renderSection(section)}`);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  print(`\n${((performance.now() - startMs) / 1000).toFixed(0)} s in total.`);
}

await main(process.argv.slice(2));
