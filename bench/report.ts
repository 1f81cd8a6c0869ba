import { renderTable } from "../src/cli/output/table.ts";
import { summarise } from "./statistics.ts";

/** One line of the report. */
export interface Figure {
  readonly what: string;
  readonly values: readonly number[];
  /** Printed after each number: `s`, `ms`, `MB`. */
  readonly unit: string;
  readonly digits: number;
  /** In the same unit; lower is better. Absent: there is none. */
  readonly goal?: number;
}

/** Figures and the command that reproduces them. */
export interface Section {
  readonly title: string;
  readonly command: string;
  readonly figures: readonly Figure[];
  readonly notes?: readonly string[];
}

/** A section as text, without a final line break. */
export function renderSection(section: Section): string {
  const head = ["", "median", "min – max", "goal", ""];
  const table = renderTable([head, ...section.figures.map(toRow)], {
    colAligns: ["left", "right", "right", "right", "left"],
  });
  const notes = (section.notes ?? []).map((note) => `  ${note}`);
  return [section.title, `$ ${section.command}`, table, ...notes].join("\n");
}

function toRow(figure: Figure): string[] {
  const { what, values, unit, digits, goal } = figure;
  const { median, min, max } = summarise(values);
  const write = (value: number): string => value.toFixed(digits);
  const range = values.length > 1 ? `${write(min)} – ${write(max)}` : "";
  const target = goal === undefined ? "" : `≤ ${write(goal)}`;
  return [`  ${what}`, `${write(median)} ${unit}`, range, target, describeGoal(median, goal)];
}

function describeGoal(median: number, goal: number | undefined): string {
  if (goal === undefined) return "";
  return median <= goal ? "met" : "MISSED";
}
