import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import type { CheckResult } from "../../src/model/monitor/monitor.ts";
import {
  openPublishing,
  publishGeneration,
} from "../../src/pipeline/publish/publish-generation.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { makePushKey, pushKeysOf } from "../../src/setup/files/push-key.ts";
import { findFreePort } from "../free-port.ts";
import { type DemoPlaces, type DemoRun, prepareDemo, runDays } from "./demo-days.ts";
import { openDemoSite } from "./demo-site.ts";
import { findShortfalls, renderHints, renderOnceHints, renderOverview } from "./demo-overview.ts";
import { loadState } from "../../src/state/state-file.ts";
import { imagineTallies } from "./demo-vantages.ts";
import { imagineClock, writeMonitorPast } from "./imagine-monitor-past.ts";
import { imaginePast } from "./imagine-past.ts";
import { writeDemoCatalogue } from "./shipped-catalogue.ts";

/*
 * `npm run demo`: some days of the real catalogue on a simulated internet, with every verdict and a past of ninety days, then
 * `serve` with a report button that works, a site that its visitor can add as an owner would, and a run every four minutes, until Ctrl-C. With `-- --once` it publishes into `public/`, serves
 * nothing and exits: 0 if all verdicts occurred, else 1.
 */

const PROGRAM = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Time for `serve` to end by itself. */
const STOP_MS = 10_000;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printRun({ when, what, probed, durationMs }: DemoRun): void {
  const seconds = (durationMs / 1000).toFixed(1).padStart(5);
  print(`  ${when.padEnd(15)} ${what.padEnd(21)} ${probed} endpoints probed in ${seconds} s`);
}

/** Runs the days; then, unless it is to happen once, serves them and runs again and again. */
async function runDemo(
  places: DemoPlaces,
  isOnce: boolean,
  stop: AbortSignal,
): Promise<readonly string[]> {
  const catalogue = await writeDemoCatalogue(places.catalogueFile);
  print(
    "The catalogue's services on a simulated internet: what happens here says nothing about the real ones.\n" +
      "Five runs at simulated times follow, about half a minute in all.\n",
  );
  const nowMs = Date.now();
  let server: Server | undefined;
  let shortfalls: readonly string[] | undefined;
  try {
    for await (const demoRun of runDays(catalogue, places, nowMs, stop)) {
      if (shortfalls !== undefined) continue;
      printRun(demoRun);
      if (demoRun.when !== "now") continue;
      shortfalls = findShortfalls(demoRun.snapshot);
      print(`\n${renderOverview(demoRun.snapshot, catalogue)}\n`);
      await givePast(places, catalogue, nowMs);
      if (isOnce) {
        print(renderOnceHints(places.state));
        break;
      }
      server = await serve(places);
      print(renderHints(places));
    }
    return shortfalls ?? ["Stopped."];
  } finally {
    await server?.close();
  }
}

/** Publishes the same state with ninety days behind it. */
async function givePast(places: DemoPlaces, catalogue: Catalogue, nowMs: number): Promise<void> {
  const { deps } = await prepareDemo(places, new AbortController().signal);
  const { state: before } = await loadState(deps.stateStore);
  const clock = imagineClock(before.monitors.clock);
  await writeMonitorPast(deps.stateStore, MONITOR_ID, clock);
  await publishGeneration(
    openPublishing({ ...deps, emit: () => undefined }),
    nowMs,
    (state) => {
      const past = imaginePast(state, catalogue, nowMs);
      const vantages = imagineTallies(past, nowMs);
      const monitors = { ...past.monitors, clock };
      return { state: { ...past, monitors, vantages }, nowMs, events: [] };
    },
    { reportsAtMs: nowMs },
  );
}

interface Server {
  close(): Promise<void>;
}

/** `serve` of the built program, when it answers. Throws if it ends instead. */
async function serve({
  store,
  state,
  baseUrl,
  catalogueFile,
  monitors,
  owners,
}: DemoPlaces): Promise<Server> {
  const flags = {
    store,
    state,
    "base-url": baseUrl,
    catalogue: catalogueFile,
    monitors: monitors.file,
    ...(owners === undefined
      ? {}
      : {
          "allow-private": "127.0.0.1/32",
          "allow-port": String(owners.site.port),
        }),
  };
  const settings = owners === undefined ? [] : ["selfService=on", `alertsKey=${owners.alertsKey}`];
  const child = spawn(
    process.execPath,
    [
      PROGRAM,
      "serve",
      "--port",
      new URL(baseUrl).port,
      ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]),
      ...settings.flatMap((setting) => ["--set", setting]),
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (log += text));
  const ended = once(child, "exit");
  for (;;) {
    if (child.exitCode !== null) throw new Error(`serve ended with ${child.exitCode}: ${log}`);
    const answer = await fetch(`${baseUrl}/api/v1/status`).catch(() => undefined);
    if (answer?.ok === true) break;
    await delay(100);
  }
  return {
    async close() {
      child.kill("SIGTERM");
      const isLate = await Promise.race([
        ended.then(() => false),
        delay(STOP_MS, true, { ref: false }),
      ]);
      if (isLate) child.kill("SIGKILL");
    },
  };
}

const MONITOR_ID = "demo-shop";

/** The monitor of the demo, which is healthy as long as it runs. */
const MONITORS = `monitors:
  - id: ${MONITOR_ID}
    url: https://shop.example.ru/
    name: Магазин примеров
    public: true
`;

/** What an operator would say; nothing of it leads anywhere. */
const ABOUT = `operator: Пример оператора
contact: mailto:status@example.ru
source: https://example.ru/source
follow:
  telegram: https://t.me/status_example
  max: https://max.ru/status_example
`;

const HEALTHY: CheckResult = { kind: "healthy", totalMs: 180 };

/** Where a demo that ends at once publishes, as `run` does, with its state beside it. */
const ONCE_FOLDER = ".demo";

/**
 * Makes room for a demo in `public/`: what runs without a network have published goes. Returns why there is none, if runs have measured
 * something.
 */
async function clearPublic(): Promise<string | undefined> {
  const state = await loadState(createDirectoryStore(".state")).catch(() => undefined);
  if (state === undefined || state.state.evidence.size > 0)
    return "The runs of this folder have measured services, and the demo would overwrite public/. Start it in another folder.";
  for (const folder of ["public", ".state", ONCE_FOLDER])
    await rm(folder, { recursive: true, force: true });
  return undefined;
}

async function main(isOnce: boolean): Promise<void> {
  const stop = new AbortController();
  const stopNow = (): void => stop.abort("aborted");
  process.once("SIGINT", stopNow).once("SIGTERM", stopNow);
  const refusal = isOnce ? await clearPublic() : undefined;
  if (refusal !== undefined) {
    process.stderr.write(`${refusal}\n`);
    process.exitCode = 2;
    return;
  }
  const folder = isOnce ? ONCE_FOLDER : await mkdtemp(join(tmpdir(), "status-snapshot-demo-"));
  await mkdir(folder, { recursive: true });
  const registry = join(folder, "monitors.yaml");
  const site = isOnce ? undefined : await openDemoSite(join(folder, "site"));
  const places: DemoPlaces = {
    catalogueFile: join(folder, "catalogue.yaml"),
    store: isOnce ? "file:public" : `file:${join(folder, "public")}`,
    state: `file:${join(folder, "state")}`,
    baseUrl: `http://127.0.0.1:${isOnce ? 8080 : await findFreePort()}`,
    reports: "on",
    about: join(folder, "about.yaml"),
    ...(site === undefined
      ? {}
      : { owners: { site, alertsKey: pushKeysOf(await makePushKey()).publicKey } }),
    monitors: {
      file: registry,
      check: (targets) => Promise.resolve(new Map(targets.map(({ id }) => [id, HEALTHY]))),
    },
  };
  try {
    await writeFile(registry, MONITORS);
    await writeFile(join(folder, "about.yaml"), ABOUT);
    const shortfalls = await runDemo(places, isOnce, stop.signal);
    for (const shortfall of shortfalls) process.stderr.write(`${shortfall}\n`);
    if (shortfalls.length > 0) process.exitCode = 1;
  } finally {
    site?.close();
    if (!isOnce) await rm(folder, { recursive: true, force: true });
  }
}

const unknown = process.argv.slice(2).filter((arg) => arg !== "--once");
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(" ")}: there is only --once, which serves nothing.\n`);
  process.exitCode = 2;
} else await main(process.argv.includes("--once"));
