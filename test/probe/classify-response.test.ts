import { describe, expect, test } from "vitest";
import { toProbeTarget } from "../../src/monitors/checks/check-target.ts";
import {
  classifyAnswer,
  matchesDenial,
  nextHop,
  type Expectation,
} from "../../src/probe/answer/classify-response.ts";
import type { HttpResponse } from "../../src/probe/network/http.ts";

function answer(status: number, parts: Partial<HttpResponse> = {}): HttpResponse {
  const timings = { firstByteMs: 1, bodyMs: 1 };
  return {
    kind: "answer",
    status,
    headers: {},
    oddities: [],
    body: Buffer.from("hello"),
    ...timings,
    ...parts,
  };
}

const HERE = new URL("https://a.test/x");
const PLAIN: Expectation = {};

describe("classifyAnswer", () => {
  test("takes every status except 451 and 5xx for healthy", () => {
    for (let status = 200; status <= 999; status += 1) {
      const code =
        status === 451
          ? "http-legal-refusal"
          : status >= 500 && status < 600
            ? "http-server-error"
            : undefined;
      const expected = code === undefined ? { kind: "ok" } : { kind: "failed", code };
      expect(classifyAnswer(answer(status), PLAIN, true, undefined)).toEqual(expected);
    }
  });

  test("takes every status from 400 for a failure of a monitor", () => {
    const monitor: Expectation = { healthyBelow: 400 };
    for (let status = 200; status <= 999; status += 1) {
      const plain = classifyAnswer(answer(status), PLAIN, true, undefined);
      const expected =
        status >= 400 && plain.kind === "ok"
          ? { kind: "failed", code: "http-unexpected-status" }
          : plain;
      expect(classifyAnswer(answer(status), monitor, true, undefined)).toEqual(expected);
    }
  });

  test("searches for the text in UTF-8, only in a complete healthy response", () => {
    const code = (body: string, status = 200, parts: Partial<HttpResponse> = {}): unknown => {
      const judged = classifyAnswer(answer(status, parts), { body }, true, undefined);
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    const cyrillic = { body: Buffer.from("товар в наличии") };
    expect(code("ell")).toBe("ok");
    expect(code("Hell")).toBe("body-unexpected");
    expect(code("в наличии", 200, cyrillic)).toBe("ok");
    expect(code("в наличии", 200, { body: Buffer.from([0xe2, 0x20, 0xed]) })).toBe(
      "body-unexpected",
    );
    expect(code("no", 503)).toBe("http-server-error");
    expect(code("no", 200, { bodyFailure: "body-closed" })).toBe("body-closed");
  });

  test.for([202, 203, 204, 304, 400, 401, 403, 404, 405, 410, 418, 421, 429, 439, 498, 499, 999])(
    "takes %d for healthy, with and without `redirects: answer`",
    (status) => {
      for (const rules of [PLAIN, { redirects: "answer" } as const])
        expect(classifyAnswer(answer(status), rules, true, undefined)).toEqual({ kind: "ok" });
    },
  );

  test("takes an expected redirect for healthy, but not a 451 or 5xx", () => {
    const rules: Expectation = { redirects: "answer" };
    for (const status of [301, 302, 303, 307, 308])
      expect(classifyAnswer(answer(status), rules, true, undefined)).toEqual({ kind: "ok" });
    expect(classifyAnswer(answer(451), rules, true, undefined)).toMatchObject({
      code: "http-legal-refusal",
    });
    expect(classifyAnswer(answer(502), rules, true, undefined)).toMatchObject({
      code: "http-server-error",
    });
  });

  test("rejects a text of notBody in every response", () => {
    const rules: Expectation = { notBody: ["domain is for sale", "технические работы"] };
    const code = (body: string, status = 200): unknown => {
      const judged = classifyAnswer(
        answer(status, { body: Buffer.from(body) }),
        rules,
        true,
        undefined,
      );
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    expect(code("Ведутся технические работы.")).toBe("body-unexpected");
    expect(code("this domain is for sale", 404)).toBe("body-unexpected");
    expect(code("Технические работы окончены")).toBe("ok");
    expect(code("технические работы", 503)).toBe("http-server-error");
  });

  test("takes a maintenance page for a failure, except for monitors", () => {
    const page = answer(200, { body: Buffer.from("<title>Технические работы</title>") });
    const code = (rules: Expectation): unknown => {
      const judged = classifyAnswer(page, rules, true, undefined);
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    expect(code(PLAIN)).toBe("body-works");
    expect(code({ body: "bankName" })).toBe("body-unexpected");
    expect(code({ works: "answer" })).toBe("ok");
    const monitor = { id: "shop", url: "https://shop.example/", lastState: "healthy" } as const;
    expect(code(toProbeTarget(monitor))).toBe("ok");
  });

  test("takes an empty page for a failure only if a text is expected", () => {
    const empty = answer(200, { body: Buffer.alloc(0) });
    expect(classifyAnswer(empty, PLAIN, true, undefined)).toEqual({ kind: "ok" });
    expect(classifyAnswer(empty, { body: "<" }, true, undefined)).toMatchObject({
      code: "body-unexpected",
    });
  });

  test("does not search for the text in a response without a page", () => {
    const code = (
      status: number,
      rules: Expectation,
      headers: HttpResponse["headers"] = {},
    ): unknown => {
      const judged = classifyAnswer(answer(status, { headers }), rules, true, undefined);
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    const body = "a text";
    expect(code(403, { body })).toBe("ok");
    expect(code(202, { body })).toBe("body-unexpected");
    expect(code(302, { body, redirects: "answer" })).toBe("ok");
    expect(code(302, { body })).toBe("body-unexpected");
    expect(code(403, { body, expect: [403] })).toBe("body-unexpected");
    expect(code(403, { body, healthyBelow: 400 })).toBe("http-unexpected-status");
  });

  test("reports a bad status before a broken body", () => {
    const broken = { bodyFailure: "body-stall" } as const;
    const code = (status: number): unknown =>
      classifyAnswer(answer(status, broken), PLAIN, true, undefined);
    expect(code(200)).toEqual({ kind: "failed", code: "body-stall" });
    expect(code(503)).toEqual({ kind: "failed", code: "http-server-error" });
  });

  test("takes a denial only from an authentic response, a block page only from others", () => {
    const rule: Expectation = { denied: { status: 403 } };
    expect(classifyAnswer(answer(403), rule, true, "page-1")).toEqual({ kind: "denied" });
    expect(classifyAnswer(answer(403), rule, false, "page-1")).toEqual({
      kind: "failed",
      code: "http-block-page",
      fingerprint: "page-1",
    });
    expect(classifyAnswer(answer(403), rule, false, undefined)).toEqual({ kind: "ok" });
    expect(classifyAnswer(answer(200), rule, true, "page-1")).toEqual({ kind: "ok" });
  });
});

test("a denial needs all of its parts", () => {
  const full = answer(302, { headers: { location: "/no-region" }, body: Buffer.from("отказ") });
  expect(matchesDenial(full, { status: 302, location: "no-region", body: "отказ" })).toBe(true);
  expect(matchesDenial(full, { status: 403, location: "no-region", body: "отказ" })).toBe(false);
  expect(matchesDenial(full, { status: 302, location: "elsewhere" })).toBe(false);
  expect(matchesDenial(full, { status: 302, body: "other" })).toBe(false);
});

describe("the next hop", () => {
  const to = (location: string | string[], status = 302): unknown =>
    nextHop(answer(status, { headers: { location } }), HERE, PLAIN, true, true);

  test("is the URL in Location, without its fragment", () => {
    expect(to("/y#z")).toEqual({ kind: "follow", url: new URL("https://a.test/y") });
    expect(to("//b.test/")).toEqual({ kind: "follow", url: new URL("https://b.test/") });
  });

  test("is malformed if Location exceeds 16,384 characters", () => {
    const long = `/${"a".repeat(16_383)}`;
    expect(to(long)).toMatchObject({ kind: "follow" });
    expect(to(`${long}a`)).toEqual({ kind: "malformed" });
  });

  test.for<[string | string[]]>([[["http://first.test/", "http://second.test/"]], [["", "/y"]]])(
    "is malformed for %j",
    ([location]) => {
      expect(to(location)).toEqual({ kind: "malformed" });
    },
  );

  test.for([["/y", "/y"], "/\u00d0\u00bf", "/\ty"] as const)("is followed for %j", (location) => {
    expect(to(location as string)).toMatchObject({ kind: "follow" });
  });

  test.for(["/%D0%BF?x=%00", "//xn--p1ai.test/", "/a b", '/<>"{}|^`'])(
    "is %s as a browser resolves it",
    (location) => {
      expect(to(location)).toEqual({ kind: "follow", url: new URL(location, HERE) });
    },
  );

  test.for(["ftp://a/", "javascript:1", "data:,x", "https://", "http://a:99999/"])(
    "is refused for %s",
    (location) => {
      expect(to(location)).toEqual({ kind: "refused" });
    },
  );

  test.for([200, 300, 304, 305, 306])("does not exist for a %d", (status) => {
    expect(to("/y", status)).toEqual({ kind: "final" });
  });

  test("does not exist without a Location or for an expected status", () => {
    expect(to("")).toEqual({ kind: "final" });
    const expecting = { expect: [302] };
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, expecting, false, true)).toEqual({ kind: "final" });
    const twice = answer(302, { headers: { location: ["/y", "/z"] } });
    expect(nextHop(twice, HERE, expecting, false, true)).toEqual({ kind: "final" });
  });

  test("does not exist if redirects are the answer", () => {
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, { redirects: "answer" }, false, true)).toEqual({
      kind: "final",
    });
  });

  test("is elsewhere if the first redirect does not match `location`", () => {
    const see = (location: string | string[], part: string, isFirst = true): string =>
      nextHop(answer(302, { headers: { location } }), HERE, { location: part }, true, isFirst).kind;
    expect(see("https://id.a.test/?from=x", "id.a.test")).toBe("follow");
    expect(see("/login", "a.test/login")).toBe("follow");
    expect(see("https://parking.test/", "a.test")).toBe("elsewhere");
    expect(see(["/login", "/login"], "login")).toBe("follow");
    expect(see(["/login", "/other"], "login")).toBe("elsewhere");
    expect(see("https://parking.test/", "a.test", false)).toBe("follow");
    const answering = { location: "a.test", redirects: "answer" } as const;
    const parked = answer(302, { headers: { location: "https://parking.test/" } });
    expect(nextHop(parked, HERE, answering, true, true)).toEqual({ kind: "elsewhere" });
    expect(nextHop(answer(200), HERE, answering, true, true)).toEqual({ kind: "final" });
  });

  test("is elsewhere at any hop that leaves the sites of the owner", () => {
    const rule = { sites: ["a.test", "id.test"] };
    const kindOf = (location: string, isFirst = true, more = {}): string =>
      nextHop(answer(302, { headers: { location } }), HERE, { ...rule, ...more }, true, isFirst)
        .kind;
    expect(kindOf("https://m.a.test/")).toBe("follow");
    expect(kindOf("/login")).toBe("follow");
    expect(kindOf("https://sso.id.test/")).toBe("follow");
    expect(kindOf("https://parking.test/")).toBe("elsewhere");
    expect(kindOf("https://parking.test/", false)).toBe("elsewhere");
    expect(kindOf("https://parking.test/", true, { redirects: "answer" })).toBe("elsewhere");
    expect(kindOf("https://a.test.evil.test/")).toBe("elsewhere");
  });

  test("does not exist for an authentic denial", () => {
    const rule = { denied: { location: "/y" } };
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, rule, true, true)).toEqual({ kind: "final" });
    expect(nextHop(redirect, HERE, rule, false, true).kind).toBe("follow");
    const twice = answer(302, { headers: { location: ["/y", "/z"] } });
    expect(nextHop(twice, HERE, rule, true, true)).toEqual({ kind: "malformed" });
  });
});

test("a parked page fails an endpoint with sites, if it is short", () => {
  const page = (body: string) => answer(200, { headers: {}, body: Buffer.from(body) });
  const codeOf = (body: string, rule = {}) => {
    const found = classifyAnswer(page(body), rule, true, undefined);
    return found.kind === "failed" ? found.code : found.kind;
  };
  const parked = "<title>Домен продаётся</title>";
  expect(codeOf(parked, { sites: ["a.test"] })).toBe("body-unexpected");
  expect(codeOf(parked)).toBe("ok");
  expect(codeOf(parked + "x".repeat(40_000), { sites: ["a.test"] })).toBe("ok");
});
