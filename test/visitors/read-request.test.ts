import { describe, expect, test } from "vitest";
import {
  readServices,
  readSubscription,
  type VisitorRules,
} from "../../src/visitors/read-request.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";

const RULES: VisitorRules = {
  refusalOfUrl: ({ hostname }) => (hostname === "refused.example" ? "is refused." : undefined),
  isPlainAllowed: false,
  hasService: (slug) => slug !== "gone",
};
const KEYS = createSubscriber().keys;

const bodyOf = (subscription: object, more: object = {}): string =>
  JSON.stringify({
    subscription: { endpoint: "https://a.example/1", keys: KEYS, ...subscription },
    services: ["vk"],
    ...more,
  });
const faultsIn = (text: string, rules = RULES) => {
  const read = readSubscription(text, rules);
  return read.kind === "invalid" ? read.errors : read.kind;
};
const endpointOf = (length: number) => "https://a.example/".padEnd(length, "x");
const slugs = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);

describe("a subscription", () => {
  test("is read with its services once, ascending, and without those that are gone", () => {
    expect(readSubscription(bodyOf({}, { services: ["vk", "gone", "a", "vk"] }), RULES)).toEqual({
      kind: "ok",
      wanted: {
        receiver: { endpoint: "https://a.example/1", ...KEYS },
        services: ["a", "vk"],
        language: "ru",
      },
    });
    const padded = { p256dh: `${KEYS.p256dh}=`, auth: `${KEYS.auth}==` };
    const read = readSubscription(bodyOf({ keys: padded }, { language: "en" }), RULES);
    expect(read).toMatchObject({ wanted: { language: "en", receiver: KEYS } });
  });

  test.each([
    ["an endpoint of 1,000 characters", { endpoint: endpointOf(1_000) }, {}],
    ["a time at which it ends", { expirationTime: 5 }, {}],
    ["no time at which it ends", { expirationTime: null }, {}],
    ["500 services", {}, { services: slugs(500) }],
    ["a service of 200 characters", {}, { services: ["s".repeat(200)] }],
  ])("may have %s", (_, subscription, more) => {
    expect(faultsIn(bodyOf(subscription, more))).toBe("ok");
  });

  const at = "/subscription/endpoint";
  test.each([
    ["an endpoint of 1,001 characters", { endpoint: endpointOf(1_001) }, {}, at],
    ["a space in its endpoint", { endpoint: "https://a.example/ 1" }, {}, at],
    ["a line break in its endpoint", { endpoint: "https://a.example/\n1" }, {}, at],
    ["an endpoint that is no URL", { endpoint: "a.example" }, {}, at],
    ["an endpoint with http", { endpoint: "http://a.example/1" }, {}, at],
    ["an endpoint with ftp", { endpoint: "ftp://a.example/1" }, {}, at],
    ["a user in its endpoint", { endpoint: "https://u@a.example/1" }, {}, at],
    ["a password in its endpoint", { endpoint: "https://:p@a.example/1" }, {}, at],
    ["an endpoint that the guard refuses", { endpoint: "https://refused.example/1" }, {}, at],
    ["a key that is none", { keys: { ...KEYS, auth: "x" } }, {}, "/subscription/keys/auth"],
    ["a point that is none", { keys: { ...KEYS, p256dh: "x" } }, {}, "/subscription/keys/p256dh"],
    ["501 services", {}, { services: slugs(501) }, "/services"],
    ["a service of 201 characters", {}, { services: ["s".repeat(201)] }, "/services/0"],
    ["no service", {}, { services: [] }, "/services"],
    ["only a service that is gone", {}, { services: ["gone"] }, "/services"],
    ["an unknown language", {}, { language: "de" }, "/language"],
    ["an unknown key", {}, { more: 1 }, ""],
  ])("may not have %s", (_, subscription, more, pointer) => {
    expect(faultsIn(bodyOf(subscription, more))).toMatchObject([{ pointer }]);
  });

  test.each([
    [endpointOf(1_001), "is over 1000 characters long."],
    ["https://a.example/ 1", "has a space or a control character."],
    ["a.example", "not a URL."],
    ["https://u:p@a.example/1", "a URL may not carry credentials."],
    ["https://refused.example/1", "is refused."],
  ])("with the endpoint %s is told why not", (endpoint, message) => {
    expect(faultsIn(bodyOf({ endpoint }))).toEqual([{ pointer: at, message }]);
  });

  test("without a known service is told what to do", () => {
    expect(faultsIn(bodyOf({}, { services: ["gone"] }))).toEqual([
      { pointer: "/services", message: "name at least one service of the catalogue." },
    ]);
  });

  test("has its endpoint as a parser of URLs writes it", () => {
    const read = readSubscription(bodyOf({ endpoint: "HTTPS://A.example:443/x/../1" }), RULES);
    expect(read).toMatchObject({ wanted: { receiver: { endpoint: "https://a.example/1" } } });
  });

  test("may have http where that is allowed, and no other scheme", () => {
    const rules = { ...RULES, isPlainAllowed: true };
    expect(faultsIn(bodyOf({ endpoint: "http://a.example/1" }), rules)).toBe("ok");
    expect(faultsIn(bodyOf({ endpoint: "https://a.example/1" }), rules)).toBe("ok");
    expect(faultsIn(bodyOf({ endpoint: "ftp://a.example/1" }), rules)).toHaveLength(1);
  });
});

test.each(["", "5", "null", "[]", '"a"', "{"])("%j is no request", (text) => {
  expect(readSubscription(text, RULES)).toEqual({ kind: "malformed" });
  expect(readServices(text, RULES)).toEqual({ kind: "malformed" });
});

test("a change names services alone", () => {
  const services = ["b", "a"];
  const wanted = { services: ["a", "b"] };
  expect(readServices(JSON.stringify({ services }), RULES)).toEqual({ kind: "ok", wanted });
  expect(readServices('{"services":["a"],"id":1}', RULES).kind).toBe("invalid");
});
