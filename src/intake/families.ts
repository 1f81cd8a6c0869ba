import type { Family, Sample } from "../model/prometheus.ts";

const PREFIX = "status_snapshot_intake";

/** Adds to a count that begins at nothing. */
export function add<K extends string>(counts: Map<K, number>, key: K, amount: number): void {
  counts.set(key, (counts.get(key) ?? 0) + amount);
}

/** A metric of the intake: all their names begin alike. */
export function named(name: string, help: string): Pick<Family, "name" | "help"> {
  return { name: `${PREFIX}_${name}`, help };
}

/** Counts by a label. */
export function counter(
  name: string,
  help: string,
  label: string,
  counts: ReadonlyMap<string, number>,
): Family {
  const samples: Sample[] = [...counts].map(([key, value]) => ({
    labels: { [label]: key },
    value,
  }));
  return { ...named(name, help), type: "counter", samples };
}

/** One value that rises and falls. */
export function gauge(name: string, help: string, value: number): Family {
  return { ...named(name, help), type: "gauge", samples: [{ value }] };
}
