import { readFileSync } from "node:fs";

/** The shipped font. */
export const FONT: Uint8Array = readFileSync(
  new URL("../../data/fonts/Inter-Medium.ttf", import.meta.url),
);
