import { fileURLToPath } from "node:url";

/* Files that come with the program. The paths also hold in `dist/program`, which is at the same depth below the root. */

const shipped = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const SHIPPED_CATALOGUE: string = shipped("catalogue.yaml");
/** What is known of the services from elsewhere. */
export const SHIPPED_TRUTH: string = shipped("data/truth.yaml");
/** The font of the badges, Latin and Cyrillic in one file. */
export const FONT_FILE: string = shipped("data/fonts/Inter-Medium.ttf");
