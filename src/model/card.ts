import type { Color } from "./verdict.ts";

/** What the picture of a shared link shows. Equal looks are equal bytes. */
export interface CardLook {
  /** Name of the service or monitor; of a monitor it is hostile: written by strangers. */
  readonly title: string;
  /** What there is to say of it, in Russian. */
  readonly label: string;
  /** The same in English, smaller. */
  readonly sublabel: string;
  readonly color: Color;
  /** Host of the website. */
  readonly site: string;
}

/** Draws a card, 1200 × 630 pixels, as PNG. */
export type DrawCard = (look: CardLook) => Promise<Uint8Array>;
