import type { CardContent } from "../../model/monitor/pictures.ts";
import { hashText } from "../../model/fnv1a.ts";

/** Add one after every change of font, colours or shape: then all cards are written again. */
const CARD_DESIGN = 3;

/** A short text that is equal exactly for contents whose cards have equal bytes, apart from collisions. */
export function signatureOfCard(content: CardContent): string {
  const { title, label, since, sublabel, color, site } = content;
  // As JSON, so that no title can imitate another title with a label.
  return `${CARD_DESIGN}|${hashText(JSON.stringify([title, label, since, sublabel, color, site]))}`;
}
