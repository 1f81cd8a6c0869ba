import { describe, expect, test } from "vitest";
import { COMMANDS, nameOfCommand } from "../../../src/cli/commands.ts";
import { ALL_ROWS, findUnknown } from "../../../src/setup/options/options.ts";
import { hasFlag, nameOf } from "../../../src/setup/options/option-row.ts";
import { runHere } from "../run-here.ts";
import { makeScratchFolder } from "../../store/scratch.ts";

const ROWS = ALL_ROWS;

test("a variable belongs to one option: where two share a name, it carries the group", () => {
  const flags = new Map<string, Set<string>>();
  for (const { variable, usage, help } of ROWS)
    if (variable !== undefined)
      flags.set(variable, (flags.get(variable) ?? new Set()).add(`${usage} ${help}`));
  const shared = [...flags].filter(([, options]) => options.size > 1).map(([name]) => name);
  // The catalogue of a notifier is that of the runner; only what it is for differs.
  expect(shared).toEqual(["CATALOGUE"]);
  expect([...flags.keys()]).toEqual(
    expect.arrayContaining([
      "EVERY",
      "VANTAGE_EVERY",
      "NOTIFY_EVERY",
      "VANTAGE_ID",
      "VANTAGE_KEY",
      "NOTIFY_KEY",
      "CONCURRENCY",
      "VANTAGE_CONCURRENCY",
    ]),
  );
});

test("what belongs to one call has no variable", () => {
  const without = ROWS.filter(({ variable }) => variable === undefined);
  expect([...new Set(without.map(nameOf))].toSorted()).toEqual([
    "--all",
    "--answers",
    "--api-only",
    "--at",
    "--badge",
    "--channels",
    "--count",
    "--force",
    "--from",
    "--id",
    "--json",
    "--key",
    "--label",
    "--name",
    "--only",
    "--overlay",
    "--pending",
    "--public",
    "--races",
    "--set",
    "--symptom",
    "about",
  ]);
});

test("old flags of settings are understood, and not shown", async () => {
  const here = makeScratchFolder();
  const { code, stderr } = await runHere(["run", "--confirm", "2,1", "--deadline", "x"], here);
  expect(code).toBe(2);
  for (const words of ["confirm 2,1: give ascending", "deadline x: give a number"])
    expect(stderr).toContain(words);
  const { stderr: ofVerify } = await runHere(["verify", "--timeout", "x", "http://a/"], here);
  expect(ofVerify).toContain("verifyTimeout x: give a whole number");
  const { stdout } = await runHere(["run", "--help"], here);
  expect(stdout).not.toMatch(/--confirm|--deadline/u);
});

test("there are at most 45 flags, and those of a run fit one screen", async () => {
  expect(new Set(ROWS.filter(hasFlag).map(nameOf)).size).toBeLessThanOrEqual(45);
  const { stdout } = await runHere(["run", "--help"], makeScratchFolder());
  expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
});

test.each([
  ["STOER", "did you mean STATUS_SNAPSHOT_STORE?"],
  ["BASE_ULR", "did you mean STATUS_SNAPSHOT_BASE_URL?"],
  ["ID", "did you mean STATUS_SNAPSHOT_VANTAGE_ID?"],
  ["FORCE", "remove it."],
  ["SOMETHING_ELSE", "remove it."],
])("STATUS_SNAPSHOT_%s: %s", (name, hint) => {
  expect(findUnknown({ [`STATUS_SNAPSHOT_${name}`]: "x", PATH: "/bin" })).toEqual([
    `STATUS_SNAPSHOT_${name}: no option has this variable; ${hint}`,
  ]);
});

test("variables of options, and of units beside the program, are known", () => {
  const names = [...ROWS.flatMap(({ variable }) => variable ?? []), "ALARM_URL"];
  const env = Object.fromEntries(names.map((name) => [`STATUS_SNAPSHOT_${name}`, "x"]));
  expect(findUnknown(env)).toEqual([]);
});

describe("an unknown variable ends every command", () => {
  test.each(COMMANDS.map((row) => [nameOfCommand(row), row.usage]))("%s", async (name, usage) => {
    const args = [...name.split(" "), ...[...usage.matchAll(/<.+?>/gu)].map(() => "x")];
    const result = await runHere(args, makeScratchFolder(), { STATUS_SNAPSHOT_STOER: "file:x" });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("did you mean STATUS_SNAPSHOT_STORE?");
  });
});
