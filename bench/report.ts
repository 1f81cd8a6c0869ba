import { renderTable } from "../src/cli/output/table.ts";
import { summarise } from "./statistics.ts";

/** One line of the report. */
export interface Figure {
  readonly what: string;
  readonly values: readonly number[];
  /** Printed after each number: `s`, `ms`, `MB`. */
  readonly unit: string;
  readonly digits: number;
  /** The most that is wanted, in the same unit. */
  readonly goal?: number;
  /** The goal is the least that is wanted. */
  readonly isGoalLeast?: boolean;
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
  const { what, values, unit, digits, goal, isGoalLeast = false } = figure;
  const { median, min, max } = summarise(values);
  const write = (value: number): string => value.toFixed(digits);
  const range = values.length > 1 ? `${write(min)} – ${write(max)}` : "";
  const row = [`  ${what}`, `${write(median)} ${unit}`, range];
  if (goal === undefined) return [...row, "", ""];
  const isMet = isGoalLeast ? median >= goal : median <= goal;
  return [...row, `${isGoalLeast ? "≥" : "≤"} ${write(goal)}`, isMet ? "met" : "MISSED"];
}
