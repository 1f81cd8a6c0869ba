import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCardPainter, drawCardSvg } from "../../../src/images/social-card/card-renderer.ts";
import type { TextArea } from "../../../src/images/social-card/layout.ts";
import { readPath } from "../../../src/images/text/parse-svg-path.ts";
import type { CardContent } from "../../../src/model/monitor/pictures.ts";
import { FONT } from "../font.ts";
import { SHIPPED_CARD } from "./shipped-card.ts";

const assets = new URL("../../../data/assets/", import.meta.url);

test("the picture of pages to read is drawn with the design of today", async () => {
  const drawn = await createCardPainter(FONT)(SHIPPED_CARD);
  expect(Buffer.from(drawn).equals(readFileSync(new URL("card.png", assets)))).toBe(true);
});

test("pictures have the sign of the website", async () => {
  const favicon = readFileSync(new URL("favicon.svg", assets), "utf8");
  const shapes = favicon.match(/<(?:rect|path|circle)[^>]*>/gu) ?? [];
  const nothing = { lines: [], sizePixels: 30 };
  const svg = await drawCardSvg(SHIPPED_CARD, () => Promise.resolve(nothing));
  expect(shapes).toHaveLength(4);
  expect(svg).toContain(shapes.join(""));
});

/** The card of texts that are all set as one square, in lines as given. */
async function drawSquares(look: CardContent, lines: (text: string) => number) {
  const areas = new Map<string, TextArea>();
  const square = readPath("M0 0L10 0L10 -10Z");
  const svg = await drawCardSvg(look, (text, area) => {
    areas.set(text, area);
    const set = Array.from({ length: lines(text) }, () => square);
    return Promise.resolve({ sizePixels: area.steps[0]?.[0] ?? 0, lines: set });
  });
  const placed = [...svg.matchAll(/<path fill="(#\w+)" transform="([^"]+)" d="m0 0h10v-10z"/gu)];
  return { svg, areas, placed: placed.map(([, fill, transform]) => `${fill} ${transform}`) };
}

const LOOK: CardContent = {
  title: "title",
  label: "label",
  sublabel: "sublabel",
  color: "bad",
  site: "site",
};

test("each text has its place, its colour, and sizes from large to small", async () => {
  const { areas, placed } = await drawSquares(LOOK, () => 1);
  expect([...areas].map(([text, { widthPixels, steps }]) => [text, widthPixels, ...steps])).toEqual(
    [
      ["title", 1_040, [120, 1], [104, 1], [92, 2], [80, 2], [70, 3], [60, 3], [52, 3]],
      ["label", 896, [58, 1], [52, 1], [46, 1], [40, 1]],
      ["", 896, [34, 1], [30, 1]],
      ["sublabel", 896, [34, 1], [30, 1]],
      ["site", 974, [30, 1]],
    ],
  );
  expect(placed).toEqual([
    "#57606a translate(146 104.905) scale(0.03)",
    "#1b1f24 translate(80 324.62) scale(0.12)",
    "#a01922 translate(224 490) scale(0.058)",
    "#1b1f24 translate(224 490) scale(0.034)",
    "#57606a translate(224 540) scale(0.034)",
  ]);
});

test("three texts beside the light move apart, and lines are 1.2 of their size apart", async () => {
  const { placed } = await drawSquares({ ...LOOK, since: "since" }, (text) =>
    text === "title" ? 2 : text === "site" ? 0 : 1,
  );
  expect(placed).toEqual([
    "#1b1f24 translate(80 252.62) scale(0.12)",
    "#1b1f24 translate(80 396.62) scale(0.12)",
    "#a01922 translate(224 465) scale(0.058)",
    "#1b1f24 translate(224 511) scale(0.034)",
    "#57606a translate(224 550) scale(0.034)",
  ]);
});

test("a light without a title stands higher", async () => {
  const { svg, placed } = await drawSquares(LOOK, (text) => (text === "label" ? 1 : 0));
  expect(svg).toContain('<g transform="translate(80 286) scale(4.5)"><rect width="24"');
  expect(placed).toEqual(["#a01922 translate(224 340) scale(0.058)"]);
});

test.each([
  [
    "ok",
    '<circle cx="12" cy="12" r="12" fill="#1a7f37"/><path fill="none" stroke="#e8f4ea" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M6.6 12.6l3.7 3.7 7.2-7.8"/>',
  ],
  [
    "warn",
    '<path fill="#a86400" stroke="#a86400" stroke-width="3" stroke-linejoin="round" d="M12 3.2L22.5 21.2H1.5z"/><path fill="none" stroke="#fcf2d9" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M12 9.4v5.2M12 18.6v.01"/>',
  ],
  [
    "bad",
    '<rect width="24" height="24" rx="4.5" fill="#cf222e"/><path fill="none" stroke="#fdeaea" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round" d="M7.6 7.6l8.8 8.8M16.4 7.6l-8.8 8.8"/>',
  ],
  ["none", '<circle cx="12" cy="12" r="10.4" fill="none" stroke="#6e7781" stroke-width="3.2"/>'],
] as const)("the light %s has its shape, between a title and its texts", async (color, light) => {
  const { svg } = await drawSquares({ ...LOOK, color }, () => 1);
  expect(svg).toContain(`<g transform="translate(80 436) scale(4.5)">${light}</g>`);
  expect(svg).toMatch(
    /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" width="1200" height="630" viewBox="0 0 1200 630"><rect width="1200" height="630" fill="#\w{6}"\/><g transform="translate\(80 70\) scale\(0\.75\)">/u,
  );
});
