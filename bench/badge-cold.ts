import { readFile } from "node:fs/promises";

/*
 * A bundled program that renders badges in a new process: `badge-cold.ts FONT`. Prints milliseconds: loading the modules, reading
 * the font and setting up the layout, the first SVG and its PNG, and `LATER` further badges with new texts.
 */

const LATER = 50;

const timed = async <T>(
  work: () => T,
): Promise<{ readonly value: Awaited<T>; readonly ms: number }> => {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
};

const loaded = await timed(() => import("../src/images/badge/badge-renderer.ts"));
const { createBadgePainter, createTypesetter, drawSvg } = loaded.value;
const [, , fontFile = ""] = process.argv;
const font = await readFile(fontFile);
// As the painter does for its first badge, but in two steps.
const typesetter = await timed(() => createTypesetter(font));
const firstBadge = { label: "аптайм", message: "99.98%", tone: "best" } as const;
const first = await timed(() => drawSvg(firstBadge, typesetter.value));
const paint = createBadgePainter(font);
const picture = await paint(firstBadge);
const firstPng = await timed(() => picture.png());
const laterMs: number[] = [];
const laterPngMs: number[] = [];
for (let index = 0; index < LATER; index += 1) {
  const badge = {
    label: `Сайт номер ${index}`,
    message: `${index}.${99 - index}%`,
    tone: "bad",
  } as const;
  const later = await timed(() => paint(badge));
  laterMs.push(later.ms);
  laterPngMs.push((await timed(() => later.value.png())).ms);
}
process.stdout.write(
  JSON.stringify({
    loadMs: loaded.ms,
    setUpMs: typesetter.ms,
    firstMs: first.ms,
    firstPngMs: firstPng.ms,
    laterMs,
    laterPngMs,
  }),
);
