import {
  BADGE,
  become,
  editJson,
  type Fields,
  hasOrigin,
  isBadge,
  setHeader,
  when,
} from "./corrupt.ts";
import { at } from "./front-rows.ts";
import type { Corrupt, PassingAnswer } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const FOLDER = "/api/m/my-shop";
const WEEK = `${FOLDER}/badge-7d.svg`;
const PNG = `${FOLDER}/badge.png`;
const JSON_BADGE = `${FOLDER}/badge.json`;

const isThere =
  (target: string) =>
  (answer: PassingAnswer): boolean =>
    answer.target === target && answer.status === 200;

const edit = (target: string, from: string, to: string): Corrupt =>
  when(isThere(target), (answer) => {
    if (!answer.body.includes(from)) throw new Error(`${target} has no ${from}`);
    answer.body = answer.body.replaceAll(from, () => to);
  });

/** Inserts markup that concerns only the check `badge.svg`. */
const draw = (markup: string): Corrupt => edit(BADGE, "<text>", `${markup}<text>`);

const shields = (change: (document: Fields) => unknown): Corrupt =>
  editJson(isThere(JSON_BADGE), change);

/** Changes the bytes of the PNG. */
const png = (change: (bytes: string) => string): Corrupt =>
  when(isThere(PNG), (answer) => {
    answer.body = change(answer.body);
  });

const MISSING_ROWS: readonly Row[] = [
  ["the badge is missing", at(BADGE, become(404)), "badge.reachable"],
  [
    "the badge is 403 only with Origin",
    when((a) => isBadge(a) && hasOrigin(a), become(403)),
    "badge.reachable",
  ],
  ...["badge.png", "badge.json", "badge-24h.svg", "badge-7d.svg", "badge-90d.svg"].map(
    (name): Row => [`${name} is missing`, at(`${FOLDER}/${name}`, become(404)), "badge.kinds"],
  ),
  [
    "badge.png is 403 only with Origin",
    when((a) => isThere(PNG)(a) && hasOrigin(a), become(403)),
    "badge.kinds",
  ],
  ...["badge-30d.svg", "badge-24h.png", "badge-24h.json", "badge", "../MY-SHOP/badge.svg"].map(
    (name): Row => [
      `${name} is served`,
      at(name.startsWith("..") ? `/api/m${name.slice(2)}` : `${FOLDER}/${name}`, become(200, "{}")),
      "badge.others",
    ],
  ),
  [
    "the PNG of an unknown monitor is a placeholder",
    when((a) => a.target.includes("no-such-") && a.target.endsWith(".png"), become(200)),
    "missing.badge",
  ],
  [
    "the badge of an unknown monitor and window is 403",
    when((a) => a.target.includes("no-such-") && a.target.endsWith("-90d.svg"), become(403)),
    "missing.badge",
  ],
  [
    "the 404 of an unknown badge is the store's XML",
    when(
      (a) => a.target.includes("no-such-") && a.target.endsWith(".svg"),
      become(404, "<Error/>"),
    ),
    "missing.body",
  ],
];

const PICTURE_ROWS: readonly Row[] = (
  [
    ["is an HTML page", when(isBadge, (a) => (a.body = "<html></html>"))],
    ["is truncated", when(isBadge, (a) => (a.body = a.body.slice(0, -1)))],
    ["has no namespace", edit(BADGE, ' xmlns="http://www.w3.org/2000/svg"', "")],
    ["has no size", edit(BADGE, ' width="90"', "")],
    ["of another window is not well-formed", edit(WEEK, "</text>", "</txt>")],
    [
      "is in another encoding",
      when(isBadge, (a) => Object.assign(a, { body: "<svg>\u00e9", encoding: "latin1" })),
    ],
    ["has a bare ampersand", draw("<desc>a & b</desc>")],
    ["has an entity", draw("<desc>&nbsp;</desc>")],
    ["has a reference to a character that XML does not allow", draw("<desc>&#1;</desc>")],
    ["has a control character", draw("<desc>\u0008</desc>")],
    ["has an attribute twice", draw('<g id="a" id="b"/>')],
    ["has an attribute without quotes", draw("<g id=a/>")],
    ["has an undeclared prefix", draw('<use xlink:href="#a"/>')],
    ["has two roots", when(isBadge, (a) => (a.body += "<svg/>"))],
    ["has text after the root", when(isBadge, (a) => (a.body += "x"))],
    ["has a document type", when(isBadge, (a) => (a.body = `<!DOCTYPE svg>${a.body}`))],
    ["has an external style sheet", when(isBadge, (a) => (a.body = `<?x href="x"?>${a.body}`))],
    ["has a script", draw("<script>1</script>")],
    ["has a script in upper case with a prefix", draw('<s:SCRIPT xmlns:s="x"/>')],
    ["has a handler", edit(BADGE, "<text>", '<text onload="1">')],
    ["has a handler in the root", edit(BADGE, 'role="img"', 'role="img" onload="1"')],
    ["embeds another document", draw("<foreignObject/>")],
    ["loads a picture of another host", draw('<image href="//a.example/"/>')],
    ["loads a picture of its own host", draw('<image href="other.svg"/>')],
    ["loads a font", draw("<style>@import 'x.css';</style>")],
    ["has a fill from another host", draw('<path fill="url(https://a.example/#a)"/>')],
    ["has a javascript: address", draw('<set to=" java&#10;script:1"/>')],
  ] as const
).map(([what, corrupt]): Row => [`the badge ${what}`, corrupt, "badge.svg"]);

const TITLE_ROWS: readonly Row[] = [
  ["the badge has no role", edit(BADGE, ' role="img"', ""), "badge.title"],
  ["a badge of another window has another role", edit(WEEK, '"img"', '"figure"'), "badge.title"],
  ["a badge has no title", edit(WEEK, "<title>аптайм: 99.98%</title>", ""), "badge.title"],
  ["the title is not in the root", edit(WEEK, "title>", "desc>"), "badge.title"],
  [
    "a badge has another aria-label than title",
    edit(WEEK, 'aria-label="аптайм: 99.98%"', 'aria-label="аптайм: 99.99%"'),
    "badge.title",
  ],
  ["a badge has no aria-label", edit(WEEK, ' aria-label="аптайм: 99.98%"', ""), "badge.title"],
  ["a badge has three decimals", edit(WEEK, "99.98%", "99.985%"), "badge.value"],
  ["a badge shows 100.00%", edit(WEEK, "99.98%", "100.00%"), "badge.value"],
  ["a badge shows more than 100%", edit(WEEK, "99.98%", "101.00%"), "badge.value"],
  ["a badge shows NaN", edit(WEEK, "99.98%", "NaN%"), "badge.value"],
];

const JSON_ROWS: readonly Row[] = [
  ["badge.json is not JSON", when(isThere(JSON_BADGE), (a) => (a.body = "<svg/>")), "badge.json"],
  ["badge.json is a list", when(isThere(JSON_BADGE), (a) => (a.body = "[]")), "badge.json"],
  ["badge.json has no version", shields((d) => delete d["schemaVersion"]), "badge.json"],
  [
    "badge.json has a version that is a text",
    shields((d) => (d["schemaVersion"] = "1")),
    "badge.json",
  ],
  ["badge.json has no label", shields((d) => delete d["label"]), "badge.json"],
  ["badge.json has an empty message", shields((d) => (d["message"] = "")), "badge.json"],
  ["badge.json has a message that is a number", shields((d) => (d["message"] = 99)), "badge.json"],
  ["badge.json has a field that shields refuses", shields((d) => (d["id"] = "x")), "badge.json"],
  ["badge.json has an invalid colour", shields((d) => (d["color"] = "#12")), "badge.json"],
  ["badge.json has an error that is a text", shields((d) => (d["isError"] = "no")), "badge.json"],
  ["badge.json has a fraction of seconds", shields((d) => (d["cacheSeconds"] = 0.5)), "badge.json"],
  ["badge.json has another value", shields((d) => (d["message"] = "99.97%")), "badge.agrees"],
  ["badge.json has another label", shields((d) => (d["label"] = "uptime")), "badge.agrees"],
  ["badge.svg has another value", edit(BADGE, "99.98%", "99.97%"), "badge.agrees"],
  [
    "badge.json has an invalid value",
    shields((d) => (d["message"] = "99,98 %")),
    "badge.value",
    ["badge.agrees"],
  ],
];

const PNG_ROWS: readonly Row[] = [
  ["badge.png is an SVG", png(() => "<svg/>"), "badge.png"],
  ["badge.png is empty", png(() => ""), "badge.png"],
  ["badge.png was decoded as ASCII text", png((bytes) => bytes.replace("\x89", "?")), "badge.png"],
  ["badge.png has converted line ends", png((bytes) => bytes.replace("\r\n", "\n")), "badge.png"],
  ["badge.png is truncated", png((bytes) => bytes.slice(0, -5)), "badge.png"],
  ["badge.png is only a signature", png((bytes) => bytes.slice(0, 8)), "badge.png"],
  ["badge.png has no header", png((bytes) => bytes.replace("IHDR", "IDAT")), "badge.png"],
  [
    "badge.png has the size of the SVG",
    png((bytes) => bytes.replace("\0\0\0\xb4", "\0\0\0\x5a")),
    "badge.agrees",
  ],
];

const BADGE_FRONT_ROWS: readonly Row[] = [
  ["badge.png has the type of an SVG", setType(PNG, "image/svg+xml"), "badge.type"],
  [
    "badge.json has the type of binary data",
    setType(JSON_BADGE, "binary/octet-stream"),
    "badge.type",
  ],
  ["badge.json has no charset", setType(JSON_BADGE, "application/json"), "badge.type"],
  ["a badge of another window has the type of XML", setType(WEEK, "text/xml"), "badge.type"],
  [
    "badge.png may be cached for an hour",
    at(PNG, setHeader("Cache-Control", "max-age=3600")),
    "badge.cache",
  ],
  ["badge.png has no nosniff", at(PNG, setHeader("X-Content-Type-Options")), "badge.nosniff"],
  [
    "badge.json has no Access-Control-Allow-Origin",
    when(isUnconditional(JSON_BADGE), setHeader("Access-Control-Allow-Origin")),
    "badge.cors",
  ],
  ["the badge has no policy", when(isBadge, setHeader("Content-Security-Policy")), "badge.policy"],
  [
    "a badge of another window has no policy",
    at(WEEK, setHeader("Content-Security-Policy")),
    "badge.policy",
  ],
  [
    "the badge's policy allows scripts",
    when(isBadge, setHeader("Content-Security-Policy", "default-src 'none'; script-src 'self'")),
    "badge.policy",
  ],
  [
    "HEAD of badge.png is 405",
    when((a) => a.method === "HEAD" && a.target === PNG, become(405)),
    "badge.head",
  ],
  [
    "badge.json has no validator",
    when(isThere(JSON_BADGE), setHeader("ETag")),
    "badge.conditional",
  ],
];

function setType(target: string, type: string): Corrupt {
  return when(isThere(target), setHeader("Content-Type", type));
}

function isUnconditional(target: string) {
  return (answer: PassingAnswer): boolean =>
    isThere(target)(answer) && answer.request.headers["if-none-match"] === undefined;
}

/** Each row has one fault of the badges. */
export const BADGE_ROWS: readonly Row[] = [
  ...MISSING_ROWS,
  ...PICTURE_ROWS,
  ...TITLE_ROWS,
  ...JSON_ROWS,
  ...PNG_ROWS,
  ...BADGE_FRONT_ROWS,
];
