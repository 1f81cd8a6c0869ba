import { readFile } from "node:fs/promises";

/*
 * A process of its own that draws badges from the very first on: `badge-cold.ts FONT`, bundled. Prints milliseconds: of loading the
 * modules, of reading the font and setting up the layout, of the first SVG of the process and its PNG, and of `LATER` further looks, of which none
 * shares a text with one before.
 */

const LATER = 50;

const timed = async <T>(
  work: () => T,
): Promise<{ readonly value: Awaited<T>; readonly ms: number }> => {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
};

const loaded = await timed(() =>
  Promise.all([
    import("../src/badge/typesetter.ts"),
    import("../src/badge/svg.ts"),
    import("../src/badge/painter.ts"),
  ]),
);
const [{ createTypesetter }, { drawSvg }, { createBadgePainter }] = loaded.value;
const [, , fontFile = ""] = process.argv;
const font = await readFile(fontFile);
// As the painter does it at its first badge, but in two parts.
const typesetter = await timed(() => createTypesetter(font));
const firstLook = { label: "аптайм", message: "99.98%", tone: "best" } as const;
const first = await timed(() => drawSvg(firstLook, typesetter.value));
const painter = createBadgePainter(font);
const picture = await painter.paint(firstLook);
const firstPng = await timed(() => picture.png());
const laterMs: number[] = [];
const laterPngMs: number[] = [];
for (let index = 0; index < LATER; index += 1) {
  const look = {
    label: `Сайт номер ${index}`,
    message: `${index}.${99 - index}%`,
    tone: "bad",
  } as const;
  const later = await timed(() => painter.paint(look));
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
