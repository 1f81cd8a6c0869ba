import type { RunTime } from "../../cli/output/run-metrics.ts";
import type { RunView } from "../../cli/output/run-table.ts";
import { writeOutput } from "./output-file.ts";

/**
 * Writes the metrics of a run atomically, with a temporary file in the same folder, whose name node_exporter does not read. Returns a
 * sentence if that fails, because the run itself is published.
 */
export async function writeMetrics(
  path: string,
  view: RunView,
  time: RunTime,
): Promise<string | undefined> {
  // Most runs write no metrics, and need not load the library.
  const { renderRunMetrics } = await import("../../cli/output/run-metrics.ts");
  const text = await renderRunMetrics(view, time);
  return writeOutput("--metrics-file", path, new TextEncoder().encode(text));
}
