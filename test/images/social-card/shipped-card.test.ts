import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createCardPainter, drawCardSvg } from "../../../src/images/social-card/card-renderer.ts";
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
