import { readFileSync } from "node:fs";

/** The shipped font. */
export const FONT: Uint8Array = readFileSync(
  new URL("../../fonts/Inter-Medium.ttf", import.meta.url),
);
