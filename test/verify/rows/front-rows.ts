import { gzipSync } from "node:zlib";
import {
  BADGE,
  become,
  DETAIL,
  hasOrigin,
  isBadge,
  isChanges,
  isDetail,
  isList,
  isMissing,
  isRefused,
  LIST,
  setHeader,
  when,
} from "./corrupt.ts";
import type { Corrupt, PassingAnswer } from "../good-deployment.ts";
import type { Row } from "../rows.ts";

const ACAO = "Access-Control-Allow-Origin";
const CACHE = "Cache-Control";

/** The same faults for each of the groups of responses. */
const HEADER_ROWS: readonly Row[] = (
  [
    ["list", isList],
    ["detail", isDetail],
    ["missing", isMissing],
    ["refused", isRefused],
    ["badge", isBadge],
    ["data", isChanges],
  ] as const
).flatMap(([target, is]): Row[] => [
  [
    `no ${ACAO} with Origin: ${target}`,
    when((a) => is(a) && hasOrigin(a), setHeader(ACAO)),
    `${target}.cors`,
  ],
  [
    `no ${ACAO} without Origin: ${target}`,
    when(
      (a) => is(a) && !hasOrigin(a) && a.method !== "HEAD" && isUnconditional(a),
      setHeader(ACAO),
    ),
    `${target}.cors`,
    target === "list" || target === "detail" || target === "badge" ? [`${target}.head`] : [],
  ],
  [`${ACAO} twice: ${target}`, when(is, setHeader(ACAO, "*", "*")), `${target}.cors`],
  [
    `${ACAO} with the name of the site: ${target}`,
    when(is, (a) => setHeader(ACAO, a.request.headers.origin ?? "null")(a)),
    `${target}.cors`,
  ],
  [
    `cached for an hour: ${target}`,
    when(is, setHeader(CACHE, "public, max-age=3600")),
    `${target}.cache`,
  ],
  [
    `a shared cache may keep it longer: ${target}`,
    when(is, setHeader(CACHE, "max-age=60, s-maxage=61")),
    `${target}.ttl`,
  ],
  [`an Age of 61 seconds: ${target}`, when(is, setHeader("Age", "61")), `${target}.ttl`],
  [
    `expires after an hour: ${target}`,
    when(is, setHeader("Expires", new Date(Date.now() + 3_600_000).toUTCString())),
    `${target}.ttl`,
  ],
  [`the wrong type: ${target}`, when(is, setHeader("Content-Type", "text/html")), `${target}.type`],
  [`no nosniff: ${target}`, when(is, setHeader("X-Content-Type-Options")), `${target}.nosniff`],
]);

function isUnconditional({ request: { headers } }: PassingAnswer): boolean {
  return headers["if-none-match"] === undefined;
}

/** Changes only the responses for a target. */
export const at = (target: string, change: (answer: PassingAnswer) => unknown): Corrupt =>
  when((answer) => answer.target === target, change);

const isMethod =
  (...methods: readonly string[]) =>
  ({ method }: PassingAnswer): boolean =>
    methods.includes(method);

const isHead =
  (target: string) =>
  (answer: PassingAnswer): boolean =>
    answer.method === "HEAD" && answer.target === target;

const OK_BODY = '{"updated":1,"services":[]}';

const TRICKY_ROWS: readonly Row[] = (
  [
    ["path.trailing-slash", "/api/v1/status/"],
    ["path.trailing-slash", "/api/v1/status/sberbank/"],
    ["path.upper-case", "/API/V1/STATUS"],
    ["path.upper-case", "/api/v1/status/SBERBANK"],
    ["path.encoded-dots", "/api/v1/%2e%2e/v1/status"],
    ["path.dot-segments", "/api/v1/../v1/status"],
    ["path.dot-segments", "/api/v1/./status"],
    ["path.double-slash", "//api/v1/status"],
    ["path.double-slash", "/api/v1/status//sberbank"],
    ["path.suffix", "/api/v1/status.json"],
    ["path.encoded-slash", "/api/v1/status%2Fsberbank"],
    ["path.state", "/state.json.gz"],
    ["path.state", "/.state/state.json.gz"],
    ["path.state", "/api/../../.state/state.json.gz"],
  ] as const
).flatMap(([check, target]): Row[] => [
  [`${target} is served`, at(target, become(200, OK_BODY)), check],
  [`${target} is 403`, at(target, become(403)), check],
]);

const ROWS: readonly Row[] = [
  ["an unknown slug is 403", when(isMissing, become(403)), "missing.status", ["missing.badge"]],
  [
    "an unknown slug is 403 only with Origin",
    when((a) => isMissing(a) && hasOrigin(a), become(403)),
    "missing.status",
  ],
  [
    "an unknown slug gets the page of the website",
    when((a) => isMissing(a) && a.target.startsWith(LIST), become(200, "<html>")),
    "missing.status",
  ],
  [
    "an unknown badge is 500",
    when((a) => isMissing(a) && a.target.endsWith(".svg"), become(500)),
    "missing.badge",
  ],
  [
    "the 404 is the store's XML",
    when(isMissing, become(404, "<Error><Code>NoSuchKey</Code></Error>")),
    "missing.body",
  ],
  [
    "the 404 is large",
    when(isMissing, become(404, JSON.stringify("x".repeat(2_000)))),
    "missing.body",
  ],
  ["a 404 has no Cache-Control", when(isMissing, setHeader(CACHE)), "missing.cache"],
  ["POST is 200", when(isMethod("POST"), become(200, OK_BODY)), "methods.refused"],
  ["PUT is 403", when(isMethod("PUT"), become(403)), "methods.refused"],
  ["DELETE is 204", when(isMethod("DELETE"), become(204, "")), "methods.refused"],
  ["OPTIONS is 403", when(isMethod("OPTIONS"), become(403)), "methods.options"],
  ["OPTIONS is not readable", when(isMethod("OPTIONS"), setHeader(ACAO)), "methods.options"],
  ["HEAD of the list is 405", when(isHead(LIST), become(405)), "list.head"],
  ["HEAD of a detail is 404", when(isHead(DETAIL), become(404)), "detail.head"],
  [
    "HEAD of the badge has another type",
    when(isHead(BADGE), setHeader("Content-Type", "text/plain")),
    "badge.head",
  ],
  ["HEAD has a Content-Length of 0", when(isHead(LIST), (a) => (a.body = "")), "list.head"],
  ["the list has no validator", when(isList, setHeader("ETag")), "list.conditional"],
  [
    "an ETag that changes with each request",
    when(isDetail, (a) => setHeader("ETag", `"${Math.random()}"`)(a)),
    "detail.conditional",
    ["detail.head"],
  ],
  [
    "a Last-Modified that is ignored",
    when(isBadge, setHeader("Last-Modified", "Sat, 01 Nov 2025 00:00:00 GMT")),
    "badge.conditional",
  ],
  [
    "304 is not readable",
    when(({ status, target }) => status === 304 && target === LIST, setHeader(ACAO)),
    "list.conditional",
  ],
  [
    "compressed for clients that accept only identity",
    when(isList, (a) => {
      const accepted = a.request.headers["accept-encoding"];
      if (accepted === "identity") setHeader("Content-Encoding", "gzip")(a);
    }),
    "list.encoding",
  ],
  [
    "another document if compressed",
    when(
      (a) => isList(a) && acceptsGzip(a),
      (a) => {
        setHeader("Content-Encoding", "gzip")(a);
        Object.assign(a, { body: gzipSync("{}").toString("latin1"), encoding: "latin1" });
      },
    ),
    "list.encoding",
  ],
  [
    "Content-Encoding without compression",
    when((a) => isList(a) && acceptsGzip(a), setHeader("Content-Encoding", "br")),
    "list.encoding",
  ],
  [
    "a query string is an error",
    when(({ target }) => target.includes("?"), become(400)),
    "list.query",
  ],
  [
    "a null byte breaks the server",
    when(({ target }) => target.includes("%00"), become(500)),
    "path.null-byte",
  ],
  [
    "a null byte truncates the path",
    when(({ target }) => target.includes("%00"), become(200)),
    "path.null-byte",
  ],
  [
    "a redirect of an unusual path",
    at("/api/v1/status/", (a) => {
      become(301, "")(a);
      setHeader("Location", LIST)(a);
    }),
    "redirects.none",
    ["path.trailing-slash"],
  ],
  ["one service is missing", at("/api/v1/status/telegram", become(404)), "detail.reachable"],
  [
    "a detail is 403 only with Origin",
    when((a) => isDetail(a) && hasOrigin(a), become(403)),
    "detail.reachable",
  ],
  [
    "the list is 403 only with Origin",
    when((a) => isList(a) && hasOrigin(a), become(403)),
    "list.reachable",
  ],
];

/** Faults that need a socket, because no server of Node sends them. */
export const RAW_ROWS: readonly Row[] = [
  [
    "a body follows a HEAD",
    when(isHead(LIST), ({ request: { socket }, headers }) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
      socket?.end(`HTTP/1.1 200 OK\r\n${lines}\r\n{"updated":1}`);
    }),
    "list.head",
  ],
  [
    "the response to HEAD is not HTTP",
    when(isHead(LIST), ({ request: { socket } }) => socket?.end("what?\r\n\r\n")),
    "list.head",
  ],
];

/** Whether the client accepts gzip. */
export function acceptsGzip({ request }: PassingAnswer): boolean {
  return String(request.headers["accept-encoding"]).includes("gzip");
}

/** Each row has one fault of the front. */
export const FRONT_ROWS: readonly Row[] = [...HEADER_ROWS, ...TRICKY_ROWS, ...ROWS];
