import { expect, test } from "vitest";
import { clientOf } from "./client-of.ts";
import {
  checkConditional,
  checkEncoding,
  checkHead,
  checkQuery,
} from "../../src/verify/http/variants.ts";

const LIST = '{"services":[]}';

test("a HEAD that a body follows is a problem", async () => {
  const found = await checkHead(
    clientOf(() => ({ body: LIST })),
    "list.head",
    "/x",
  );
  expect(found.problems).toEqual(["a body of 15 bytes follows the headers"]);
});

test.each([
  ["GET", "GET /x: connection refused"],
  ["HEAD", "HEAD /x: connection refused"],
])("a %s without an answer is a problem of HEAD", async (failing, problem) => {
  const client = clientOf(({ method }) => (method === failing ? { code: "ECONNREFUSED" } : {}));
  expect((await checkHead(client, "list.head", "/x")).problems).toEqual([problem]);
});

test("a document that is not there to be asked for again is a problem", async () => {
  let asked = 0;
  const client = clientOf(() => {
    asked += 1;
    return asked <= 2 ? { headers: { etag: '"a"' } } : { status: 503 };
  });
  const found = await checkConditional(client, "list.conditional", "/x");
  expect(found.problems).toEqual(["GET /x: HTTP 503"]);
});

test("a document that is not there at first is not asked for with a condition", async () => {
  const client = clientOf(() => ({ status: 404 }));
  expect(await checkConditional(client, "list.conditional", "/x")).toMatchObject({
    result: "skip",
    seen: "GET /x: HTTP 404",
  });
});

test("a validator that the second response lacks is a problem", async () => {
  let asked = 0;
  const client = clientOf(() => ({ headers: (asked += 1) === 1 ? { etag: '"a"' } : {} }));
  const found = await checkConditional(client, "list.conditional", "/x");
  expect(found.problems).toEqual(["no ETag in the second response"]);
});

test("a compression that was not requested is a problem", async () => {
  const client = clientOf(({ headers }) =>
    headers?.["Accept-Encoding"] === "identity"
      ? { body: LIST }
      : { body: LIST, headers: { "content-encoding": "zstd", vary: "Accept-Encoding" } },
  );
  const found = await checkEncoding(client);
  expect(found.problems).toEqual(["Content-Encoding zstd was not requested"]);
});

test.each([
  ["identity", 1],
  ["gzip, br", 1],
  ["both", 2],
])("a list that is not there for %s is a problem", async (failing, count) => {
  const client = clientOf(({ headers }) => {
    const isFailing = failing === "both" || headers?.["Accept-Encoding"] === failing;
    return { status: isFailing ? 503 : 200 };
  });
  const problems = Array.from({ length: count }, () => "GET /api/v1/status: HTTP 503");
  expect((await checkEncoding(client)).problems).toEqual(problems);
});

test.each(["{}", "<html>"])("a query string that gives %s is a problem", async (body) => {
  const found = await checkQuery(clientOf(() => ({ body })));
  expect(found.problems).toEqual(["/api/v1/status?x=1&y=../.. is not the list"]);
});
