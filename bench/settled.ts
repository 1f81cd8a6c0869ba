import { join } from "node:path";
import type { Bench } from "./benches.ts";
import { measureCommand } from "./command.ts";
import { startInternet, type Internet } from "./internet.ts";
import type { Section } from "./report.ts";
import { saveSevenDays } from "./seven-days.ts";

/** Each takes half a minute, because it contains a confirmation. */
const TIMES = 3;
const ANSWER_DELAY_MS = 200;

/** The evaluated part of a log line. */
interface LogEvent {
  readonly event: string;
  readonly atMs: number;
}

/** The delay from the slowest first probe of a run to the publish of its settled services, while others are confirmed. */
export async function benchSettled({ catalogue, folder }: Bench): Promise<Section> {
  const internet = await startInternet(catalogue, folder, ANSWER_DELAY_MS);
  try {
    const delays: number[] = [];
    for (let times = 0; times <= TIMES; times += 1) {
      const place = join(folder, `settled-${times}`);
      // Every fiftieth endpoint fails in this history; all answer now, so these have to be confirmed.
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
      notes: ["Includes the round of anchors between the two; all 86 documents are new."],
    };
  } finally {
    await internet.server.close();
  }
}

async function measureDelay(place: string, { args, env }: Internet): Promise<number> {
  const stores = ["--store", `file:${join(place, "public")}`, "--state", `file:${place}/state`];
  const { stderr } = await measureCommand(["run", ...stores, ...args, "--log", "debug"], env);
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
  // Every line of `--log json` is an object with these two.
  const { event, time } = JSON.parse(line) as { event: string; time: string };
  return { event, atMs: Date.parse(time) };
}
