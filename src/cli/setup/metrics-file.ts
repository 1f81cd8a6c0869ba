import { dirname } from "node:path";
import type { RunTime } from "../output/run-metrics.ts";
import type { RunView } from "../output/run-table.ts";
import { replaceFile } from "../../store/atomic-file.ts";

/** The exporter runs as another user. */
const MODES = { file: 0o644, folder: 0o755 } as const;

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
  const { renderRunMetrics } = await import("../output/run-metrics.ts");
  const text = await renderRunMetrics(view, time);
  try {
    await replaceFile(path, new TextEncoder().encode(text), dirname(path), MODES);
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return `--metrics-file ${path} cannot be written: ${reason}. Create its folder, and let this user write there.`;
  }
}
