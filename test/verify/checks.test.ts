import { expect, test } from "vitest";
import { CHECKS } from "../../src/verify/checks.ts";

test("every check says what holds and what to fix", async () => {
  const lines = [...CHECKS].flatMap(([id, { source, title, fix }]) => [
    `${id} (${source}): ${title}`,
    `    ${fix}`,
  ]);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden/checks.txt");
});
