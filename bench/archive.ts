import { dayFiles, sealChecks } from "../src/open-data/archive/seal.ts";
import { decodeChecks, decodeSpool, encodeSpool } from "../src/open-data/archive/spool.ts";
import { sampleDay } from "../test/open-data/archive/sample-day.ts";
import type { Section } from "./report.ts";

const TIMES = 5;
const KB = 1_000;
const DAYS = 365;
const MB = 1_000_000;

/** What keeping a day costs: 288 runs of 256 endpoints, from their objects to the files. */
export async function benchArchive(): Promise<Section> {
  const day = sampleDay();
  const spooled = day.map(encodeSpool);
  const cpuMs: number[] = [];
  let files: Awaited<ReturnType<typeof dayFiles>> = [];
  for (let time = 0; time <= TIMES; time += 1) {
    const before = process.cpuUsage();
    const runs = spooled.map(decodeSpool).filter((run) => run !== undefined);
    const sealed = sealChecks(runs);
    files = await dayFiles(sealed, decodeChecks(sealed) ?? [], "2026-11-24");
    const { user, system } = process.cpuUsage(before);
    if (time > 0) cpuMs.push((user + system) / 1_000);
  }
  const [parquet = 0, ndjson = 0] = files.map(({ body }) => body.length);
  const perRun = spooled.map(({ length }) => length / KB);
  return {
    title: "Archive: a day of 288 runs, 73,728 checks",
    command: "npm run bench -- archive",
    figures: [
      {
        what: "CPU for both files, from the spool",
        values: cpuMs,
        unit: "ms",
        digits: 0,
        goal: 3_000,
      },
      { what: "Parquet", values: [parquet / KB], unit: "kB", digits: 0, goal: 150 },
      { what: "JSON lines, gzip", values: [ndjson / KB], unit: "kB", digits: 0 },
      { what: "spool of a run", values: perRun, unit: "kB", digits: 2 },
      {
        what: "a year of both files, public; of one of them in the state store besides",
        values: [(DAYS * (parquet + ndjson)) / MB],
        unit: "MB",
        digits: 0,
      },
    ],
  };
}
