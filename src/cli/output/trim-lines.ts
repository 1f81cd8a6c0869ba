import type { TableConstructorOptions } from "cli-table3";

const NOTHING = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};

/** Columns separated by blanks only, for terminals as well as `grep` and `awk`. */
export const NO_BORDERS: Pick<TableConstructorOptions, "chars" | "style"> = {
  chars: NOTHING,
  style: { head: [], border: [], "padding-left": 0, "padding-right": 2 },
};

/** Removes blanks at the ends of lines. */
export function trimLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
