import { PUBLISH, type CheckRow } from "../check-row.ts";

/** The checks of the badges of one monitor, except those of headers. */
export const BADGE_ROWS = {
  "badge.reachable": [
    "badge.svg answers 200, with and without Origin",
    "specification",
    "Check that the monitor is public, and that a run has been made since.",
  ],
  "badge.kinds": [
    "badge.png, badge.json and the SVGs of other windows answer 200, with and without Origin",
    "decision",
    "Map all six paths in the front, and publish with the current version.",
  ],
  "badge.others": [
    "names that are not badges, and the id in the other case, are 404",
    "decision",
    "Map only the six paths; keep documents in a store that distinguishes upper and lower case.",
  ],
  "badge.svg": [
    "every SVG badge is well-formed, has a size, runs nothing and loads nothing",
    "decision",
    PUBLISH,
  ],
  "badge.title": [
    "every SVG badge has role=img, and a title and label with its text",
    "decision",
    PUBLISH,
  ],
  "badge.json": ["badge.json can be drawn by shields.io", "decision", PUBLISH],
  "badge.value": [
    "every badge shows a percentage with two decimals, 100%, or that there is no data",
    "specification",
    PUBLISH,
  ],
  "badge.png": ["badge.png is a complete PNG", "decision", PUBLISH],
  "badge.agrees": [
    "badge.json has the text of badge.svg, and badge.png is twice its size",
    "decision",
    "Check whether two writers publish, and whether caches keep a badge for longer than a minute.",
  ],
  "badge.policy": [
    "SVG badges forbid scripts by their Content-Security-Policy",
    "decision",
    "Add Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; sandbox to SVG in the front.",
  ],
  "badge.head": [
    "HEAD of a badge has the headers of GET and no body",
    "specification",
    "Let the front handle HEAD like GET.",
  ],
  "badge.conditional": [
    "a conditional GET of an unchanged badge is 304",
    "decision",
    "As for the list.",
  ],
} as const satisfies Readonly<Record<string, CheckRow>>;
