import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  answerOf,
  judgeRecorded,
  recordProbe,
  type RecordedHop,
} from "../../src/trial/record-answers.ts";
import { type Harness, NEVER, openHarness } from "../probe/harness.ts";
import { DEPS, hopOf, shopEndpoint, URL_OF_SHOP } from "./recorded.ts";

const judge = (hops: readonly RecordedHop[], changes = {}) =>
  judgeRecorded(shopEndpoint(changes), hops, DEPS);

const failedHop = (code: "tls-reset" | "cert-expired" | null, more = {}): RecordedHop => ({
  url: URL_OF_SHOP,
  tlsVerified: null,
  answer: { kind: "failed", code, ...more },
});

describe("recorded answers", () => {
  test("are judged as live ones, with what was noted of the connection", async () => {
    const hop = { ...hopOf("Лавка"), address: "192.0.2.1", certExpiresAtMs: 7 };
    expect(await judge([hop])).toMatchObject({
      kind: "ok",
      trace: {
        url: URL_OF_SHOP,
        address: "192.0.2.1",
        certExpiresAtMs: 7,
        tlsVerified: true,
        httpStatus: 200,
        bodyBytes: 10,
      },
    });
  });

  test("that are missing, or of another URL, tell nothing", async () => {
    expect(await judge([])).toBeUndefined();
    expect(await judge([{ ...hopOf("x"), url: `${URL_OF_SHOP}other` }])).toBeUndefined();
    const redirect = hopOf("", 302, { location: "/next" });
    expect(await judge([redirect])).toBeUndefined();
    const next = { ...hopOf("Лавка"), url: `${URL_OF_SHOP}next` };
    expect(await judge([redirect, next])).toMatchObject({ kind: "ok", trace: { redirects: 1 } });
  });

  test("may be failures, with their fingerprint", async () => {
    expect(await judge([failedHop("tls-reset")])).toMatchObject({
      kind: "failed",
      code: "tls-reset",
    });
    expect(await judge([failedHop("tls-reset")])).not.toHaveProperty("fingerprint");
    expect(await judge([failedHop("tls-reset", { fingerprint: "f" })])).toHaveProperty(
      "fingerprint",
      "f",
    );
    expect(await judge([failedHop(null)])).toBeUndefined();
    const strange = failedHop("no-such-code" as never);
    expect(await judge([strange])).toBeUndefined();
  });

  test("that were not asked for were skipped", async () => {
    const skipped: RecordedHop = { ...failedHop(null), answer: { kind: "skipped", code: null } };
    expect(await judge([skipped])).toEqual({ kind: "skipped", reason: "runner-exhausted" });
    expect([answerOf(skipped), answerOf(failedHop("tls-reset"))]).toEqual([undefined, undefined]);
  });

  test("of the national authority are not judged by an entry that now trusts it", async () => {
    const hop: RecordedHop = { ...failedHop("cert-expired"), isNationalIssuer: true };
    expect(await judge([hop])).toMatchObject({ kind: "failed", code: "cert-expired" });
    expect(await judge([hop], { trust: "national" })).toBeUndefined();
    const own = failedHop("cert-expired");
    expect(await judge([own], { trust: "national" })).toMatchObject({ kind: "failed" });
  });
});

describe("what is recorded of a live connection", () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await openHarness();
  });
  afterAll(() => harness.close());

  const record = async (behaviour: Parameters<Harness["internet"]["set"]>[1]) => {
    harness.internet.set("shop.example", behaviour);
    return recordProbe(shopEndpoint(), harness.deps, NEVER);
  };

  test("is a page with its connection, which is judged as it was", async () => {
    const { outcome, hops } = await record({ kind: "page" });
    expect(hops).toEqual([
      {
        url: URL_OF_SHOP,
        tlsVerified: true,
        address: "127.0.0.1",
        certExpiresAtMs: expect.any(Number),
        answer: {
          kind: "answer",
          status: 200,
          headers: expect.any(Object),
          oddities: [],
          body: expect.any(String),
        },
      },
    ]);
    const again = await judgeRecorded(shopEndpoint(), hops, harness.deps);
    if (outcome.kind !== "ok" || again?.kind !== "ok") throw new Error("not healthy");
    const { httpStatus, bodyBytes, certExpiresAtMs } = outcome.trace;
    expect(again.trace).toMatchObject({ httpStatus, bodyBytes, certExpiresAtMs });
    expect(bodyBytes).toBeGreaterThan(0);
  });

  test("is a failure with its code", async () => {
    const { outcome, hops } = await record({ kind: "tls-reset" });
    expect(outcome).toMatchObject({ kind: "failed", code: "tls-reset" });
    expect(hops).toMatchObject([
      { url: URL_OF_SHOP, answer: { kind: "failed", code: "tls-reset" } },
    ]);
    expect(hops[0]?.answer).not.toHaveProperty("fingerprint");
  });

  test("is a page with the failure of its body", async () => {
    const { outcome, hops } = await record({ kind: "body-close", afterBytes: 20_000 });
    expect(outcome).toMatchObject({ kind: "failed", code: "body-closed" });
    expect(hops).toMatchObject([{ answer: { kind: "answer", bodyFailure: "body-closed" } }]);
  });
});
