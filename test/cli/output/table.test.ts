import { expect, test } from "vitest";
import { renderTable } from "../../../src/cli/output/table.ts";

test("a table has columns and blanks, and no line", () => {
  const rows = [
    ["a", 1],
    ["long name", 20],
  ];
  expect(renderTable(rows, { head: ["NAME", "N"], colAligns: ["left", "right"] })).toBe(
    "NAME        N\na           1\nlong name  20",
  );
});
