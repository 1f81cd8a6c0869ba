import { BlockList } from "node:net";
import { describe, expect, test } from "vitest";
import {
  type Actions,
  answerApiOptions,
  type ApiResponse,
  createJsonApi,
  describeProblem,
  INTERNAL_ERROR,
  toApiResponse,
  withAllowed,
} from "../../src/http-server/json-api.ts";

/** What a client sees. */
async function seen(response: ApiResponse<string>, origin?: string) {
  const answer = toApiResponse(response, origin);
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    text: await answer.text(),
  };
}

const COMMON = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
};

describe("a problem", () => {
  test("has its code, its title and what is known of it", async () => {
    const errors = [{ pointer: "/name", message: "too long" }];
    const problem = describeProblem("invalid", [422, "Invalid"], { type: "/api#x", errors });
    const { status, headers, text } = await seen(problem);
    expect({ status, headers }).toEqual({
      status: 422,
      headers: {
        ...COMMON,
        "content-type": "application/problem+json",
        "content-length": String(text.length),
      },
    });
    expect(JSON.parse(text)).toEqual({
      type: "/api#x",
      title: "Invalid",
      status: 422,
      code: "invalid",
      errors,
    });
    expect(problem.problem).toBe("invalid");
  });

  test.each([
    [1, "1"],
    [1_000, "1"],
    [1_001, "2"],
    [0, "1"],
  ])("that ends in %i ms says so in whole seconds", (retryAfterMs, seconds) => {
    const { headers } = describeProblem("busy", [429, "Busy"], { retryAfterMs });
    expect(headers).toMatchObject({ "Retry-After": seconds });
  });

  test("of a body that is not read to its end closes the connection", () => {
    const headersOf = (code: string) => describeProblem(code, [413, "x"], {}).headers;
    expect(headersOf("too-large")).toMatchObject({ Connection: "close" });
    expect(headersOf("too-slow")).toMatchObject({ Connection: "close" });
    expect(headersOf("malformed")).toEqual({ "Content-Type": "application/problem+json" });
  });

  test("of a method names the ones that are there", () => {
    const { headers, status } = withAllowed(describeProblem("x", [405, "x"], {}), "GET, PUT");
    expect(status).toBe(405);
    expect(headers).toEqual({ "Content-Type": "application/problem+json", Allow: "GET, PUT" });
  });

  test("of ours says nothing more", async () => {
    expect(await seen(INTERNAL_ERROR)).toMatchObject({
      status: 500,
      text: '{"title":"internal error","status":500}',
    });
  });
});

describe("another page", () => {
  const options = answerApiOptions("GET, PUT");

  test("that is allowed may read, and learns what it may send", async () => {
    expect(await seen(options, "https://a.example")).toEqual({
      status: 204,
      text: "",
      headers: {
        ...COMMON,
        allow: "GET, PUT",
        "access-control-allow-headers": "Authorization, Content-Type, If-Match",
        "access-control-allow-methods": "GET, PUT",
        "access-control-allow-origin": "https://a.example",
        "access-control-expose-headers": "ETag, Location, Retry-After",
        "access-control-max-age": "600",
      },
    });
  });

  test("that is not allowed gets no origin and no methods", async () => {
    const { headers } = await seen(options);
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers).not.toHaveProperty("access-control-allow-methods");
    expect(headers).not.toHaveProperty("access-control-allow-headers");
    expect(headers).toMatchObject({ allow: "GET, PUT" });
  });
});

describe("an API", () => {
  const refused: string[] = [];

  /** What `PUT` at `/thing` and `DELETE` there do. */
  const actions: Actions<string> = {
    PUT: ({ bearerKey, sender, withText }) =>
      withText(async (text) => ({ status: 200, body: { text, bearerKey, sender } })),
    DELETE: () => Promise.reject(new Error("a defect")),
  };

  /** What it answers to `/thing`. @param given what differs from one that is in order. */
  async function ask(method: string, given: { path?: string; headers?: object; off?: true } = {}) {
    const { path = "/thing", headers, off } = given;
    const api = createJsonApi<string>({
      proxies: new BlockList(),
      toNetworkKey: ({ parts }) => ({ network: parts.join("."), block: "b" }),
      limitRate: (network) => (network === "127.0.0.9" ? 1_500 : undefined),
      allowedOrigins: ["https://a.example"],
      actionsAt: (url) => (url.endsWith("/thing") ? actions : undefined),
      pause: async () => (off ? { status: 404, problem: "off" } : undefined),
      answerProblem: (code, details = {}) => describeProblem(code, [400, code], details),
      nowMs: () => 0,
      onRefused: (problem) => refused.push(problem),
    });
    const { from = "127.0.0.1", ...others } = { ...headers } as Record<string, string>;
    const request = new Request(`http://localhost${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...others },
      ...(method === "PUT" ? { body: "{}" } : {}),
    });
    const answer = await api.fetch(request, { remoteAddress: from });
    const text = await answer.text();
    return {
      status: answer.status,
      allow: answer.headers.get("Allow"),
      body: JSON.parse(text || "null"),
    };
  }

  test.each([
    ["at another path", "PUT", { path: "/other" }, "unknown"],
    ["of a method that is not there", "POST", {}, "wrong-method"],
    ["of a method that every object has", "constructor", {}, "wrong-method"],
    [
      "of a page of another site",
      "PUT",
      { headers: { Origin: "https://b.example" } },
      "foreign-origin",
    ],
    ["while it pauses", "PUT", { off: true as const }, "off"],
    ["of a network that asks too often", "PUT", { headers: { from: "127.0.0.9" } }, "flood"],
    ["without an address", "PUT", { headers: { from: "x" } }, "no-address"],
    [
      "with a body that is no JSON",
      "PUT",
      { headers: { "Content-Type": "text/plain" } },
      "unknown-media-type",
    ],
  ])("refuses a request %s", async (_, method, given, problem) => {
    refused.length = 0;
    const { status, allow } = await ask(method, given);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(refused).toEqual([problem]);
    expect(allow).toBe(problem === "wrong-method" ? "PUT, DELETE, OPTIONS" : null);
  });

  test("says to OPTIONS what it has, also while it pauses", async () => {
    const answer = await ask("OPTIONS", { off: true });
    expect(answer).toMatchObject({ status: 204, allow: "PUT, DELETE, OPTIONS" });
  });

  test("answers 500 to a defect", async () => {
    expect((await ask("DELETE")).status).toBe(500);
  });

  const key = "k".repeat(43);
  test.each([
    [`Bearer ${key}`, key],
    [`bearer   ${key}`, key],
    [`Basic ${key}`, undefined],
    [`Bearer${key}`, undefined],
    [`Bearer ${key}k`, undefined],
    [`x Bearer ${key}`, undefined],
    ["", undefined],
  ])("reads in the header %j the key %j", async (Authorization, bearerKey) => {
    const { body } = await ask("PUT", { headers: { Authorization } });
    const sender = { network: "127.0.0.1", block: "b" };
    expect(body).toEqual({ text: "{}", sender, ...(bearerKey && { bearerKey }) });
  });
});
