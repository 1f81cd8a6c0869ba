import { expect, test } from "vitest";
import { createIntake } from "../../../src/reports/intake/intake-routes.ts";
import { createNetworkKeys } from "../../../src/http-server/network-key.ts";
import { readProxies } from "../../../src/http-server/client-address.ts";
import type { Report } from "../../../src/model/service/reports.ts";
import { SECRET, startHarness } from "./harness.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const MULTIPART = [
  "--x",
  'Content-Disposition: form-data; name="symptom"',
  "",
  "slow",
  "--x--",
  "",
].join("\r\n");

test("a report is in the inbox before the 202 with the new counts", async () => {
  const harness = await startHarness();
  const answer = await harness.post("/report/sberbank", '{"symptom":"login"}', JSON_TYPE);
  expect(answer.status).toBe(202);
  expect(answer.body).toBe('{"slug":"sberbank","reportsHour":1,"reportsDay":101}');
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    vary: "Origin",
  });
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  expect(harness.inbox.reports()).toMatchObject([{ slug: "sberbank", symptom: "login" }]);
  const [id = ""] = harness.inbox.objects.keys();
  expect(id).toMatch(/^\d{13}-[\da-f-]{36}$/);
  expect(Math.abs(Number(id.slice(0, 13)) - Date.now())).toBeLessThan(60_000);
});

test.each<[string, string | undefined, Record<string, string>, string | undefined]>([
  ["no body", undefined, {}, undefined],
  [
    "an empty body of type text",
    undefined,
    { "Content-Type": "text/plain", "Content-Length": "0" },
    undefined,
  ],
  ["JSON without a symptom", "{}", JSON_TYPE, undefined],
  ["JSON with a null symptom", '{"symptom":null}', JSON_TYPE, undefined],
  ["JSON with an unknown field", '{"symptom":"slow","how":"very"}', JSON_TYPE, "slow"],
  [
    "JSON with a charset",
    '{"symptom":"slow"}',
    { "Content-Type": "Application/JSON; charset=utf-8" },
    "slow",
  ],
  ["a form", "symptom=does-not-open&x=1", FORM_TYPE, "does-not-open"],
  ["a form with an empty choice", "symptom=", FORM_TYPE, undefined],
  ["a multipart form", MULTIPART, { "Content-Type": "multipart/form-data; boundary=x" }, "slow"],
])("takes %s", async (_name, body, headers, symptom) => {
  const harness = await startHarness();
  expect(await harness.post("/report/yandex-go", body, headers)).toMatchObject({ status: 202 });
  const [report] = harness.inbox.reports();
  expect(report?.symptom).toBe(symptom);
});

test("a plain form is redirected to the page, and one sent by a script is not", async () => {
  const harness = await startHarness();
  const html = { ...FORM_TYPE, Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const plain = await harness.post("/report/sberbank", "symptom=app", html);
  expect(plain).toMatchObject({ status: 303, body: "" });
  expect(plain.headers["location"]).toBe("/status/sberbank#reported");
  expect(
    await harness.post("/report/sberbank", undefined, { ...html, "Content-Length": "0" }),
  ).toMatchObject({ status: 303, headers: { location: "/status/sberbank#reported" } });
  expect(
    await harness.post("/report/sberbank", "symptom=app", { ...FORM_TYPE, Accept: "*/*" }),
  ).toMatchObject({ status: 202 });
  expect(
    await harness.post("/report/sberbank", "{}", { ...JSON_TYPE, Accept: "text/html" }),
  ).toMatchObject({ status: 202 });
});

test.each([
  ["English", "symptom=slow&language=en", "/en/status/sberbank"],
  ["Russian", "symptom=slow&language=ru", "/status/sberbank"],
  ["without a language", "symptom=slow", "/status/sberbank"],
  ["of an unknown language", "symptom=slow&language=%2F%2Fevil.example", "/status/sberbank"],
  ["of an empty language", "symptom=slow&language=", "/status/sberbank"],
  ["of a language in capitals", "symptom=slow&language=EN", "/status/sberbank"],
  ["of two languages", "symptom=slow&language=en&language=ru", "/en/status/sberbank"],
])("a form that is %s is accepted, and led to the page of its language", async (...one) => {
  const [, body, path] = one;
  const harness = await startHarness();
  const html = { ...FORM_TYPE, Accept: "text/html" };
  const { status, headers } = await harness.post("/report/sberbank", body, html);
  expect([status, headers["location"]]).toEqual([303, `${path}#reported`]);
  const [report] = harness.inbox.reports();
  expect(report?.symptom).toBe("slow");
  expect(report).not.toHaveProperty("language");
});

test("a multipart form is redirected to the page of its language", async () => {
  const harness = await startHarness({ root: "/status-site" });
  const inEnglish = MULTIPART.replace(
    "--x--",
    '--x\r\nContent-Disposition: form-data; name="language"\r\n\r\nen\r\n--x--',
  );
  const led = async (body: string) => {
    const type = { "Content-Type": "multipart/form-data; boundary=x", Accept: "text/html" };
    return (await harness.post("/report/sberbank", body, type)).headers["location"];
  };
  expect(await led(inEnglish)).toBe("/status-site/en/status/sberbank#reported");
  expect(await led(MULTIPART)).toBe("/status-site/status/sberbank#reported");
});

test("own pages and allowed sites may report; only the latter get CORS headers", async () => {
  const harness = await startHarness();
  const own = new URL(harness.url);
  const statusOf = async (headers: Record<string, string>) =>
    (await harness.post("/report/sberbank", undefined, headers)).status;
  expect(await statusOf({ Origin: own.origin })).toBe(202);
  expect(await statusOf({ Origin: `https://${own.host}` })).toBe(202);
  expect(await statusOf({ Origin: "null", "Sec-Fetch-Site": "same-origin" })).toBe(202);
  expect(await statusOf({ "Sec-Fetch-Site": "none" })).toBe(202);
  expect(await statusOf({ Origin: "https://evil.example" })).toBe(403);
  expect(await statusOf({ Origin: "https://partner.example.evil.example" })).toBe(403);
  expect(await statusOf({ Origin: "null" })).toBe(403);
  expect(await statusOf({ Origin: "" })).toBe(403);
  expect(await statusOf({ "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await statusOf({ "Sec-Fetch-Site": "same-site" })).toBe(403);
  const partner = { Origin: "https://partner.example", "Sec-Fetch-Site": "cross-site" };
  const allowed = await harness.post("/report/sberbank", undefined, partner);
  expect(allowed.status).toBe(202);
  expect(allowed.headers["access-control-allow-origin"]).toBe("https://partner.example");
  const unknown = await harness.post("/report/nobody", undefined, partner);
  expect(unknown.headers["access-control-allow-origin"]).toBe("https://partner.example");
  const evil = await harness.post("/report/sberbank", undefined, {
    Origin: "https://evil.example",
  });
  expect(evil.headers).not.toHaveProperty("access-control-allow-origin");
  expect(harness.inbox.reports()).toHaveLength(5);
});

test("with a configured own origin, the Host header does not make a page our own", async () => {
  const harness = await startHarness({ ownOrigin: "https://status.example" });
  const rebound = { Host: "evil.example", Origin: "http://evil.example" };
  expect(await harness.post("/report/sberbank", undefined, rebound)).toMatchObject({ status: 403 });
  const own = { Origin: "https://status.example" };
  expect(await harness.post("/report/sberbank", undefined, own)).toMatchObject({ status: 202 });
});

test("a preflight request gets a response that depends on the origin", async () => {
  const harness = await startHarness();
  const ask = (origin: string) =>
    harness.send("OPTIONS", "/report/sberbank", {
      Origin: origin,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    });
  const partner = await ask("https://partner.example");
  expect(partner).toMatchObject({ status: 204, body: "" });
  expect(partner.headers).toMatchObject({
    allow: "POST, OPTIONS",
    "access-control-allow-origin": "https://partner.example",
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": "Content-Type",
    vary: "Origin",
  });
  const evil = await ask("https://evil.example");
  expect(evil.status).toBe(204);
  expect(Object.keys(evil.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
  expect(harness.inbox.attempts).toEqual([]);
});

test("the same handler takes a bare Request, as in a cloud function", async () => {
  const kept: Report[] = [];
  const proxies = readProxies([]);
  if (proxies.kind !== "ok") throw new Error(proxies.message);
  const app = createIntake({
    hasService: (slug) => slug === "sberbank",
    persist: (report) => {
      kept.push(report);
      return Promise.resolve("inbox");
    },
    countsOf: () => ({ hour: 1, day: 2 }),
    toNetworkKey: createNetworkKeys(SECRET),
    limitRate: () => undefined,
    proxies: proxies.proxies,
    nowMs: () => 1_800_000_000_000,
    onRefused: () => undefined,
    allowedOrigins: [],
  });
  const request = (body?: string) =>
    new Request("https://status.example/report/sberbank?x=1", {
      method: "POST",
      ...(body === undefined ? {} : { body, headers: JSON_TYPE }),
    });
  const answer = await app.fetch(request('{"symptom":"app"}'), { remoteAddress: "192.0.2.1" });
  expect(answer.status).toBe(202);
  expect(await app.fetch(request(), { remoteAddress: "192.0.2.1" })).toMatchObject({ status: 202 });
  expect(await app.fetch(request(), {})).toMatchObject({ status: 400 });
  expect(await app.fetch(request())).toMatchObject({ status: 400 });
  const long = request(`{"x":"${"x".repeat(2_000)}"}`);
  expect(await app.fetch(long, { remoteAddress: "192.0.2.1" })).toMatchObject({ status: 413 });
  expect(kept).toMatchObject([{ atMs: 1_800_000_000_000, symptom: "app" }, { slug: "sberbank" }]);
});

test("an internal error is a 500 without details, and acknowledges nothing", async () => {
  const harness = await startHarness({
    onAccepted: () => {
      throw new TypeError("secret detail");
    },
  });
  const answer = await harness.post("/report/sberbank");
  expect(answer).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
});
