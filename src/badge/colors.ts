import type { BadgeTone } from "../model/monitor.ts";

/** Colour of all text on badges. */
export const TEXT_COLOR = "#fff";

/** Ground behind the label. */
export const LABEL_GROUND = "#4a525b";

/**
 * Ground behind the value. White text on each has a contrast of 4.5 : 1 at least, so nobody needs the hue to read the number.
 * Source: WCAG 2.2, success criterion 1.4.3; docs/badges.md, "Colours".
 */
export const TONE_GROUNDS = {
  best: "#1a7f37",
  good: "#557a0b",
  fair: "#946000",
  poor: "#bc4c00",
  bad: "#cf222e",
  none: "#6e7781",
} as const satisfies Record<BadgeTone, string>;
