import type { Action } from "../../setup/io.ts";
import { keyOf, nameOf, type OptionRow } from "../../setup/options/option-row.ts";
import type { Flags } from "../../setup/options/options.ts";
import type { Found } from "../../setup/options/sources.ts";
import { renderTable } from "../output/table.ts";
import { toJsonText } from "../output/text.ts";

/** `config`: every setting of every command, its value and where that comes from. A wrong value is a problem, as in a run. */
export const configCommand: Action<Flags<"settings" | "configJson">> = async (call) => {
  const { flags, found, problems, io } = call;
  // Options of one call belong to no installation.
  const kept = [...found].filter(([row]) => keyOf(row) !== undefined || row.isSecret);
  // By the key in the settings file, which may stand in the rows of several commands; a secret as messages name it.
  const settings = new Map(kept.map((one) => [keyOf(one[0]) ?? nameOf(one[0]), one]));
  for (const [row, { given }] of settings.values()) row.read(given, problems.addProblem);
  problems.throwIfAny();
  const shown = Array.from(settings, ([name, [row, { given, from = "default" }]]) => {
    return { name, value: valueOf(row, given), from };
  });
  const rows = shown.map(({ name, value, from }) => [name, value, from]);
  io.print(
    flags.isJson ? toJsonText(shown) : renderTable(rows, { head: ["setting", "value", "from"] }),
  );
  return 0;
};

function valueOf({ isSecret, fallback, fallbackWords }: OptionRow, given: Found["given"]): string {
  if (given === undefined) return fallbackWords ?? fallback ?? "";
  if (isSecret) return "set";
  if (Array.isArray(given)) return given.join(", ");
  return typeof given === "object" ? JSON.stringify(given) : String(given);
}
