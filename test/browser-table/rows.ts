import { BODIES } from "./body-rows.ts";
import { HEADS } from "./head-rows.ts";
import type { Row } from "./page.ts";
import { REDIRECTS } from "./redirect-rows.ts";

/** Small servers without TLS, and what a visitor gets there. A new oddity is one row. */
export const ROWS: readonly Row[] = [...HEADS, ...BODIES, ...REDIRECTS];
