import type { ApiWords } from "./api.ts";

/** The page of the API, in English. */
export const API_ENGLISH: ApiWords = {
  title: "API: service status as JSON",
  description:
    "Open API of the status of services: three requests to read, no key, no registration, from any program and any website. Codes, colours, limits, examples.",
  intro: [
    "The same data as on the website, as JSON. No key or registration is needed, and any program may ask, as may a browser directly from any website (CORS is open to all). The API only gives data: requests have no parameters and no body.",
    "For programs there is a description in the form of OpenAPI 3.1: [openapi.json](file:/openapi.json).",
  ],
  base: "Base address",
  operations: {
    title: "Requests",
    table: {
      caption: "Three requests",
      head: ["Request", "Answer"],
      rows: [
        ["`GET /api/v1/status`", "the list of all services, each in brief"],
        [
          "`GET /api/v1/status/<slug>`",
          "one service with its reports; 404 when the catalogue has no such service",
        ],
        [
          "`GET /api/m/<id>/badge.svg`",
          "a badge with the uptime of a monitor; 404 when the monitor has no public page",
        ],
      ],
    },
  },
  list: {
    title: "List",
    table: {
      caption: "Fields of the list",
      head: ["Field", "Type", "Meaning"],
      rows: [
        [
          "`updated`",
          "number",
          "time of the last run of checks, Unix seconds, UTC; reports do not move it",
        ],
        ["`services`", "array", "one entry for each service, in the order of the catalogue"],
      ],
    },
    entries: {
      caption: "Fields of an entry",
      head: ["Field", "Type", "Meaning"],
      rows: [
        ["`slug`", "string", "short name, as in the address of its page; it never changes"],
        ["`name`", "string", "name, in Russian"],
        ["`color`", "string", "colour of the light: `ok`, `warn`, `bad` or `none`"],
        ["`code`", "string", "the exact verdict, one of 13 [codes](#states)"],
        [
          "`live`",
          "boolean",
          "`true`: a failure in recent checks or a spike of reports is happening right now; `false`: the state is persistent",
        ],
      ],
    },
    example: "Answer of the list, shortened to two services",
  },
  detail: {
    title: "One service",
    before: "The same five fields and three more:",
    table: {
      caption: "Further fields of one service",
      head: ["Field", "Type", "Meaning"],
      rows: [
        [
          "`since`",
          "number or null",
          "when the current state of the checks began, Unix seconds; null: the service was never checked",
        ],
        ["`reportsHour`", "number", "reports of users in the last hour"],
        ["`reportsDay`", "number", "reports of users in the last 24 hours"],
      ],
    },
    example: "Answer of one service",
  },
  states: {
    title: "Codes and colours",
    before:
      "Code and colour always pair as in the table. The colour is for a light, the code for the exact label.",
    codes: {
      caption: "13 codes",
      head: ["code", "color", "Label on the website", "When it occurs"],
    },
    colors: { caption: "Four colours", head: ["color", "Meaning"] },
  },
  limits: {
    title: "Limits and caching",
    items: [
      "Checks run every 5 minutes, reports count at once.",
      "Ask at most once a minute: answers are cached for a minute (`Cache-Control: max-age=60`), and before that you get the same.",
      "Send `If-None-Match` with the `ETag` that you have: if nothing has changed, an empty 304 comes.",
      "Too many requests from one address may be refused: 429, and `Retry-After` says how many seconds to wait.",
      "No field will be added to the answers of `v1`: new data will get new addresses.",
    ],
    errors: {
      caption: "Errors: JSON too",
      head: ["Answer", "When", "Body"],
      rows: [
        ["404", "no such service, monitor or path", '`{"error":"not found"}`'],
        ["405", "not GET, HEAD or OPTIONS", '`{"error":"method not allowed"}`'],
        ["429", "too many requests", '`{"error":"too many requests"}`'],
        ["503", "the data is temporarily unavailable", '`{"error":"temporarily unavailable"}`'],
      ],
    },
  },
  examples: {
    title: "Examples",
    shell: "curl: what does not work right now",
    script: "JavaScript: in a browser or Node.js",
    python: "Python: one service, without other libraries",
  },
  badges: {
    title: "Badges",
    before: [
      "A monitor with a public page has badges of its uptime: the share of good checks, rounded down, so that 100% means that not one failed. They are updated every 5 minutes. Put the id of a monitor for `ID`, exactly as it was given out. While the page is not public, all six answer 404.",
    ],
    table: {
      caption: "Six kinds of badge",
      head: ["Address", "Window", "What"],
      rows: [
        ["`/api/m/<id>/badge.svg`", "30 days", "badge, SVG"],
        ["`/api/m/<id>/badge.png`", "30 days", "the same as a PNG picture, twice the size"],
        [
          "`/api/m/<id>/badge.json`",
          "30 days",
          "for [badges of shields.io](https://shields.io/badges/endpoint-badge)",
        ],
        ["`/api/m/<id>/badge-24h.svg`", "24 hours", "badge, SVG"],
        ["`/api/m/<id>/badge-7d.svg`", "7 days", "badge, SVG"],
        ["`/api/m/<id>/badge-90d.svg`", "90 days", "badge, SVG"],
      ],
    },
    html: "Badge for HTML",
    markdown: "Badge for Markdown",
    shields: "By way of shields.io",
    alternative: "Uptime",
  },
  embed: {
    title: "Widget for your site",
    before:
      "One or several services on a page of yours. It keeps itself up to date once a minute, follows light and dark, and links to us:",
    example: "Code of the widget",
    items: [
      "`slugs`: short names of services, with commas between, as in the list.",
      "`lang`: `ru` or `en`.",
      "The widget sets no cookies and learns nothing of your visitors.",
      "If your site has a strict Content-Security-Policy, allow this site in `script-src` and `connect-src`.",
    ],
  },
  feeds: {
    title: "Feeds",
    items: [
      "[All changes](/feed.atom) (Atom): an entry comes when the verdict of a service changes.",
      "Changes of one service: `/en/feed/<slug>.atom`.",
    ],
  },
  terms: {
    title: "Terms",
    request: "Showing the data on your own site? Please link to us, for instance like this:",
    example: "Code of the link",
    link: "Service status",
  },
};
