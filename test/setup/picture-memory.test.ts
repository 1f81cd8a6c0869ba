import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { createYoungCollector } from "../../src/setup/collect-garbage.ts";

const BADGE_MAKER = new URL("../../src/setup/publish-settings.ts", import.meta.url).href;

/** Draws as many pictures at once as a publish does. Prints the growth of the process in bytes after the first. */
const DRAW = `
  const { createBadgeMaker } = await import(${JSON.stringify(BADGE_MAKER)});
  const { drawCard } = createBadgeMaker("ru");
  const draw = (number) =>
    drawCard({ title: "Сервис " + number, label: "Работает", sublabel: "Working", color: "ok", site: "a.example" });
  await draw(0);
  const atFirst = process.memoryUsage.rss();
  let peak = atFirst;
  let next = 1;
  const drawSome = async () => {
    while (next <= 64) {
      await draw(next++);
      peak = Math.max(peak, process.memoryUsage.rss());
    }
  };
  await Promise.all(Array.from({ length: 16 }, drawSome));
  console.log(peak - atFirst);
`;

/** A picture is 3 MB of pixels in resvg and 3 MB here. Sixteen at once took at least 180 MB; one at a time, uncollected, 50 to 95 MB. */
const MAX_BYTES = 40_000_000;

test(
  "a process that draws dozens of pictures keeps the pixels of few",
  { timeout: 60_000 },
  async () => {
    const args = ["--import", "tsx", "--input-type=module", "--eval", DRAW];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: fileURLToPath(new URL("../..", import.meta.url)),
    });
    expect(Number(stdout)).toBeLessThan(MAX_BYTES);
  },
);

test("the collector can be called, and is not exposed globally", () => {
  expect(() => createYoungCollector()()).not.toThrow();
  expect(runInNewContext("typeof gc")).toBe("undefined");
});
