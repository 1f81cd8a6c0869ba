import { fileURLToPath } from "node:url";

/* Files that come with the program. The paths also hold in `dist/program`, which is at the same depth below the root. */

export const SHIPPED_CATALOGUE: string = fileURLToPath(
  new URL("../../catalogue.yaml", import.meta.url),
);

/** What is known of the services from elsewhere. */
export const SHIPPED_TRUTH: string = fileURLToPath(
  new URL("../../data/truth.yaml", import.meta.url),
);

/** The font of the badges, Latin and Cyrillic in one file. */
export const FONT_FILE: string = fileURLToPath(
  new URL("../../data/fonts/Inter-Medium.ttf", import.meta.url),
);
