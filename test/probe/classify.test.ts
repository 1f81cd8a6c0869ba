import { describe, expect, test } from "vitest";
import { toProbeTarget } from "../../src/checks/target.ts";
import { judgeAnswer, matchesDenial, nextHop, type Expectation } from "../../src/probe/classify.ts";
import type { HttpAnswer } from "../../src/probe/http.ts";

function answer(status: number, parts: Partial<HttpAnswer> = {}): HttpAnswer {
  const timings = { firstByteMs: 1, bodyMs: 1 };
  return { kind: "answer", status, headers: {}, body: Buffer.from("hello"), ...timings, ...parts };
}

const HERE = new URL("https://a.test/x");
const PLAIN: Expectation = {};

describe("the judgement", () => {
  test("of every status there can be: healthy below 500 but 451, and beyond the server errors", () => {
    for (let status = 200; status <= 999; status += 1) {
      const code =
        status === 451
          ? "http-legal-refusal"
          : status >= 500 && status < 600
            ? "http-server-error"
            : undefined;
      const expected = code === undefined ? { kind: "ok" } : { kind: "failed", code };
      expect(judgeAnswer(answer(status), PLAIN, true, undefined)).toEqual(expected);
    }
  });

  test("of a monitor's answer: healthy below 400, and server errors and legal refusals keep their names", () => {
    const monitor: Expectation = { healthyBelow: 400 };
    for (let status = 200; status <= 999; status += 1) {
      const plain = judgeAnswer(answer(status), PLAIN, true, undefined);
      const expected =
        status >= 400 && plain.kind === "ok"
          ? { kind: "failed", code: "http-unexpected-status" }
          : plain;
      expect(judgeAnswer(answer(status), monitor, true, undefined)).toEqual(expected);
    }
  });

  test("of a text that is looked for: only in a good answer, in UTF-8, in what was read", () => {
    const code = (body: string, status = 200, parts: Partial<HttpAnswer> = {}): unknown => {
      const judged = judgeAnswer(answer(status, parts), { body }, true, undefined);
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
    "of %d is that it answers, where redirects are followed and where they are the answer",
    (status) => {
      for (const rules of [PLAIN, { redirects: "answer" } as const])
        expect(judgeAnswer(answer(status), rules, true, undefined)).toEqual({ kind: "ok" });
    },
  );

  test("of a redirect that is the answer is health, of a 451 and a 5xx beside it is not", () => {
    const rules: Expectation = { redirects: "answer" };
    for (const status of [301, 302, 303, 307, 308])
      expect(judgeAnswer(answer(status), rules, true, undefined)).toEqual({ kind: "ok" });
    expect(judgeAnswer(answer(451), rules, true, undefined)).toMatchObject({
      code: "http-legal-refusal",
    });
    expect(judgeAnswer(answer(502), rules, true, undefined)).toMatchObject({
      code: "http-server-error",
    });
  });

  test("of a text that a healthy body never holds: in any answer", () => {
    const rules: Expectation = { notBody: ["domain is for sale", "технические работы"] };
    const code = (body: string, status = 200): unknown => {
      const judged = judgeAnswer(
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

  test("of a page of works is a failure, but where such a page is the answer, as for monitors", () => {
    const page = answer(200, { body: Buffer.from("<title>Технические работы</title>") });
    const code = (rules: Expectation): unknown => {
      const judged = judgeAnswer(page, rules, true, undefined);
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    expect(code(PLAIN)).toBe("body-works");
    expect(code({ body: "bankName" })).toBe("body-unexpected");
    expect(code({ works: "answer" })).toBe("ok");
    const monitor = { id: "shop", url: "https://shop.example/", lastState: "healthy" } as const;
    expect(code(toProbeTarget(monitor))).toBe("ok");
  });

  test("of an empty page is a failure where a text is looked for", () => {
    const empty = answer(200, { body: Buffer.alloc(0) });
    expect(judgeAnswer(empty, PLAIN, true, undefined)).toEqual({ kind: "ok" });
    expect(judgeAnswer(empty, { body: "<" }, true, undefined)).toMatchObject({
      code: "body-unexpected",
    });
  });

  test("of an answer without a page does not look for the text of that page", () => {
    const code = (
      status: number,
      rules: Expectation,
      headers: HttpAnswer["headers"] = {},
    ): unknown => {
      const judged = judgeAnswer(answer(status, { headers }), rules, true, undefined);
      return judged.kind === "failed" ? judged.code : judged.kind;
    };
    const body = "a text";
    expect(code(403, { body })).toBe("ok");
    expect(code(202, { body }, { "x-amzn-waf-action": "challenge" })).toBe("ok");
    expect(code(202, { body })).toBe("body-unexpected");
    expect(code(302, { body, redirects: "answer" })).toBe("ok");
    expect(code(302, { body })).toBe("body-unexpected");
    expect(code(403, { body, expect: [403] })).toBe("body-unexpected");
    expect(code(403, { body, healthyBelow: 400 })).toBe("http-unexpected-status");
  });

  test("of a good status with a broken body is the body's failure, of a bad one the status's", () => {
    const broken = { bodyFailure: "body-stall" } as const;
    const code = (status: number): unknown =>
      judgeAnswer(answer(status, broken), PLAIN, true, undefined);
    expect(code(200)).toEqual({ kind: "failed", code: "body-stall" });
    expect(code(503)).toEqual({ kind: "failed", code: "http-server-error" });
  });

  test("takes a denial only from an authentic answer, a block page only from another", () => {
    const rule: Expectation = { denied: { status: 403 } };
    expect(judgeAnswer(answer(403), rule, true, "page-1")).toEqual({ kind: "denied" });
    expect(judgeAnswer(answer(403), rule, false, "page-1")).toEqual({
      kind: "failed",
      code: "http-block-page",
      fingerprint: "page-1",
    });
    expect(judgeAnswer(answer(403), rule, false, undefined)).toEqual({ kind: "ok" });
    expect(judgeAnswer(answer(200), rule, true, "page-1")).toEqual({ kind: "ok" });
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

  test("is where Location leads, without its fragment", () => {
    expect(to("/y#z")).toEqual({ kind: "follow", url: new URL("https://a.test/y") });
    expect(to("//b.test/")).toEqual({ kind: "follow", url: new URL("https://b.test/") });
  });

  test("is where Location leads up to 2,048 characters, and malformed beyond", () => {
    const long = `/${"a".repeat(2_047)}`;
    expect(to(long)).toMatchObject({ kind: "follow" });
    expect(to(`${long}a`)).toEqual({ kind: "malformed" });
  });

  test.for<[string | string[]]>([
    [["http://first.test/", "http://second.test/"]],
    [["/y", "/y"]],
    [["", "/y"]],
    ["/\u00d0\u00bf"],
    ["/a\tb"],
    ["/a\u007f"],
  ])("is malformed for %j", ([location]) => {
    expect(to(location)).toEqual({ kind: "malformed" });
  });

  test.for(["/%D0%BF?x=%00", "//xn--p1ai.test/", "/a b", '/<>"{}|^`'])(
    "is where %s leads, as a browser would have it",
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

  test.for([200, 300, 304, 305, 306])("is none for a %d", (status) => {
    expect(to("/y", status)).toEqual({ kind: "final" });
  });

  test("is none without a Location, and for a status that is expected", () => {
    expect(to("")).toEqual({ kind: "final" });
    const expecting = { expect: [302] };
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, expecting, false, true)).toEqual({ kind: "final" });
    const twice = answer(302, { headers: { location: ["/y", "/z"] } });
    expect(nextHop(twice, HERE, expecting, false, true)).toEqual({ kind: "final" });
  });

  test("is none where redirects are the answer", () => {
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, { redirects: "answer" }, false, true)).toEqual({
      kind: "final",
    });
  });

  test("is elsewhere when the first redirect does not lead where it has to", () => {
    const see = (location: string | string[], part: string, isFirst = true): string =>
      nextHop(answer(302, { headers: { location } }), HERE, { location: part }, true, isFirst).kind;
    expect(see("https://id.a.test/?from=x", "id.a.test")).toBe("follow");
    expect(see("/login", "a.test/login")).toBe("follow");
    expect(see("https://parking.test/", "a.test")).toBe("elsewhere");
    expect(see(["/login", "/login"], "login")).toBe("elsewhere");
    expect(see("https://parking.test/", "a.test", false)).toBe("follow");
    const answering = { location: "a.test", redirects: "answer" } as const;
    const parked = answer(302, { headers: { location: "https://parking.test/" } });
    expect(nextHop(parked, HERE, answering, true, true)).toEqual({ kind: "elsewhere" });
    expect(nextHop(answer(200), HERE, answering, true, true)).toEqual({ kind: "final" });
  });

  test("is none for an authentic denial, but for one that anybody may have written", () => {
    const rule = { denied: { location: "/y" } };
    const redirect = answer(302, { headers: { location: "/y" } });
    expect(nextHop(redirect, HERE, rule, true, true)).toEqual({ kind: "final" });
    expect(nextHop(redirect, HERE, rule, false, true).kind).toBe("follow");
    const twice = answer(302, { headers: { location: ["/y", "/y"] } });
    expect(nextHop(twice, HERE, rule, true, true)).toEqual({ kind: "malformed" });
  });
});
