import { expect, test } from "vitest";
import type { HttpResponse } from "../../src/probe/network/http.ts";
import { findWall, isParked, vendorOf } from "../../src/probe/answer/walls.ts";

const URL_OF = (host: string): URL => new URL(`https://${host}/`);

function answer(
  status: number,
  headers: HttpResponse["headers"] = {},
  body = "<title>x</title>",
): HttpResponse {
  const timings = { firstByteMs: 1, bodyMs: 1 };
  return { kind: "answer", status, headers, oddities: [], body: Buffer.from(body), ...timings };
}

test.each<[string, string, HttpResponse]>([
  ["cloudflare", "a.ru", answer(503, { "cf-mitigated": "challenge" })],
  ["aws-waf", "a.ru", answer(202, { "x-amzn-waf-action": "challenge" })],
  ["aws-waf", "a.ru", answer(405, { "x-amzn-waf-action": "captcha" })],
  ["ddos-guard", "a.ru", answer(403, {}, "<script src='/.well-known/ddos-guard/js-challenge/x'>")],
  ["qrator", "login.mts.ru", answer(401, { "set-cookie": ["a=1", "qrator_jsr=1.2-3; path=/"] })],
  ["qrator", "samokat.ru", answer(403, {}, "<script src='/__qrator/qauth_utm_v2.js'>")],
  ["servicepipe", "a.ru", answer(200, {}, "<div id='id_captcha_frame_div'></div>")],
  ["yandex", "market.yandex.ru", answer(302, { location: "/showcaptcha?retpath=x" })],
  ["yandex", "ya.ru", answer(302, { location: "https://ya.ru/showcaptchafast?d=1" })],
  ["yandex", "ya.ru", answer(200, { "x-yandex-captcha": "captcha" })],
  ["ozon", "www.ozon.ru", answer(403, {}, "<title>Antibot Challenge Page</title>")],
  ["avito", "www.avito.ru", answer(439)],
  ["avito", "www.avito.ru", answer(200, {}, "<h1>Иногда такое случается</h1>")],
  ["wildberries", "www.wildberries.ru", answer(498)],
  ["vk", "m.vk.ru", answer(302, { location: "/challenge.html?hash429=abc" })],
  ["vk", "vkvideo.ru", answer(302, { location: "/x", "x-waf-redirect": "1" })],
  ["mail-ru", "e.mail.ru", answer(429, {}, "<script>WAF_CHECK_RESPONSE_STATUS = 429</script>")],
])("the wall of %s at %s is known by its marks", (id, host, seen) => {
  expect(findWall(seen, URL_OF(host))).toBe(id);
});

test.each<[string, string, HttpResponse]>([
  ["a page", "a.ru", answer(200)],
  ["a refusal", "a.ru", answer(403)],
  ["a server error behind Cloudflare", "a.ru", answer(503, { server: "cloudflare" })],
  ["a status of one shop at another", "a.ru", answer(498)],
  ["the words of one shop at another", "a.ru", answer(200, {}, "<h1>Иногда такое случается</h1>")],
  ["a host that ends alike", "notavito.ru", answer(439)],
  ["a cookie of Qrator on a page", "a.ru", answer(200, { "set-cookie": "qrator_jsr=1; path=/" })],
  [
    "a redirect that has the path in its query",
    "a.ru",
    answer(302, { location: "/x?/showcaptcha" }),
  ],
  ["a link to a challenge without a redirect", "a.ru", answer(200, { location: "/showcaptcha" })],
  ["a long page that names a mark", "a.ru", answer(200, {}, `fab_chlg_${"x".repeat(40_000)}`)],
])("%s is no wall", (_, host, seen) => {
  expect(findWall(seen, URL_OF(host))).toBeUndefined();
});

test.each([
  [299, undefined],
  [300, "yandex"],
  [399, "yandex"],
  [400, undefined],
])("a redirect to a challenge with %d is a wall: %s", (status, id) => {
  expect(findWall(answer(status, { location: "/showcaptcha" }), URL_OF("ya.ru"))).toBe(id);
});

test("a redirect to no URL is no wall", () => {
  expect(findWall(answer(302, { location: "http://[" }), URL_OF("ya.ru"))).toBeUndefined();
});

test("a page of a wall has at most 32 KiB", () => {
  const page = (bytes: number) => {
    const text = "<div id='id_captcha_frame_div'></div>";
    return findWall(answer(200, {}, text + "x".repeat(bytes - text.length)), URL_OF("a.ru"));
  };
  expect([page(32_768), page(32_769)]).toEqual(["servicepipe", undefined]);
});

test("a parked page has at most 32 KiB", () => {
  const page = (bytes: number) => {
    const text = "parking.reg.ru";
    return isParked(answer(200, {}, text + "x".repeat(bytes - text.length)));
  };
  expect([page(32_768), page(32_769)]).toEqual([true, false]);
});

test("a vendor has a name, and one of a newer version its id", () => {
  expect([vendorOf("qrator"), vendorOf("new-one")]).toEqual(["Qrator", "new-one"]);
});
