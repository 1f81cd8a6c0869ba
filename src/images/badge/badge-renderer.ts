import { Resvg } from "@resvg/resvg-js";
import type { BadgeContent } from "../../model/monitor/monitor.ts";
import { BACKGROUNDS, LABEL_GROUND, TEXT_COLOR } from "../colors.ts";
import { memoise, openLettering } from "../text/font.ts";
import {
  boxOf,
  moveOutline,
  type Outline,
  toPathData,
  UNITS_PER_PIXEL,
  writeNumbers,
} from "../text/glyph-path.ts";
import { drawableText } from "../text/printable-text.ts";
import type { ShieldsEndpoint } from "../../contract/shields.ts";

/** Cached badges, some 4 KB each; there are fewer percentages. */
const PICTURES_KEPT = 20_000;
/** PNG pixels for one SVG pixel: sharp on dense screens. */
const PNG_ZOOM = 2;

export interface BadgePicture {
  readonly svg: Uint8Array;
  /** In the format of the endpoint badge of shields, with its fields alone. Source: https://shields.io/badges/endpoint-badge. */
  readonly json: Uint8Array;
  /** Twice the size of the SVG. Drawn on the first request, because most windows have no PNG. */
  png(): Uint8Array;
}

/** Draws each distinct content once while it is cached. Equal contents always give equal bytes. */
export type PaintBadge = (look: BadgeContent) => Promise<BadgePicture>;

/** @param font bytes of a TrueType font. Each painter reads it once, at its first badge, and rejects if it cannot be read. */
export function createBadgePainter(font: Uint8Array): PaintBadge {
  let typesetter: Promise<Typesetter> | undefined;
  const draw = async (look: BadgeContent): Promise<BadgePicture> => {
    typesetter ??= createTypesetter(font);
    const svg = await drawSvg(look, await typesetter);
    const { label, message, tone } = look;
    const color = BACKGROUNDS[tone].slice(1);
    const shields: ShieldsEndpoint = { schemaVersion: 1, label, message, color };
    let png: Uint8Array | undefined;
    return {
      svg: Buffer.from(svg),
      json: Buffer.from(JSON.stringify(shields)),
      png: () => (png ??= rasterize(svg)),
    };
  };
  return memoise(PICTURES_KEPT, draw, ({ tone, message, label }) => `${tone}|${message}|${label}`);
}

function rasterize(svg: string): Uint8Array {
  // All text is paths: searching for system fonts would take most of the time.
  const font = { loadSystemFonts: false };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: PNG_ZOOM }, font }).render().asPng();
}

const PIXEL = UNITS_PER_PIXEL;
/** Height and padding of the flat badges of shields. */
const HEIGHT = 20 * PIXEL;
const RADIUS = 4 * PIXEL;
const PADDING = 6 * PIXEL;

/** The badge as an SVG without ids, masks, styles or external resources, which nothing else on a page can change. Never has decimals. */
export async function drawSvg(look: BadgeContent, typesetter: Typesetter): Promise<string> {
  const [labelText, messageText] = await Promise.all([
    typesetter.typeset(look.label),
    typesetter.typeset(look.message),
  ]);
  // Capitals and digits are centred on a whole pixel, which keeps their edges sharp.
  const baseline = Math.round((HEIGHT + typesetter.capHeight) / 2 / PIXEL) * PIXEL;
  const label = place(labelText, 0, baseline);
  const message = place(messageText, label.width, baseline);
  const width = label.width + message.width;
  const name = escapeXml(`${look.label}: ${look.message}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width / PIXEL}" height="${HEIGHT / PIXEL}"`,
    ` viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${name}"><title>${name}</title>`,
    labelGround(label.width),
    messageGround(BACKGROUNDS[look.tone], message),
    `<path fill="${TEXT_COLOR}" d="${toPathData([...label.text, ...message.text])}"/></svg>`,
  ].join("");
}

/** A part without text has no width. */
function place(text: Outline, left: number, baseline: number) {
  const box = boxOf(text);
  if (box === undefined) return { text: [], left, width: 0 };
  const inner = Math.ceil((box.right - box.left) / PIXEL) * PIXEL;
  return { text: moveOutline(text, left + PADDING, baseline), left, width: inner + 2 * PADDING };
}

/** Extends under the value, whose left edge covers its right corners: shorter than a path. They meet on a whole pixel, without a seam. */
function labelGround(width: number): string {
  if (width === 0) return "";
  return `<rect width="${width + RADIUS}" height="${HEIGHT}" rx="${RADIUS}" fill="${LABEL_GROUND}"/>`;
}

/** A rectangle with round right corners; without a label before it, with four round corners. */
function messageGround(color: string, { left, width }: ReturnType<typeof place>): string {
  if (left === 0)
    return `<rect width="${width}" height="${HEIGHT}" rx="${RADIUS}" fill="${color}"/>`;
  const corner = (dx: number): string => `a${writeNumbers([RADIUS, RADIUS, 0, 0, 1, dx, RADIUS])}`;
  const side = width - RADIUS;
  const d = `M${left} 0h${side}${corner(RADIUS)}v${HEIGHT - 2 * RADIUS}${corner(-RADIUS)}h-${side}z`;
  return `<path fill="${color}" d="${d}"/>`;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => `&#${character.codePointAt(0)};`);
}

/** Size of the text: 11 pixels, as on the badges of shields.io, next to which ours are shown. */
const SIZE = 11 * UNITS_PER_PIXEL;
/** Number of cached texts, of parts set by satori and of whole ones. */
const LINES_KEPT = 2_000;

type Typesetter = Awaited<ReturnType<typeof createTypesetter>>;

/** @param font bytes of a TrueType font. Throws, or rejects, if it is invalid. */
export async function createTypesetter(font: Uint8Array) {
  const lettering = openLettering(font);
  const capital = boxOf(await lettering.setLine("H", SIZE));
  if (capital === undefined) throw new TypeError("The font has no letters.");
  // Satori sets few texts: labels, words, and the halves of percentages.
  const setLine = memoise(LINES_KEPT, async (text) =>
    moveOutline(await lettering.setLine(text, SIZE), 0, -capital.bottom),
  );
  return {
    /** Height of capitals and digits, in units of outlines. */
    capHeight: capital.bottom - capital.top,
    /** Outline of the characters that the font has; empty if it has none of them. Its left edge is at 0, its baseline at 0. */
    typeset: memoise(LINES_KEPT, async (text) => {
      const outline = await compose(drawableText(text, lettering.hasGlyph), setLine);
      return moveOutline(outline, -(boxOf(outline)?.left ?? 0), 0);
    }),
  };
}

/** A percentage is two halves that meet at the point: two hundred halves make all ten thousand, with the font's kerning. */
async function compose(
  text: string,
  setLine: (text: string) => Promise<Outline>,
): Promise<Outline> {
  if (text === "") return [];
  if (!/^\d{1,2}\.\d\d%$/u.test(text)) return await setLine(text);
  const point = text.indexOf(".");
  const [left, right] = await Promise.all([
    setLine(text.slice(0, point + 1)),
    setLine(text.slice(point)),
  ]);
  const [end, start] = [left.at(-1), right[0]];
  if (end === undefined || start === undefined) return [];
  return [...left, ...moveOutline(right.slice(1), end.x - start.x, 0)];
}
