import Table from "cli-table3";
import { NO_BORDERS, trimLines } from "./plain-table.ts";

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
