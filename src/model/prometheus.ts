/** The text format of Prometheus, version 0.0.4. Source: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** One line: a value, and the labels that tell it from its like. */
export interface Sample {
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** One metric with all its lines. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly samples: readonly Sample[];
}

/** Counts observations by upper bounds. */
export interface Histogram {
  readonly observe: (value: number) => void;
  readonly samples: (labels?: Readonly<Record<string, string>>) => readonly Sample[];
}

/** The bounds have to ascend; one without end is added. Never throws. */
export function createHistogram(bounds: readonly number[]): Histogram {
  const counts = bounds.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    observe: (value) => {
      count += 1;
      sum += value;
      // Each bucket of the format holds those of the buckets before it.
      for (const [index, bound] of bounds.entries()) {
        if (value <= bound) counts[index] = (counts[index] ?? 0) + 1;
      }
    },
    samples: (labels = {}) => [
      ...bounds.map((bound, index) => ({
        suffix: "_bucket",
        labels: { ...labels, le: String(bound) },
        value: counts[index] ?? 0,
      })),
      { suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count },
      { suffix: "_sum", labels, value: sum },
      { suffix: "_count", labels, value: count },
    ],
  };
}

/** All metrics as one text. Names, helps and labels are ours, so nothing in them needs an escape. */
export function renderMetrics(families: readonly Family[]): string {
  return families.map(renderFamily).join("");
}

function renderFamily({ name, help, type, samples }: Family): string {
  const lines = samples.map(({ suffix = "", labels = {}, value }) => {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}
