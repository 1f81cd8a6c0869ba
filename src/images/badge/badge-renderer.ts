import { Resvg } from "@resvg/resvg-js";
import { LRUCache } from "lru-cache";
import type { ShieldsEndpoint } from "../../contract/shields.ts";
import type { BadgeContent } from "../../model/monitor/monitor.ts";
import { BACKGROUNDS } from "../colors.ts";
import { drawSvg } from "./badge-svg.ts";
import { createTypesetter, type Typesetter } from "../text/text-layout.ts";

/** Cached badges, some 4 KB each; there are fewer percentages. */
const PICTURES_KEPT = 20_000;
/** PNG pixels for one SVG pixel: sharp on dense screens. */
const PNG_ZOOM = 2;

/** One badge in each of its forms. */
export interface BadgePicture {
  readonly svg: Uint8Array;
  /** In the format of the endpoint badge of shields. Source: https://shields.io/badges/endpoint-badge. */
  readonly json: Uint8Array;
  /** Twice the size of the SVG. Drawn on the first request, because most windows have no PNG. */
  png(): Uint8Array;
}

/** Draws each distinct content once while it is cached. Equal contents always give equal bytes. */
export interface BadgePainter {
  paint(look: BadgeContent): Promise<BadgePicture>;
}

/** @param font bytes of a TrueType font. Each painter reads it once, at its first badge; `paint` rejects if it cannot be read. */
export function createBadgePainter(font: Uint8Array): BadgePainter {
  const pictures = new LRUCache<string, Promise<BadgePicture>>({ max: PICTURES_KEPT });
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

async function createPicture(look: BadgeContent, typesetter: Typesetter): Promise<BadgePicture> {
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

/** Exactly the fields that shields requires, and the colour as hexadecimal digits. */
function describe({ label, message, tone }: BadgeContent): ShieldsEndpoint {
  return { schemaVersion: 1, label, message, color: BACKGROUNDS[tone].slice(1) };
}

function rasterize(svg: string): Uint8Array {
  const options = {
    fitTo: { mode: "zoom", value: PNG_ZOOM },
    // All text is paths: searching for system fonts would take most of the time.
    font: { loadSystemFonts: false },
  } as const;
  return new Resvg(svg, options).render().asPng();
}
