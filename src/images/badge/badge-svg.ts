import type { BadgeContent } from "../../model/monitor/monitor.ts";
import { LABEL_GROUND, TEXT_COLOR, BACKGROUNDS } from "../colors.ts";
import {
  boxOf,
  moveOutline,
  type Outline,
  toPathData,
  UNITS_PER_PIXEL,
  writeNumbers,
} from "../text/glyph-path.ts";
import type { Typesetter } from "../text/text-layout.ts";

const PIXEL = UNITS_PER_PIXEL;
/** Height and padding of the flat badges of shields. */
const HEIGHT = 20 * PIXEL;
const RADIUS = 4 * PIXEL;
const PADDING = 6 * PIXEL;

/** A part of a badge: text on a background. */
interface Part {
  readonly text: Outline;
  readonly left: number;
  readonly width: number;
}

/**
 * The badge as a self-contained SVG text, without ids, masks, styles or external resources, so that nothing else on a page can
 * change it. Coordinates are units of outlines, which need no decimals.
 */
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
function place(text: Outline, left: number, baseline: number): Part {
  const box = boxOf(text);
  if (box === undefined) return { text: [], left, width: 0 };
  const inner = Math.ceil((box.right - box.left) / PIXEL) * PIXEL;
  return { text: moveOutline(text, left + PADDING, baseline), left, width: inner + 2 * PADDING };
}

/**
 * The background of the label extends under that of the value, whose left edge covers its right corners: this is shorter than a
 * path. Both meet on a whole pixel, so there is no seam.
 */
function labelGround(width: number): string {
  if (width === 0) return "";
  return `<rect width="${width + RADIUS}" height="${HEIGHT}" rx="${RADIUS}" fill="${LABEL_GROUND}"/>`;
}

/** A rectangle with round right corners; without a label before it, with four round corners. */
function messageGround(color: string, { left, width }: Part): string {
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
