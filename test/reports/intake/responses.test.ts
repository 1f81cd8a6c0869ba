import { describe, expect, test } from "vitest";
import {
  answerFault,
  answerOptions,
  answerRefusal,
  answerUnavailable,
  REPORT_REFUSALS,
  type RefusalReason,
  toResponse,
} from "../../../src/reports/intake/responses.ts";
import { answerOperationsFault } from "../../../src/reports/intake/metrics.ts";
import type { RequestFault } from "../../../src/model/connections.ts";

test("each reason to refuse a report has a status and a text", () => {
  expect(REPORT_REFUSALS).toEqual({
    "bad-request": [400, "bad request"],
    malformed: [400, "malformed body"],
    "unknown-symptom": [400, "unknown symptom"],
    "no-address": [400, "no client address"],
    "foreign-origin": [403, "origin not allowed"],
    "unknown-service": [404, "not found"],
    "wrong-method": [405, "method not allowed"],
    "too-slow": [408, "request timeout"],
    "too-large": [413, "body too large"],
    "unknown-media-type": [415, "unsupported media type"],
    flood: [429, "too many reports"],
    "head-too-large": [431, "request header too large"],
    unavailable: [503, "temporarily unavailable"],
  });
});

describe("a refusal", () => {
  test.each<[RefusalReason, Readonly<Record<string, string>>]>([
    ["wrong-method", { Allow: "POST, OPTIONS" }],
    ["too-large", { Connection: "close" }],
    ["too-slow", { Connection: "close" }],
    ["flood", {}],
    ["malformed", {}],
  ])("because of %s has these headers: %j", (reason, headers) => {
    const [status, error] = REPORT_REFUSALS[reason];
    expect(answerRefusal(reason)).toEqual({ status, body: { error }, headers });
  });

  test.each([
    [0, "1"],
    [1_000, "1"],
    [1_001, "2"],
    [5_000, "5"],
  ])("that may be repeated after %i ms says %s s", (ms, seconds) => {
    expect(answerRefusal("flood", ms).headers).toEqual({ "Retry-After": seconds });
  });
});

const NO_STORE = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
const PRIVATE = { ...NO_STORE, "referrer-policy": "no-referrer", vary: "Origin" };
const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

async function readOf(response: Response) {
  const { status, headers } = response;
  return { status, headers: Object.fromEntries(headers), body: await response.text() };
}

test.each<[RequestFault, number, string, Readonly<Record<string, string>>]>([
  ["malformed", 400, "bad request", {}],
  ["head-too-large", 431, "request header too large", {}],
  ["too-slow", 408, "request timeout", { connection: "close" }],
  ["unknown-method", 405, "method not allowed", { allow: "POST, OPTIONS" }],
  ["internal", 500, "internal error", {}],
])("a request that ends with the fault %s gets %i, %s", async (fault, status, error, headers) => {
  const body = JSON.stringify({ error });
  const length = { "content-length": String(body.length) };
  expect(await readOf(answerFault(fault))).toEqual({
    status,
    body,
    headers: { ...PRIVATE, ...JSON_TYPE, ...length, ...headers },
  });
});

test("a method that no server knows gets the methods of the operations port there", async () => {
  expect(await readOf(answerOperationsFault("unknown-method"))).toMatchObject({
    status: 405,
    headers: { ...NO_STORE, allow: "GET, HEAD" },
    body: '{"error":"method not allowed"}',
  });
  expect(await readOf(answerOperationsFault("too-slow"))).toMatchObject({ status: 408 });
});

test("a preflight request of an allowed site learns what it may send, for ten minutes", async () => {
  const common = { ...PRIVATE, allow: "POST, OPTIONS" };
  expect(await readOf(toResponse(answerOptions()))).toEqual({
    status: 204,
    body: "",
    headers: common,
  });
  expect(await readOf(toResponse(answerOptions(), "https://partner.example"))).toMatchObject({
    headers: {
      ...common,
      "access-control-allow-methods": "POST, OPTIONS",
      "access-control-allow-headers": "Content-Type",
      "access-control-max-age": "600",
    },
  });
});

test("a redirect has no body, and an allowed site may read when to try again", async () => {
  const headers = { Location: "/status/en/status/bank#reported" };
  expect(await readOf(toResponse({ status: 303, headers }, "https://partner.example"))).toEqual({
    status: 303,
    body: "",
    headers: {
      ...PRIVATE,
      location: "/status/en/status/bank#reported",
      "content-length": "0",
      "access-control-allow-origin": "https://partner.example",
      "access-control-expose-headers": "Retry-After",
    },
  });
});

test("the length of a body is that of its bytes", async () => {
  const { headers, body } = await readOf(toResponse({ status: 202, body: { name: "Сбер" } }));
  expect([headers["content-length"], body]).toEqual(["19", '{"name":"Сбер"}']);
});

test("a server without its intake says that it may be asked again in five seconds", async () => {
  const answer = answerUnavailable();
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.json()).toEqual({ error: "temporarily unavailable" });
});
