import { describe, expect, test } from "vitest";
import {
  answerApiOptions,
  type ApiResponse,
  describeProblem,
  INTERNAL_ERROR,
  toApiResponse,
  withAllowed,
} from "../../src/http-server/problem-response.ts";

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
        "content-length": "0",
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
    expect(headers).toMatchObject({ allow: "GET, PUT" });
  });
});
