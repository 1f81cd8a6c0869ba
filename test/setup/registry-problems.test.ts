import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openRegistrySource } from "../../src/setup/registry/registry-source.ts";
import { lineOf, makeShards, RULES } from "../cli/shard-folder.ts";
import { makeScratchFolder } from "../store/scratch.ts";

/** So many entries that are wrong, each on a line of its own. */
const wrong = (count: number): string => '{"id":"?","url":"https://a.example/"}\n'.repeat(count);

/** A file with a monitor and what follows it, as a registry. */
async function openFile(rest: string) {
  const file = join(makeScratchFolder(), "list.jsonl");
  await writeFile(file, lineOf("shop") + rest);
  const opened = await openRegistrySource(file, RULES);
  if ("problem" in opened) throw new Error(opened.problem);
  return { file, ...opened.value };
}

test.each([
  [0, 0, undefined],
  [20, 20, /left out; its history stays\.\)$/u],
  [21, 21, /^1 more problems in the registry; monitor check lists them\.$/u],
  [23, 21, /^3 more problems in the registry; monitor check lists them\.$/u],
])("of %i wrong entries a start tells %i lines", async (count, lines, last) => {
  const { warnings } = await openFile(wrong(count));
  expect(warnings).toHaveLength(lines);
  if (last !== undefined) expect(warnings.at(-1)).toMatch(last);
});

test.each([
  [1, ""],
  [2, " 1 more are wrong."],
  [4, " 3 more are wrong."],
])("%i entries that become wrong are told once, with their number", async (count, more) => {
  const { file, read } = await openFile("");
  expect(await read()).toMatchObject({ monitors: [{ id: "shop" }], isComplete: true });
  await writeFile(file, lineOf("shop") + wrong(count));
  const { problem = "" } = await read();
  expect(problem.startsWith(`${file}:2:`)).toBe(true);
  expect(problem.endsWith(`(This monitor is left out; its history stays.)${more}`)).toBe(true);
  expect(await read()).not.toHaveProperty("problem");
});

test("a registry that goes away leaves its monitors, and says so at each read", async () => {
  const { file, read } = await openFile("");
  await rm(file);
  const gone = {
    monitors: [expect.objectContaining({ id: "shop" })],
    rejectedIds: [],
    isComplete: false,
    problem: `${file} does not exist any more. The monitors stay as they were.`,
  };
  expect([await read(), await read()]).toEqual([gone, gone]);
  await writeFile(file, lineOf("blog"));
  expect(await read()).toMatchObject({ monitors: [{ id: "blog" }], isComplete: true });
});

test("the default registry need not exist, and then no monitor counts as removed", async () => {
  const [folder, before] = [makeScratchFolder(), process.cwd()];
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  const opened = await openRegistrySource(undefined, RULES);
  if ("problem" in opened) throw new Error(opened.problem);
  const nothing = { monitors: [], rejectedIds: [], isComplete: false };
  expect([opened.value.warnings, await opened.value.read()]).toEqual([[], nothing]);
  await writeFile("monitors.yaml", "monitors:\n  - { id: shop, url: https://a.example/ }\n");
  expect(await opened.value.read()).toMatchObject({ monitors: [{ id: "shop" }], isComplete: true });
  expect(await openRegistrySource("none.yaml", RULES)).toEqual({
    problem: "--monitors none.yaml: the registry does not exist; monitor add creates one.",
  });
});

test("of a registry in cells each has its own monitors, and the only cell has all", async () => {
  const folder = await makeShards("shop", "mail", "bank");
  const idsOf = async (number: number, of: number): Promise<readonly string[]> => {
    const opened = await openRegistrySource(folder, RULES, { number, of });
    if ("problem" in opened) throw new Error(opened.problem);
    return (await opened.value.read()).monitors.map(({ id }) => id).toSorted();
  };
  expect(await idsOf(0, 1)).toEqual(["bank", "mail", "shop"]);
  // The slots of shop, mail and bank are 0x8d9, 0x00d and 0x438.
  expect([await idsOf(0, 2), await idsOf(1, 2)]).toEqual([["bank"], ["mail", "shop"]]);
});
