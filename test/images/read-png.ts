import { Resvg } from "@resvg/resvg-js";

/** A PNG as decoded by another program. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** 0xRRGGBB. */
  colorAt(x: number, y: number): number;
}

/** Decodes a PNG by drawing it with resvg, which checks its checksums. Throws if nothing was drawn. */
export function readPng(png: Uint8Array): Picture {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const href = `data:image/png;base64,${bytes.toString("base64")}`;
  const size = `width="${width}" height="${height}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><image ${size} href="${href}"/></svg>`;
  const { pixels } = new Resvg(svg, { font: { loadSystemFonts: false } }).render();
  if (pixels[3] !== 255) throw new Error("Nobody could read this PNG.");
  return { width, height, colorAt: (x, y) => pixels.readUIntBE((y * width + x) * 4, 3) };
}

/** A part of a picture; right and bottom are just outside. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Whether any pixel of the frame differs from the picture's first one. */
export function hasInk(picture: Picture, frame: Frame): boolean {
  const ground = picture.colorAt(0, 0);
  for (let y = frame.top; y < frame.bottom; y += 1) {
    for (let x = frame.left; x < frame.right; x += 1) {
      if (picture.colorAt(x, y) !== ground) return true;
    }
  }
  return false;
}

/** For each pixel of the frame, row by row, 1 where it differs from the picture's first pixel. */
export function inkOf(picture: Picture, frame: Frame): readonly (0 | 1)[] {
  const ground = picture.colorAt(0, 0);
  const ink: (0 | 1)[] = [];
  for (let y = frame.top; y < frame.bottom; y += 1) {
    for (let x = frame.left; x < frame.right; x += 1) {
      ink.push(picture.colorAt(x, y) === ground ? 0 : 1);
    }
  }
  return ink;
}
