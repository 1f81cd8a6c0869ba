import { expect, test } from "vitest";
import { COMMANDS, PARENTS } from "../../../src/cli/commands.ts";
import { runHere } from "../run-here.ts";

test("the help says what it said", async () => {
  const texts: string[] = [];
  for (const args of [[], ...Object.keys(PARENTS).map((word) => [word])]) {
    const { code, stdout } = await runHere([...args, "--help"], process.cwd());
    expect(code).toBe(0);
    texts.push(stdout);
  }
  await expect(texts.join("\n---\n")).toMatchFileSnapshot("golden/help.txt");
});

// The options of each group have a golden file of their own.
test("each command has the help, the arguments and the groups of options that it had", async () => {
  const rows = COMMANDS.map((row) => JSON.stringify({ ...row, run: undefined }));
  await expect(`${rows.join("\n")}\n`).toMatchFileSnapshot("golden/commands.txt");
});
