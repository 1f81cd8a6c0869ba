import { join } from "node:path";
import type { Bench } from "./benches.ts";
import { measureCommand } from "./command.ts";
import { startInternet, type Internet } from "./internet.ts";
import type { Section } from "./report.ts";
import { saveSevenDays } from "./seven-days.ts";

/** Each takes half a minute, for something is confirmed in it. */
const TIMES = 3;
const ANSWER_DELAY_MS = 200;

/** Of a line of the log, what is asked of it here. */
interface LogEvent {
  readonly event: string;
  readonly atMs: number;
}

/** How soon after the slowest first probe of a run its settled services are published, where others are still to be confirmed. */
export async function benchSettled({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, ANSWER_DELAY_MS);
  try {
    const delays: number[] = [];
    for (let times = 0; times <= TIMES; times += 1) {
      const place = join(folder, `settled-${times}`);
      // In it every fiftieth endpoint fails; all answer now, so these are to be confirmed.
      await saveSevenDays(catalogue, join(place, "state"));
      delays.push(await measureDelay(place, internet));
    }
    return {
      title: `Settled first: ${catalogue.services.length} services, every fiftieth endpoint is back and is to be confirmed`,
      command: "npm run bench -- settled",
      figures: [
        {
          what: "slowest first probe to first publish done",
          values: delays.slice(1).map((ms) => ms / 1000),
          unit: "s",
          digits: 2,
          goal: 1,
        },
      ],
      notes: ["The round of anchors between the two is in it, and all 86 documents are new."],
    };
  } finally {
    await internet.world.close();
  }
}

async function measureDelay(place: string, { args, env }: Internet): Promise<number> {
  const stores = ["--store", `file:${join(place, "public")}`, "--state", `file:${place}/state`];
  const { stderr } = await measureCommand(["run", ...stores, ...args, "--log", "json"], env);
  const events = stderr.split("\n").flatMap((line) => (line === "" ? [] : [toEvent(line)]));
  const published = events.findIndex(({ event }) => event === "published");
  const probed = events
    .slice(0, published)
    .findLast(({ event }) => event === "endpoint-measured" || event === "confirming");
  const first = events[published];
  if (first === undefined || probed === undefined) throw new Error(`no first publish: ${stderr}`);
  return first.atMs - probed.atMs;
}

function toEvent(line: string): LogEvent {
  // Every line of a log for machines is an object with these two.
  const { event, time } = JSON.parse(line) as { event: string; time: string };
  return { event, atMs: Date.parse(time) };
}
