import type { Action } from "../../setup/io.ts";
import { keyOf, nameOf, type OptionRow } from "../../setup/options/option-row.ts";
import type { Flags } from "../../setup/options/options.ts";
import type { Found } from "../../setup/options/sources.ts";
import { renderTable } from "../output/table.ts";

/** A setting as `config` shows it. */
interface Shown {
  /** Its key in the settings file; of a secret, how messages name it. */
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

/** `config`: every setting of every command, its value and where that comes from. A wrong value is a problem, as in a run. */
export const configCommand: Action<Flags<"settings" | "configJson">> = async (call) => {
  const { flags, found, problems, io } = call;
  // The same key may stand in the rows of several commands.
  const settings = new Map([...found].filter(isSetting).map((one) => [labelOf(one[0]), one]));
  for (const [row, { given }] of settings.values()) row.read(given, problems.addProblem);
  problems.throwIfAny();
  const shown = [...settings.values()].map(([row, one]) => show(row, one));
  io.print(flags.isJson ? JSON.stringify(shown, undefined, 2) : renderSettings(shown));
  return 0;
};

/** Options of one call belong to no installation. */
function isSetting([row]: readonly [OptionRow, Found]): boolean {
  return keyOf(row) !== undefined || row.isSecret;
}

function labelOf(row: OptionRow): string {
  return keyOf(row) ?? nameOf(row);
}

function show(row: OptionRow, { given, from }: Found): Shown {
  return { name: labelOf(row), value: valueOf(row, given), from: from ?? "default" };
}

function valueOf({ isSecret, fallback, fallbackWords }: OptionRow, given: Found["given"]): string {
  if (given === undefined) return fallbackWords ?? fallback ?? "";
  if (isSecret) return "set";
  if (Array.isArray(given)) return given.join(", ");
  return typeof given === "object" ? JSON.stringify(given) : String(given);
}

function renderSettings(shown: readonly Shown[]): string {
  return renderTable(
    shown.map(({ name, value, from }) => [name, value, from]),
    { head: ["setting", "value", "from"] },
  );
}
