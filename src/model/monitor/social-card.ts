import type { Color } from "../../contract/codes/verdict.ts";

/** The content of the preview image of a shared link: equal content gives equal bytes. */
export interface CardContent {
  /** Name of the service or monitor; the name of a monitor is hostile input. */
  readonly title: string;
  /** The status, in Russian. */
  readonly label: string;
  /** Since when, below it; absent: the status has no start. */
  readonly since?: string;
  /** Status and start in English, smaller. */
  readonly sublabel: string;
  readonly color: Color;
  /** Host of the website. */
  readonly site: string;
}

/** Renders a card as PNG, 1200 × 630 pixels. */
export type DrawCard = (content: CardContent) => Promise<Uint8Array>;
