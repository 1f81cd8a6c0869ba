import { readdirSync, readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { type Checkpoint, play, type Scenario } from "./run-scenario.ts";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const MAX_BYTES = 5_000;

const names = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function read(name: string, file: string): string {
  return readFileSync(`${HERE}/${name}/${file}`, "utf8");
}

test("there are at least twelve scenarios", () => {
  expect(names.length).toBeGreaterThanOrEqual(12);
});

describe.each(names)("%s", (name) => {
  test("gives the expected documents", () => {
    const scenario = JSON.parse(read(name, "input.json")) as Scenario; // play() throws if it is invalid
    const expected = JSON.parse(read(name, "expected.json")) as readonly Checkpoint[]; // compared completely
    expect(play(scenario)).toEqual(expected);
  });

  test("is short enough to read", () => {
    for (const file of ["input.json", "expected.json"]) {
      expect(statSync(`${HERE}/${name}/${file}`).size).toBeLessThan(MAX_BYTES);
    }
  });
});
