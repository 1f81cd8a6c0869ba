import Table, { type TableConstructorOptions } from "cli-table3";

const BORDERS =
  "top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid middle";
const NO_BORDERS = {
  chars: Object.fromEntries(BORDERS.split(" ").map((name) => [name, ""])),
  style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
};

/** A table with columns separated by blanks only, for terminals as well as `grep` and `awk`. Ends without a line break. */
export function renderTable(
  rows: readonly (readonly (string | number)[])[],
  options: Pick<TableConstructorOptions, "head" | "colAligns" | "colWidths" | "wordWrap">,
): string {
  const table = new Table({ ...options, ...NO_BORDERS });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
