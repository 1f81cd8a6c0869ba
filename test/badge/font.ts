import { readFileSync } from "node:fs";

/** The font that is shipped. */
export const FONT: Uint8Array = readFileSync(
  new URL("../../fonts/Inter-Medium.ttf", import.meta.url),
);
