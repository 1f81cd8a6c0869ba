import Table from "cli-table3";
import { NO_BORDERS, trimLines } from "./trim-lines.ts";

/** The effect of an overlay on one part of the catalogue. */
interface Change {
  readonly kind: "added" | "changed" | "removed" | "same";
  readonly of: string;
  readonly id: string;
  readonly keys: readonly string[];
}

interface Counts {
  readonly services: number;
  readonly endpoints: number;
  readonly annotated: number;
}

/** The summary of a catalogue as a table by category. Ends without a line break. */
export function renderCatalogue(
  file: string,
  summary: {
    readonly categories: readonly (Counts & { readonly category: string; readonly name: string })[];
    readonly totals: Counts;
    readonly anchors: { readonly domestic: number; readonly foreign: number };
  },
): string {
  const table = new Table({
    head: ["CATEGORY", "NAME", "SERVICES", "ENDPOINTS", "ANNOTATED"],
    colAligns: ["left", "left", "right", "right", "right"],
    ...NO_BORDERS,
  });
  const numbers = ({ services, endpoints, annotated }: Counts): number[] => [
    services,
    endpoints,
    annotated,
  ];
  for (const row of summary.categories) table.push([row.category, row.name, ...numbers(row)]);
  table.push(["in all", "", ...numbers(summary.totals)]);
  const { domestic, foreign } = summary.anchors;
  return `${trimLines(table.toString())}\n\n${file} is valid: ${summary.totals.services} services, ${domestic} domestic and ${foreign} foreign anchors`;
}

/** The effects of an overlay in its order, and its redundant entries. Begins with an empty line and ends without a line break. */
export function renderOverlay(changes: readonly Change[]): string {
  const name = ({ of, id }: Change): string => (id === "" ? of : `${of} ${id}`);
  const working = changes.filter(({ kind }) => kind !== "same");
  const table = new Table({ head: ["OVERLAY", "OF", "KEYS"], ...NO_BORDERS });
  for (const one of working) table.push([one.kind, name(one), one.keys.join(", ")]);
  const same = changes.filter(({ kind }) => kind === "same").map(name);
  const lines = [
    ...(working.length === 0 ? ["The overlay changes nothing."] : [trimLines(table.toString())]),
    ...(same.length === 0
      ? []
      : [`Not needed, because the catalogue says the same: ${same.join(", ")}`]),
  ];
  return `\n${lines.join("\n")}`;
}
