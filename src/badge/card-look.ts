import type { CardLook } from "../model/card.ts";
import { hashText } from "../model/fnv.ts";

/** Counts one up with every change of font, colours or shape: it makes all cards be written again. */
const CARD_DESIGN = 1;

/** A short text that is equal for looks whose cards have equal bytes, and for no others that anybody will meet. */
export function signatureOfCard({ title, label, sublabel, color, site }: CardLook): string {
  // As JSON, so that no title can look like another title with a label.
  return `${CARD_DESIGN}|${hashText(JSON.stringify([title, label, sublabel, color, site]))}`;
}
