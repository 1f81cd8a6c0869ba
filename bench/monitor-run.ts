import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { measureCommand, type Cost } from "./command.ts";
import type { Workspace } from "./monitor-workspace.ts";

const TOLL = fileURLToPath(new URL("state-toll.cjs", import.meta.url));
const MAIN_STATE = "state.json.gz";

const COUNT = z.number();
/** `state-toll.cjs` writes exactly this. */
const TOLLED = z.object({ writtenBytes: COUNT, peakBytes: COUNT });
const REQUESTS = z.object({ read: COUNT, find: COUNT, write: COUNT, remove: COUNT });
/** The evaluated events; all others are ignored. */
const EVENT = z.discriminatedUnion("event", [
  z.object({ event: z.literal("run-started") }),
  z.object({ event: z.literal("monitors-started") }),
  z.object({ event: z.literal("monitors-finished"), healthy: COUNT, durationMs: COUNT }),
  z.object({
    event: z.literal("published"),
    durationMs: COUNT,
    requests: z.object({ public: REQUESTS, state: REQUESTS }),
  }),
  z.object({ event: z.literal("run-finished") }),
  z.object({ event: z.literal("badges-postponed"), count: COUNT }),
]);
type BenchEvent = z.infer<typeof EVENT>;
type Requests = Extract<BenchEvent, { event: "published" }>["requests"];

/** The cost of one run over many monitors. */
export interface MonitorsRun {
  readonly cost: Cost;
  /** Monitors that were checked before the deadline: all sites are healthy. */
  readonly healthy: number;
  /** The parts of the run, in order. */
  readonly phases: {
    /** Start of the process, modules, registry, state and shards. */
    readonly prepareMs: number;
    /** Anchors and the only service, before the monitors. */
    readonly servicesMs: number;
    readonly checksMs: number;
    /** The last round of anchors. */
    readonly anchorsMs: number;
    readonly publishMs: number;
    readonly exitMs: number;
  };
  readonly requests: Requests;
  readonly postponedBadges: number;
  readonly readBytes: number;
  readonly writtenBytes: number;
  /** Badge objects that this run wrote. */
  readonly badgeWrites: number;
}

/** One run at a simulated time, with its stores in the folder. Throws if the run fails. */
export async function runMonitors(
  workspace: Workspace,
  folder: string,
  registry: string,
  at: string,
): Promise<MonitorsRun> {
  const [publicFolder, stateFolder] = [join(folder, "public"), join(folder, "state")];
  const tollFile = join(folder, "toll.json");
  const stores = ["--store", `file:${publicFolder}`, "--state", `file:${stateFolder}`];
  const setting = ["--monitors", registry, "--at", at, "--set", "confirm=none", "--log", "debug"];
  const before = await sizesBelow(stateFolder);
  const startedMs = Date.now();
  const { stderr, ...cost } = await measureCommand(
    ["run", ...stores, ...workspace.args, ...setting],
    {
      ...workspace.env,
      NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --require "${TOLL}"`,
      STATE_TOLL_OF: stateFolder,
      STATE_TOLL_TO: tollFile,
    },
  );
  const events = readEvents(stderr);
  const { requests } = events.find("published");
  const { writtenBytes, peakBytes } = TOLLED.parse(JSON.parse(await readFile(tollFile, "utf8")));
  return {
    cost: { ...cost, peakBytes },
    healthy: events.find("monitors-finished").healthy,
    phases: phasesOf(events, startedMs, cost.wallMs),
    requests,
    postponedBadges: events.postponedBadges,
    readBytes: bytesRead(before, requests.state.read),
    writtenBytes,
    badgeWrites: await countWrittenSince(join(publicFolder, "api/m"), startedMs),
  };
}

function phasesOf(
  events: ReturnType<typeof readEvents>,
  startedMs: number,
  wallMs: number,
): MonitorsRun["phases"] {
  const checksMs = events.find("monitors-finished").durationMs;
  const publishMs = events.find("published").durationMs;
  const beginMs = events.timeOf("run-started") - startedMs;
  return {
    prepareMs: beginMs,
    servicesMs: events.timeOf("monitors-started") - startedMs - beginMs,
    checksMs,
    anchorsMs: events.timeOf("published") - events.timeOf("monitors-finished") - publishMs,
    publishMs,
    exitMs: startedMs + wallMs - events.timeOf("published"),
  };
}

/** Every shard is read once; all other reads are of the main state before the run. */
function bytesRead(before: ReadonlyMap<string, number>, reads: number): number {
  const main = before.get(MAIN_STATE) ?? 0;
  const shards = [...before].filter(([name]) => name !== MAIN_STATE);
  return shards.reduce((sum, [, bytes]) => sum + bytes, 0) + main * (reads - shards.length);
}

/** Bytes of every object below a folder, by path; empty if there is no folder. */
async function sizesBelow(folder: string): Promise<ReadonlyMap<string, number>> {
  const files = await filesBelow(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  return new Map(files.map((file, index) => [file.slice(folder.length + 1), sizes[index] ?? 0]));
}

async function countWrittenSince(folder: string, sinceMs: number): Promise<number> {
  const files = await filesBelow(folder);
  const stats = await Promise.all(files.map((file) => stat(file)));
  return stats.filter(({ mtimeMs }) => mtimeMs >= sinceMs).length;
}

/** Files that are objects: temporary files are in folders that begin with a dot. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.slice(folder.length).includes("/."));
}

function readEvents(log: string) {
  const events = new Map<string, { readonly atMs: number; readonly event: BenchEvent }>();
  for (const line of log.split("\n").filter((text) => text.startsWith("{"))) {
    const parsed: unknown = JSON.parse(line);
    const event = EVENT.safeParse(parsed).data;
    const time = z.object({ time: z.string() }).safeParse(parsed).data?.time;
    if (event !== undefined && time !== undefined) {
      events.set(event.event, { atMs: Date.parse(time), event });
    }
  }
  const take = (name: string) => {
    const found = events.get(name);
    if (found === undefined) throw new Error(`the run did not log ${name}: ${log}`);
    return found;
  };
  return {
    timeOf: (name: BenchEvent["event"]): number => take(name).atMs,
    find<Name extends BenchEvent["event"]>(name: Name): Extract<BenchEvent, { event: Name }> {
      const { event } = take(name);
      const isNamed = (one: BenchEvent): one is Extract<BenchEvent, { event: Name }> =>
        one.event === name;
      if (!isNamed(event)) throw new Error(`${event.event} is not ${name}`);
      return event;
    },
    get postponedBadges(): number {
      const event = events.get("badges-postponed")?.event;
      return event?.event === "badges-postponed" ? event.count : 0;
    },
  };
}
