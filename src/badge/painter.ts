import { Resvg } from "@resvg/resvg-js";
import type { BadgeLook } from "../model/monitor.ts";
import { TONE_GROUNDS } from "./colors.ts";
import { createRecent } from "./lru.ts";
import { drawSvg } from "./svg.ts";
import { createTypesetter, type Typesetter } from "./typesetter.ts";

/** Badges that are remembered, some 4 KB each: more than there are percentages. */
const PICTURES_KEPT = 20_000;
/** Pixels of the PNG for one of the SVG: sharp on dense screens. */
const PNG_ZOOM = 2;

/** One badge in each of its forms. */
export interface BadgePicture {
  readonly svg: Uint8Array;
  /** In the format of shields' endpoint badge. Source: https://shields.io/badges/endpoint-badge. */
  readonly json: Uint8Array;
  /** Twice the size of the SVG. Drawn when it is asked for first, because most windows have none. */
  png(): Uint8Array;
}

/** Draws each distinct look once, as long as it is remembered. Equal looks give equal bytes, always. */
export interface BadgePainter {
  paint(look: BadgeLook): Promise<BadgePicture>;
}

/**
 * @param font bytes of a TrueType font. Each painter reads it once, at its first badge.
 * `paint` rejects when the bytes are no such font.
 */
export function createBadgePainter(font: Uint8Array): BadgePainter {
  const pictures = createRecent<Promise<BadgePicture>>(PICTURES_KEPT);
  let typesetter: Promise<Typesetter> | undefined;
  return {
    paint(look) {
      const key = `${look.tone}|${look.message}|${look.label}`;
      const known = pictures.get(key);
      if (known !== undefined) return known;
      typesetter ??= createTypesetter(font);
      const picture = typesetter.then(async (ready) => createPicture(look, ready));
      pictures.set(key, picture);
      picture.catch(() => pictures.delete(key));
      return picture;
    },
  };
}

async function createPicture(look: BadgeLook, typesetter: Typesetter): Promise<BadgePicture> {
  const svg = await drawSvg(look, typesetter);
  let png: Uint8Array | undefined;
  return {
    svg: new TextEncoder().encode(svg),
    json: new TextEncoder().encode(JSON.stringify(describe(look))),
    png: () => {
      png ??= rasterize(svg);
      return png;
    },
  };
}

/** Exactly the fields that shields requires, and the colour, which it takes as hexadecimal digits. */
function describe({ label, message, tone }: BadgeLook): Readonly<Record<string, unknown>> {
  return { schemaVersion: 1, label, message, color: TONE_GROUNDS[tone].slice(1) };
}

function rasterize(svg: string): Uint8Array {
  const options = {
    fitTo: { mode: "zoom", value: PNG_ZOOM },
    // All text is paths: to look for the system's fonts would take most of the time.
    font: { loadSystemFonts: false },
  } as const;
  return new Resvg(svg, options).render().asPng();
}
