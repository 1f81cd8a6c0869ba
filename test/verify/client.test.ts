import { describe, expect, test } from "vitest";
import {
  type Ask,
  createVerifyClient,
  describeExchange,
  describeFailure,
  findStatusProblems,
  MAX_AT_ONCE,
  ORIGIN,
  type ReceivedAnswer,
} from "../../src/verify/http/client.ts";

const NO_STOP = new AbortController().signal;
const GET: Ask = { method: "GET", target: "/x" };

function answerOf(status: number, headers: Readonly<Record<string, string>> = {}): ReceivedAnswer {
  const lines = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  return { kind: "answer", ask: GET, status, headers: new Map(lines), body: Buffer.alloc(0) };
}

/** A client of a server that gives one result after another, and the last one from then on. */
function clientOf(results: readonly (ReceivedAnswer | Error)[], signal = NO_STOP) {
  let asked = 0;
  const exchange = (ask: Ask): Promise<ReceivedAnswer> => {
    const result = results[Math.min(asked, results.length - 1)];
    asked += 1;
    return result === undefined || result instanceof Error
      ? Promise.reject(result ?? new Error("no result"))
      : Promise.resolve({ ...result, ask });
  };
  const transport = { exchange, close: () => Promise.resolve() };
  return createVerifyClient(transport, { timeoutMs: 60_000, signal });
}

const NOW = { "retry-after": "0" };

function failure(code: string): Error {
  return Object.assign(new Error(`it failed with ${code}`), { code });
}

describe("a request that is throttled", () => {
  test.each([
    [1, 200, 2],
    [5, 200, 6],
    [6, 429, 6],
    [9, 429, 6],
  ])("%i times ends with HTTP %i after %i requests", async (times, status, requests) => {
    const client = clientOf([
      ...Array<ReceivedAnswer>(times).fill(answerOf(429, NOW)),
      answerOf(200),
    ]);
    expect(await client.get("/x")).toMatchObject({ kind: "answer", status });
    expect(client.tally).toMatchObject({ requests, redirects: [] });
    expect(client.tally.throttled).toHaveLength(Math.min(times, 6));
  });

  test("is not sent again after a stop", async () => {
    const stop = new AbortController();
    const client = clientOf([answerOf(429, { "retry-after": "10" })], stop.signal);
    const asked = client.get("/x");
    while (client.tally.throttled.length === 0) await Promise.resolve();
    stop.abort("aborted");
    expect(await asked).toMatchObject({ kind: "answer", status: 429 });
    expect(client.tally.requests).toBe(1);
  });
});

describe("a connection that the server closes", () => {
  test.each(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])(
    "with %s is tried once more",
    async (code) => {
      const lucky = clientOf([failure(code), answerOf(200)]);
      expect(await lucky.get("/x")).toMatchObject({ kind: "answer", status: 200 });
      expect(lucky.tally.requests).toBe(2);
      const unlucky = clientOf([failure(code)]);
      expect(await unlucky.get("/x")).toMatchObject({ kind: "trouble", code });
      expect(unlucky.tally.requests).toBe(2);
    },
  );

  test("is tried once more, and a 429 of that is waited for", async () => {
    const client = clientOf([failure("EPIPE"), answerOf(429, NOW), answerOf(200)]);
    expect(await client.get("/x")).toMatchObject({ kind: "answer", status: 200 });
    expect(client.tally).toMatchObject({ requests: 3, throttled: [{ status: 429 }] });
  });

  test("after a 429 is not tried again", async () => {
    const client = clientOf([answerOf(429, NOW), failure("EPIPE"), answerOf(200)]);
    expect(await client.get("/x")).toMatchObject({ kind: "trouble", code: "EPIPE" });
  });

  test("for another reason is not tried again", async () => {
    const client = clientOf([failure("ECONNREFUSED"), answerOf(200)]);
    expect(await client.get("/x")).toMatchObject({ kind: "trouble", code: "ECONNREFUSED" });
    expect(client.tally.requests).toBe(1);
  });
});

test.each([
  [301, 1],
  [302, 1],
  [303, 1],
  [307, 1],
  [308, 1],
  [300, 0],
  [304, 0],
  [404, 0],
])("HTTP %i redirects: %i", async (status, count) => {
  const client = clientOf([answerOf(status, { location: "/y" })]);
  await client.get("/x", ORIGIN);
  const told = [`GET /x with Origin: HTTP ${status} to /y`].slice(0, count);
  expect(client.tally.redirects).toEqual(told);
});

test("a redirect without a Location leads nowhere", async () => {
  const client = clientOf([answerOf(302)]);
  await client.get("/x");
  expect(client.tally.redirects).toEqual(["GET /x: HTTP 302 to nowhere"]);
});

test("eight requests are in progress at most, each target is asked, in order", async () => {
  let [open, most] = [0, 0];
  const exchange = async (ask: Ask): Promise<ReceivedAnswer> => {
    most = Math.max(most, (open += 1));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    open -= 1;
    return { ...answerOf(200), ask };
  };
  const transport = { exchange, close: () => Promise.resolve() };
  const client = createVerifyClient(transport, { timeoutMs: 60_000, signal: NO_STOP });
  const targets = Array.from({ length: 20 }, (_, at) => `/${at}`);
  const exchanges = await client.getAll(targets, ORIGIN);
  expect(exchanges.map(({ ask }) => ask)).toEqual(
    targets.map((target) => ({ method: "GET", target, headers: ORIGIN })),
  );
  expect([most, MAX_AT_ONCE]).toEqual([8, 8]);
});

test("after a stop nothing is sent, and its reason is told", async () => {
  const client = clientOf([answerOf(200)], AbortSignal.abort("whole-timeout"));
  expect(await client.get("/x")).toMatchObject({ kind: "trouble", code: "whole-timeout" });
});

test("a parser that cannot read an answer says that it is not HTTP", async () => {
  const error = Object.assign(failure("HPE_INVALID_CONSTANT"), { name: "HTTPParserError" });
  const exchange = await clientOf([error]).get("/x");
  expect(describeExchange(exchange)).toBe("GET /x: the response is not HTTP");
});

test.each([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection reset"],
  ["ENOTFOUND", "the host name has no address"],
  ["EAI_AGAIN", "the resolver did not answer"],
  ["EHOSTUNREACH", "no route to the host"],
  ["ENETUNREACH", "no route to the network"],
  ["ETIMEDOUT", "no answer to the connection attempt"],
  ["UND_ERR_CONNECT_TIMEOUT", "no answer to the connection attempt"],
  ["EPIPE", "the server closed the connection"],
  ["UND_ERR_SOCKET", "the server closed the connection"],
  ["request-timeout", "no complete answer in time"],
  ["whole-timeout", "the time for the whole check was over"],
  ["aborted", "stopped"],
  ["body-too-large", "the body is larger than 16 MiB"],
  ["no-http", "the response is not HTTP"],
  ["CERT_HAS_EXPIRED", "the certificate has expired: renew it at the front"],
  [
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "the certificate does not verify (DEPTH_ZERO_SELF_SIGNED_CERT; NODE_EXTRA_CA_CERTS can name more roots)",
  ],
  ["EOTHER", "EOTHER"],
])("the failure %s is told in words", (code, words) => {
  expect(describeFailure(code)).toBe(words);
});

test("a status that is not expected is told with those that are", () => {
  const trouble = { kind: "trouble", ask: GET, code: "EPIPE" } as const;
  expect(findStatusProblems([answerOf(200), answerOf(404), trouble], [200, 204])).toEqual([
    "GET /x: HTTP 404, expected 200 or 204",
    "GET /x: the server closed the connection, expected 200 or 204",
  ]);
  expect(findStatusProblems([answerOf(200)], [400, 404], "4xx")).toEqual([
    "GET /x: HTTP 200, expected 4xx",
  ]);
});
