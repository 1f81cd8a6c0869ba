import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { readProofPage } from "../src/monitors/ownership/read-proof.ts";
import { HARD_PAGES } from "../test/monitors/ownership/hard-pages.ts";
import type { Section } from "./report.ts";

const MB = 1_000_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** The cost of a page of a stranger that is hard for a parser: the slowest, and the largest, of all. */
export async function benchPages(): Promise<Section> {
  const costs = HARD_PAGES.map(({ name, html }) => ({ name, ...measure(Buffer.from(html)) }));
  const slowest = costs.reduce((a, b) => (b.ms > a.ms ? b : a));
  const largest = costs.reduce((a, b) => (b.heapMb > a.heapMb ? b : a));
  return {
    title: `Pages of strangers: ${HARD_PAGES.length} that are hard for a parser`,
    command: "npm run bench -- pages",
    figures: [
      {
        what: "time, all pages",
        values: costs.map(({ ms }) => ms),
        unit: "ms",
        digits: 1,
        goal: 100,
      },
      {
        what: "memory, all pages",
        values: costs.map(({ heapMb }) => heapMb),
        unit: "MB",
        digits: 1,
        goal: 50,
      },
    ],
    notes: [`The slowest: ${slowest.name}. The largest: ${largest.name}.`],
  };
}

/** The first reading, which nothing has warmed up, and what it leaves on the heap before anything is collected. */
function measure(page: Uint8Array): { readonly ms: number; readonly heapMb: number } {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  const startedMs = performance.now();
  readProofPage(page);
  const ms = performance.now() - startedMs;
  return { ms, heapMb: Math.max(0, process.memoryUsage().heapUsed - before) / MB };
}
