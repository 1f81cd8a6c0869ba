import type { Action } from "../../setup/io.ts";
import { attributeOf, keyOf, nameOf, type OptionRow } from "../../setup/options/option-row.ts";
import { ALL_ROWS, type Flags } from "../../setup/options/options.ts";
import { readSettingsFile } from "../../setup/options/settings-file.ts";
import { findGiven, type Found } from "../../setup/options/sources.ts";
import { renderTable } from "../output/table.ts";

/** A setting as `config` shows it. */
interface Shown {
  /** Its key in the settings file; of a secret, how messages name it. */
  readonly name: string;
  readonly value: string;
  readonly from: string;
}

/** `config`: every setting of every command, its value and where that comes from. A wrong value is a problem, as in a run. */
export const configCommand: Action<Flags<"settings" | "configJson">> = async ({
  flags,
  problems,
  io,
}) => {
  problems.throwIfAny();
  const file = flags.settings;
  const read = file === undefined ? undefined : await readSettingsFile(file, ALL_ROWS);
  const values = read !== undefined && "value" in read ? read.value : new Map<string, Found>();
  const sources = { flags: { set: flags.set }, env: io.env, file: values };
  // The same key may stand in the rows of several commands.
  const rows = [...new Map(ALL_ROWS.filter(isSetting).map((row) => [labelOf(row), row])).values()];
  const found = findGiven(rows, sources, problems.addProblem);
  const shown = rows.map((row) => {
    const one = found.get(attributeOf(row)) ?? { given: undefined, from: undefined };
    row.read(one.given, problems.addProblem);
    return show(row, one);
  });
  problems.throwIfAny();
  io.print(flags.isJson ? JSON.stringify(shown, undefined, 2) : renderSettings(shown));
  return 0;
};

/** Options of one call belong to no installation. */
function isSetting(row: OptionRow): boolean {
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
