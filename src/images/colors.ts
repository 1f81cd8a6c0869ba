import type { BadgeTone } from "../model/monitor/monitor.ts";
import type { Color } from "../contract/codes/verdict.ts";

export const TEXT_COLOR = "#fff";

export const LABEL_GROUND = "#4a525b";

/**
 * Background of the value. White text on each has a contrast of at least 4.5 : 1, so the number is readable without the hue.
 * Source: WCAG 2.2, success criterion 1.4.3; docs/monitors/badges.md, "Colours".
 */
export const BACKGROUNDS = {
  best: "#1a7f37",
  good: "#557a0b",
  fair: "#946000",
  poor: "#bc4c00",
  bad: "#cf222e",
  none: "#6e7781",
} as const satisfies Record<BadgeTone, string>;

/**
 * Colours of one card: a calm background, the light on it, and the label in a darker shade of the light. Texts have a contrast of at least
 * 4.5 : 1 with each background, a light 3 : 1. Source: WCAG 2.2.
 */
export const CARD_COLORS = {
  ok: { ground: "#e8f4ea", light: "#1a7f37", label: "#125a27" },
  warn: { ground: "#fcf2d9", light: "#a86400", label: "#744600" },
  bad: { ground: "#fdeaea", light: "#cf222e", label: "#a01922" },
  none: { ground: "#edeff2", light: "#6e7781", label: "#4a525b" },
} as const satisfies Record<Color, Record<"ground" | "light" | "label", string>>;

export const CARD_INK = "#1b1f24";
export const CARD_QUIET = "#57606a";
