import { expect, test } from "vitest";
import { type Ask, createVerifyClient, type ReceivedAnswer } from "../../src/verify/http/client.ts";
import {
  checkConditional,
  checkEncoding,
  checkHead,
  checkQuery,
} from "../../src/verify/http/variants.ts";

type Headers = Readonly<Record<string, string>>;

const LIST = '{"services":[]}';

/** A client of a server that gives these answers, by request. */
function clientOf(answerTo: (ask: Ask) => { status?: number; headers?: Headers; body?: string }) {
  const exchange = async (ask: Ask): Promise<ReceivedAnswer> => {
    const { status = 200, headers = {}, body = "" } = answerTo(ask);
    const lines = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
    return { kind: "answer", ask, status, headers: new Map(lines), body: Buffer.from(body) };
  };
  const transport = { exchange, close: () => Promise.resolve() };
  return createVerifyClient(transport, { timeoutMs: 60_000, signal: new AbortController().signal });
}

test("a HEAD that a body follows is a problem", async () => {
  const found = await checkHead(
    clientOf(() => ({ body: LIST })),
    "list.head",
    "/x",
  );
  expect(found.problems).toEqual(["a body of 15 bytes follows the headers"]);
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

test("a query string that gives another document is a problem", async () => {
  const found = await checkQuery(clientOf(() => ({ body: "{}" })));
  expect(found.problems).toEqual(["/api/v1/status?x=1&y=../.. is not the list"]);
});
