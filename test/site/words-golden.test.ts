import { expect, test } from "vitest";
import { readPlainExports } from "../plain-exports.ts";

test("every table of words is what it was, in both languages", async () => {
  const folder = new URL("../../src/site/words/", import.meta.url);
  const text = await readPlainExports(folder, () => true);
  await expect(text).toMatchFileSnapshot("golden/words.txt");
});
