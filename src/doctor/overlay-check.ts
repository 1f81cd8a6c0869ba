import type { Check } from "./check.ts";
import type { ReadCatalogue } from "../setup/files/catalogue-file.ts";

/** For `doctor`: the effect of an overlay, and a warning of entries without effect, perhaps since an upgrade. */
export function checkOverlay(
  file: string | undefined,
  { changes, warnings }: Pick<ReadCatalogue, "changes" | "warnings">,
): readonly Check[] {
  if (file === undefined) return [];
  const [warning, ...more] = warnings;
  if (warning !== undefined) {
    const rest = more.length === 0 ? "" : ` ${more.length} more: catalogue check lists them.`;
    return [{ name: "overlay", result: "warn", detail: warning + rest }];
  }
  const count = (wanted: string): number => changes.filter(({ kind }) => kind === wanted).length;
  const detail = `${file}: ${count("changed")} changed, ${count("added")} added, ${count("removed")} removed`;
  return [{ name: "overlay", result: "ok", detail }];
}
