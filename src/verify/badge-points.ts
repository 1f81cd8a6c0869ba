import { PUBLISH, type Row } from "./point-row.ts";

/** The points about the badges of one monitor, except those about headers. */
export const BADGE_ROWS = {
  "badge.reachable": [
    "badge.svg answers 200, with and without Origin",
    "specification",
    "See that the monitor is public, and that a run was made since.",
  ],
  "badge.kinds": [
    "badge.png, badge.json and the SVGs of other windows answer 200, with and without Origin",
    "decision",
    "Map all six paths in the front, and publish with the current version.",
  ],
  "badge.others": [
    "what is no badge of the monitor is 404, its id in other case included",
    "decision",
    "Map the six paths and nothing else; keep documents in a store that tells upper from lower case.",
  ],
  "badge.svg": [
    "every SVG badge is well-formed, has a size, and runs and loads nothing",
    "decision",
    PUBLISH,
  ],
  "badge.title": [
    "every SVG badge has the role of a picture and says in words what it shows",
    "decision",
    PUBLISH,
  ],
  "badge.json": ["badge.json is what shields.io can draw", "decision", PUBLISH],
  "badge.value": [
    "every badge says a percentage with two decimals (or 100%), or that there is no data",
    "specification",
    PUBLISH,
  ],
  "badge.png": ["badge.png is a whole PNG", "decision", PUBLISH],
  "badge.agrees": [
    "badge.json says what badge.svg does, and badge.png is twice its size",
    "decision",
    "See whether two writers publish, or whether caches keep one of them for longer than a minute.",
  ],
  "badge.policy": [
    "SVG badges forbid scripts by their Content-Security-Policy",
    "decision",
    "Add Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox to SVG in the front.",
  ],
  "badge.head": [
    "HEAD of a badge is its GET without the body",
    "specification",
    "Let the front pass HEAD like GET.",
  ],
  "badge.conditional": [
    "a conditional GET of an unchanged badge is 304",
    "decision",
    "As for the list.",
  ],
} as const satisfies Readonly<Record<string, Row>>;
