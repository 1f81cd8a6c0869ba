import type { RequestCounts } from "../src/model/store.ts";
import { eventsNamed } from "../test/cli/cli.ts";
import type { RunningIntake } from "../test/cli/running-intake.ts";
import type { LoadAnswer } from "./intake-load.ts";
import type { Figure } from "./report.ts";
import { percentileOf } from "./statistics.ts";

/** The result of one measurement of an intake. */
export interface Part {
  readonly figures: readonly Figure[];
  readonly notes: readonly string[];
}

export function timesOf(answers: readonly LoadAnswer[]): readonly number[] {
  return answers.map(({ tookMs }) => tookMs);
}

/** Number of answers by status; 0 is no answer. */
export function describeStatuses(answers: readonly LoadAnswer[]): string {
  const statuses = [...new Set(answers.map(({ status }) => status))];
  const count = (wanted: number): number =>
    answers.filter(({ status }) => status === wanted).length;
  return statuses.map((status) => `${count(status)} of ${status}`).join(", ");
}

/** Percentiles in milliseconds; the goal, if there is one, applies to the 99th. */
export function percentiles(
  what: string,
  values: readonly number[],
  goalMs?: number,
): readonly Figure[] {
  return [50, 95, 99, 100].map((share) => ({
    what: `${what}, ${share === 100 ? "longest" : `p${share}`}`,
    values: [percentileOf(values, share / 100)],
    unit: "ms",
    digits: 0,
    ...(share === 99 && goalMs !== undefined ? { goal: goalMs } : {}),
  }));
}

type Requests = Readonly<Record<"public" | "state", RequestCounts>>;

/** Number and duration of the publishes, inbox writes, and requests to the stores. */
export async function describePublishes(intake: RunningIntake, posts: number): Promise<string> {
  const published = eventsNamed(intake.log(), "published");
  const durations = published.map(({ durationMs }) => Number(durationMs));
  const metrics = await (await fetch(`${intake.operationsUrl}/metrics`)).text();
  const writes = /^status_snapshot_intake_write_seconds_count\{to="inbox"\} (\d+)/mu.exec(metrics);
  const sums = (["public", "state"] as const).map((role) => {
    // The `published` event has exactly this type.
    const all = published.map(({ requests }) => (requests as Requests)[role]);
    const kinds = ["read", "find", "write", "remove", "list"] as const;
    const texts = kinds.map((kind) => `${kind} ${all.reduce((sum, one) => sum + one[kind], 0)}`);
    return `${role}: ${texts.join(", ")}`;
  });
  const failures = eventsNamed(intake.log(), "warning").length;
  return `${published.length} publishes for ${posts} posts, of ${percentileOf(durations, 0.5)} ms (p99 ${percentileOf(durations, 0.99)} ms); ${writes?.[1] ?? "?"} inbox writes; requests of publishing, ${sums.join("; ")}; ${failures} warnings.`;
}
