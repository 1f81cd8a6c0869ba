import { dirname } from "node:path";
import { type RunTime, renderRunMetrics } from "../render/run-metrics.ts";
import type { RunView } from "../render/run-table.ts";
import { replaceFile } from "../store/durable-file.ts";

/** The exporter is another user. */
const MODES = { file: 0o644, folder: 0o755 } as const;

/**
 * Writes the metrics of a run in one step, so that an exporter never reads half of them. The temporary file lies beside it under a name
 * that node_exporter does not read. Returns a sentence when that fails: the run itself is done and published.
 */
export async function writeMetrics(
  path: string,
  view: RunView,
  time: RunTime,
): Promise<string | undefined> {
  const text = renderRunMetrics(view, time);
  try {
    await replaceFile(path, new TextEncoder().encode(text), dirname(path), MODES);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `--metrics-file ${path} cannot be written: ${reason}. Make its folder, and let this user write there.`;
  }
}
