import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { eventsNamed, type RunningCli, until } from "../cli/cli.ts";
import type { Workspace } from "../cli/workspace.ts";
import type { NatsServer } from "./nats.ts";

/** Sites `m0`, `m1`, … of a workspace as its monitors, all of them public. */
export async function writeMonitors(one: Workspace, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, at) => `m${at}`);
  for (const name of names) await one.set(name, { kind: "page" });
  const lines = names.map(
    (name) => `  - { id: ${name}, url: "https://${one.host(name)}/", public: true }`,
  );
  await writeFile(join(one.folder, "monitors.yaml"), ["monitors:", ...lines, ""].join("\n"));
  return names;
}

/** Starts a worker beside a workspace, ready to take work. */
export async function startWorker(
  one: Workspace,
  server: NatsServer,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<RunningCli> {
  const anchors = ["d1", "d2", "d3"].flatMap((name) => [
    "--set",
    `anchor=https://${one.host(name)}/`,
  ]);
  const options = [
    "--connect-to",
    "@hosts.txt",
    "--set",
    "workerConfirm=none",
    "--set",
    "threads=1",
  ];
  const args = [
    "worker",
    "--set",
    `engine=${server.url}`,
    ...options,
    ...anchors,
    "--log",
    "debug",
  ];
  const worker = one.start([...args, ...more], env);
  onTestFinished(() => void worker.child.kill("SIGKILL"));
  await until("the worker is connected", async () => worker.stdout().includes("Checking for"));
  return worker;
}

/** Results of a run, by the state of the monitors. */
export interface EngineRun {
  readonly code: number | null;
  readonly stderr: string;
  readonly counts: Readonly<Record<"healthy" | "failing" | "refused" | "skipped", number>>;
  readonly engine: Readonly<Record<string, unknown>> | undefined;
}

/** A run through an engine, or in threads without one. */
export async function runThrough(
  one: Workspace,
  server: NatsServer | undefined,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<EngineRun> {
  const engine = server === undefined ? [] : ["--set", `engine=${server.url}`];
  const { code, stderr } = await one.run([...engine, "--log", "debug", ...more], env);
  const [finished] = eventsNamed(stderr, "monitors-finished");
  const { healthy, failing, refused, skipped } = finished as EngineRun["counts"];
  const counts = { healthy, failing, refused, skipped };
  return { code, stderr, counts, engine: eventsNamed(stderr, "engine-done")[0] };
}
