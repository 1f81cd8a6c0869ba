import { readFileSync } from "node:fs";

/** The shipped font. */
export const FONT: Uint8Array = readFileSync(
  new URL("../../data/fonts/Inter-Medium.ttf", import.meta.url),
);

/** The shipped font, in which every glyph is blank: all of them begin and end at the same place. */
export function blankFont(): Uint8Array {
  const font = Buffer.from(FONT);
  const record = font.indexOf("loca");
  const start = font.readUInt32BE(record + 8);
  return font.fill(0, start, start + font.readUInt32BE(record + 12));
}
