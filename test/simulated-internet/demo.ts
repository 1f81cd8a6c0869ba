import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Snapshot } from "../../src/model/snapshot.ts";
import { createFront } from "../../src/preview/front.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { openStore } from "../../src/store/open.ts";
import { runDays, type DemoPlaces, type DemoRun } from "./demo-days.ts";
import { findShortfalls, renderHints, renderOverview } from "./demo-overview.ts";
import { writeDemoCatalogue } from "./shipped-catalogue.ts";

/*
 * `npm run demo`: some days of the real catalogue on a simulated internet, with every verdict, then serves the documents until
 * Ctrl-C. With `-- --once` it serves nothing and exits: 0 if all verdicts occurred, else 1.
 */

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printRun({ when, what, probed, durationMs }: DemoRun): void {
  const seconds = (durationMs / 1000).toFixed(1).padStart(5);
  print(`  ${when.padEnd(15)} ${what.padEnd(21)} ${probed} endpoints probed in ${seconds} s`);
}

async function runDemo(places: DemoPlaces, stop: AbortSignal): Promise<Snapshot | undefined> {
  const catalogue = await writeDemoCatalogue(places.catalogueFile);
  print(
    "The catalogue's services on a simulated internet: what happens here says nothing about the real ones.\n" +
      "Five runs at simulated times follow, about half a minute in all.\n",
  );
  let snapshot: Snapshot | undefined;
  for await (const demoRun of runDays(catalogue, places, Date.now(), stop)) {
    printRun(demoRun);
    snapshot = demoRun.snapshot;
  }
  if (stop.aborted || snapshot === undefined) return undefined;
  print(`\n${renderOverview(snapshot, catalogue)}\n`);
  return snapshot;
}

async function serve({ store, state }: DemoPlaces, stop: AbortSignal): Promise<void> {
  const opened = await openStore(store, { role: "public" });
  if (opened.kind === "refused") throw new Error(opened.message);
  const server = await listenPreview(createFront(opened.store).fetch, { port: 0 });
  print(renderHints(server.url, state));
  await new Promise((resolve) => {
    if (stop.aborted) resolve(undefined);
    stop.addEventListener("abort", resolve, { once: true });
  });
  await server.close();
}

async function main(isOnce: boolean): Promise<void> {
  const stop = new AbortController();
  const stopNow = (): void => stop.abort("aborted");
  process.once("SIGINT", stopNow).once("SIGTERM", stopNow);
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-demo-"));
  const places: DemoPlaces = {
    catalogueFile: join(folder, "catalogue.yaml"),
    store: `file:${join(folder, "public")}`,
    state: `file:${join(folder, "state")}`,
  };
  try {
    const snapshot = await runDemo(places, stop.signal);
    const shortfalls = snapshot === undefined ? ["Stopped."] : findShortfalls(snapshot);
    for (const shortfall of shortfalls) process.stderr.write(`${shortfall}\n`);
    if (shortfalls.length > 0) process.exitCode = 1;
    if (snapshot !== undefined && !isOnce) await serve(places, stop.signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const unknown = process.argv.slice(2).filter((arg) => arg !== "--once");
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(" ")}: there is only --once, which serves nothing.\n`);
  process.exitCode = 2;
} else await main(process.argv.includes("--once"));
