import { readFile } from "node:fs/promises";

/*
 * A process of its own that draws badges from the very first on: `badge-cold.mjs`. Prints milliseconds: of loading the
 * modules, of reading the font and setting up the layout, of the first SVG of the process and its PNG, and of `LATER` further looks, of which none
 * shares a text with one before. In JavaScript and on `dist`, because what runs TypeScript directly takes time of its own.
 */

const LATER = 50;
const FONT_FILE = new URL("../fonts/Inter-Medium.ttf", import.meta.url);

const timed = async (work) => {
  const startMs = performance.now();
  const value = await work();
  return { value, ms: performance.now() - startMs };
};

const load = (file) => import(new URL(`../dist/badge/${file}.js`, import.meta.url).href);
const loaded = await timed(() => Promise.all([load("typesetter"), load("svg"), load("painter")]));
const [{ createTypesetter }, { drawSvg }, { createBadgePainter }] = loaded.value;
const font = await readFile(FONT_FILE);
// As the painter does it at its first badge, but in two parts.
const typesetter = await timed(() => createTypesetter(font));
const firstLook = { label: "аптайм", message: "99.98%", tone: "best" };
const first = await timed(() => drawSvg(firstLook, typesetter.value));
const painter = createBadgePainter(font);
const picture = await painter.paint(firstLook);
const firstPng = await timed(() => picture.png());
const laterMs = [];
const laterPngMs = [];
for (let index = 0; index < LATER; index += 1) {
  const look = { label: `Сайт номер ${index}`, message: `${index}.${99 - index}%`, tone: "bad" };
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
