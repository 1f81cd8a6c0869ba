import { Resvg } from "@resvg/resvg-js";
import pLimit from "p-limit";
import type { DrawCard, CardContent } from "../../model/monitor/pictures.ts";
import {
  createCardSetter,
  type Block,
  type SetBlock,
  type TextArea,
  type TextSize,
  UNITS_PER_EM,
} from "./layout.ts";
import { createPngEncoder, type EncodePng } from "./encode-png.ts";
import type { Color } from "../../contract/codes/verdict.ts";
import { CARD_COLORS, CARD_INK, CARD_QUIET } from "../colors.ts";
import { toPathData } from "../text/glyph-path.ts";

/** While another thread compresses one picture, the next is drawn. More would only multiply the memory. */
const CARDS_AT_ONCE = 2;

/**
 * Draws the pictures of shared links. Equal contents always give equal bytes; no content makes it fail.
 * @param font bytes of a TrueType font, read at the first card. It rejects if they are invalid.
 * @param freePixels called for each card, when its 6 MB of pixels are unreferenced: see `createYoungCollector`.
 */
export function createCardPainter(
  font: Uint8Array,
  freePixels: () => void = () => undefined,
): DrawCard {
  let setter: Promise<SetBlock> | undefined;
  const idle: EncodePng[] = [];
  const limit = pLimit(CARDS_AT_ONCE);
  return (look) =>
    limit(async () => {
      setter ??= createCardSetter(font);
      const svg = await drawCardSvg(look, await setter);
      const encode = idle.pop() ?? createPngEncoder();
      const png = rasterize(svg, encode);
      freePixels();
      return await png.finally(() => idle.push(encode));
    });
}

/** Not async, so that nothing references the pixels while they are encoded. */
function rasterize(svg: string, encode: EncodePng): Promise<Uint8Array> {
  // All text is paths: searching for system fonts would take most of the time.
  const { width, height, pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  return encode({ width, height, rgba: pixels });
}

/** Size of a card in pixels, which readers of Open Graph show uncropped. Source: docs/monitors/badges.md. */
const WIDTH = 1_200;
const HEIGHT = 630;
/** Margin on all sides, because some places crop the edges or round the corners. */
const MARGIN = 80;
const INNER = WIDTH - 2 * MARGIN;

/** The sign of the website, exactly that of `data/assets/favicon.svg`, in a square of 64. */
const SIGN = [
  '<rect width="64" height="64" rx="15" fill="#22262c"/>',
  '<rect x="24" y="5" width="16" height="16" rx="3.5" fill="#f2635a"/>',
  '<path d="M32 23.5 41.5 40h-19z" fill="#f5b83d"/>',
  '<circle cx="32" cy="51" r="8.5" fill="#4cc38a"/>',
].join("");
const SIGN_SIZE = 48;
const SIGN_TOP = MARGIN - 10;
const BESIDE_SIGN = SIGN_SIZE + 18;

/** Width and height of a light, and the left edge of the texts next to it. */
const LIGHT = 108;
const BESIDE = MARGIN + LIGHT + 36;

const TITLE = textArea(INNER, [120, 1], [104, 1], [92, 2], [80, 2], [70, 3], [60, 3], [52, 3]);
const LABEL = textArea(WIDTH - MARGIN - BESIDE, [58, 1], [52, 1], [46, 1], [40, 1]);
const SUBLABEL = textArea(WIDTH - MARGIN - BESIDE, [34, 1], [30, 1]);
const SITE = textArea(INNER - BESIDE_SIGN, [30, 1]);

function textArea(widthPixels: number, ...steps: readonly TextSize[]): TextArea {
  return { widthPixels, steps };
}

/** Distance of baselines, and heights of capitals, relative to the size of the text. The font is Inter. */
const LEADING = 1.2;
const CAPITAL = 0.727;

/** Vertical middle of the light; and of a light without a title. */
const LIGHT_MIDDLE = 490;
const LONE_LIGHT_MIDDLE = 340;
/** Distances of the baselines next to the light from its middle: with two texts, and with three. */
const TWO_BASELINES = { label: 0, since: 0, sublabel: 50 };
const THREE_BASELINES = { label: -25, since: 21, sublabel: 60 };
/** The title is centred between these. */
const TITLE_TOP = 150;
const TITLE_BOTTOM = 412;

/** The card as an SVG text in which all texts are paths. */
export async function drawCardSvg(look: CardContent, setBlock: SetBlock): Promise<string> {
  const colors = CARD_COLORS[look.color];
  const [title, label, since, sublabel, site] = await Promise.all([
    setBlock(look.title, TITLE),
    setBlock(look.label, LABEL),
    setBlock(look.since ?? "", SUBLABEL),
    setBlock(look.sublabel, SUBLABEL),
    setBlock(look.site, SITE),
  ]);
  const middle = title.lines.length === 0 ? LONE_LIGHT_MIDDLE : LIGHT_MIDDLE;
  const baselines = look.since === undefined ? TWO_BASELINES : THREE_BASELINES;
  const siteBaseline = SIGN_TOP + (SIGN_SIZE + site.sizePixels * CAPITAL) / 2;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${colors.ground}"/>`,
    `<g transform="translate(${MARGIN} ${SIGN_TOP}) scale(${SIGN_SIZE / 64})">${SIGN}</g>`,
    drawBlock(site, MARGIN + BESIDE_SIGN, siteBaseline, CARD_QUIET),
    drawBlock(title, MARGIN, baselineOfTitle(title), CARD_INK),
    `<g transform="translate(${MARGIN} ${middle - LIGHT / 2}) scale(${LIGHT / 24})">${drawLight(look.color, colors)}</g>`,
    drawBlock(label, BESIDE, middle + baselines.label, colors.label),
    drawBlock(since, BESIDE, middle + baselines.since, CARD_INK),
    drawBlock(sublabel, BESIDE, middle + baselines.sublabel, CARD_QUIET),
    "</svg>",
  ].join("");
}

/** First baseline of a title that is centred in its space. */
function baselineOfTitle({ sizePixels, lines }: Block): number {
  const height = sizePixels * (CAPITAL + (lines.length - 1) * LEADING);
  return (TITLE_TOP + TITLE_BOTTOM - height) / 2 + sizePixels * CAPITAL;
}

function drawBlock(block: Block, left: number, baseline: number, color: string): string {
  const scale = block.sizePixels / UNITS_PER_EM;
  return block.lines
    .map((line, index) => {
      const top = baseline + index * block.sizePixels * LEADING;
      return `<path fill="${color}" transform="translate(${left} ${top}) scale(${scale})" d="${toPathData(line)}"/>`;
    })
    .join("");
}

/** The lights of the website, in a square of 24: each colour has a shape of its own. */
function drawLight(color: Color, { ground, light }: (typeof CARD_COLORS)[Color]): string {
  const mark = `fill="none" stroke="${ground}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"`;
  switch (color) {
    case "ok":
      return `<circle cx="12" cy="12" r="12" fill="${light}"/><path ${mark} d="M6.6 12.6l3.7 3.7 7.2-7.8"/>`;
    case "warn":
      return (
        `<path fill="${light}" stroke="${light}" stroke-width="3" stroke-linejoin="round" d="M12 3.2L22.5 21.2H1.5z"/>` +
        `<path ${mark} d="M12 9.4v5.2M12 18.6v.01"/>`
      );
    case "bad":
      return `<rect width="24" height="24" rx="4.5" fill="${light}"/><path ${mark} d="M7.6 7.6l8.8 8.8M16.4 7.6l-8.8 8.8"/>`;
    case "none":
      return `<circle cx="12" cy="12" r="10.4" fill="none" stroke="${light}" stroke-width="3.2"/>`;
  }
}
