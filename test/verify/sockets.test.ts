import { expect, test } from "vitest";
import { BADGE_ROWS } from "./rows/badge-rows.ts";
import { check } from "./check.ts";
import { DATA_ROWS } from "./rows/data-rows.ts";
import { DOCUMENT_ROWS } from "./rows/document-rows.ts";
import { FRONT_ROWS, RAW_ROWS } from "./rows/front-rows.ts";
import { testRows } from "./rows.ts";
import { SITE_ROWS } from "./rows/site-rows.ts";
import { deployOverSocket } from "./socket-deployment.ts";

/** Rows of which each needs something of HTTP that a front in memory could do in another way. */
const REPRESENTATIVE: ReadonlySet<string> = new Set([
  "Access-Control-Allow-Origin twice: list",
  "no Access-Control-Allow-Origin with Origin: detail",
  "304 is not readable",
  "an ETag that changes with each request",
  "a Last-Modified that is ignored",
  "HEAD of a detail is 404",
  "HEAD has a Content-Length of 0",
  "another document if compressed",
  "Content-Encoding without compression",
  "compressed for clients that accept only identity",
  "a redirect of an unusual path",
  "DELETE is 204",
  "OPTIONS is not readable",
  "/api/v1/../v1/status is served",
  "//api/v1/status is served",
  "/api/../../.state/state.json.gz is served",
  "a null byte truncates the path",
  "a list with a byte-order mark",
  "a file of the archive with another byte",
  "badge.png is truncated",
  "a feed that names another address",
]);

const ALL = [...DOCUMENT_ROWS, ...FRONT_ROWS, ...DATA_ROWS, ...SITE_ROWS, ...BADGE_ROWS];
const chosen = ALL.filter(([what]) => REPRESENTATIVE.has(what));

test("each of the names is that of a row", () => {
  expect(chosen.map(([what]) => what).toSorted()).toEqual([...REPRESENTATIVE].toSorted());
});

testRows([...RAW_ROWS, ...chosen], true, async (corrupt, options) =>
  check(await deployOverSocket(corrupt), options),
);
