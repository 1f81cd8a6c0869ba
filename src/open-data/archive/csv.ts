type Cell = string | number | boolean;

/** A table as CSV with a header. Source: RFC 4180. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

function toField(cell: Cell): string {
  const text = String(cell);
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Number of rows of a table without its header. No field of ours has a line break. */
export function rowsOf(csv: string): number {
  return csv.split("\r\n").length - 2;
}
