import { expect, test } from "vitest";
import { createIntake } from "../../src/intake/intake.ts";
import { createNetworkKeys } from "../../src/intake/network-key.ts";
import { pagesBelow } from "../../src/intake/page.ts";
import { readProxies } from "../../src/intake/client-address.ts";
import type { Report } from "../../src/model/reports.ts";
import { SECRET, startLab } from "./lab.ts";

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

test("a report is in the inbox when it is answered with 202 and the new counts", async () => {
  const lab = await startLab();
  const answer = await lab.post("/report/sberbank", '{"symptom":"login"}', JSON_TYPE);
  expect(answer.status).toBe(202);
  expect(answer.body).toBe('{"slug":"sberbank","reportsHour":1,"reportsDay":101}');
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    vary: "Origin",
  });
  expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  expect(lab.inbox.reports()).toMatchObject([{ slug: "sberbank", symptom: "login" }]);
  const [id = ""] = lab.inbox.objects.keys();
  expect(id).toMatch(/^\d{13}-[\da-f-]{36}$/);
  expect(Math.abs(Number(id.slice(0, 13)) - Date.now())).toBeLessThan(60_000);
});

test.each<[string, string | undefined, Record<string, string>, string | undefined]>([
  ["no body", undefined, {}, undefined],
  [
    "an empty body that says it is text",
    undefined,
    { "Content-Type": "text/plain", "Content-Length": "0" },
    undefined,
  ],
  ["JSON without a symptom", "{}", JSON_TYPE, undefined],
  ["JSON with a null symptom", '{"symptom":null}', JSON_TYPE, undefined],
  ["JSON with a field of tomorrow", '{"symptom":"slow","how":"very"}', JSON_TYPE, "slow"],
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
  const lab = await startLab();
  expect(await lab.post("/report/yandex-go", body, headers)).toMatchObject({ status: 202 });
  const [report] = lab.inbox.reports();
  expect(report?.symptom).toBe(symptom);
});

test("a plain form is led back to the page, one sent by a script is not", async () => {
  const lab = await startLab();
  const html = { ...FORM_TYPE, Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  const plain = await lab.post("/report/sberbank", "symptom=app", html);
  expect(plain).toMatchObject({ status: 303, body: "" });
  expect(plain.headers["location"]).toBe("/status/sberbank#reported");
  expect(
    await lab.post("/report/sberbank", undefined, { ...html, "Content-Length": "0" }),
  ).toMatchObject({ status: 303, headers: { location: "/status/sberbank#reported" } });
  expect(
    await lab.post("/report/sberbank", "symptom=app", { ...FORM_TYPE, Accept: "*/*" }),
  ).toMatchObject({ status: 202 });
  expect(
    await lab.post("/report/sberbank", "{}", { ...JSON_TYPE, Accept: "text/html" }),
  ).toMatchObject({ status: 202 });
  const elsewhere = await startLab({ pageOf: (slug) => `https://status.example/${slug}#reports` });
  const led = await elsewhere.post("/report/sberbank", "", { ...html, "Content-Length": "0" });
  expect(led.headers["location"]).toBe("https://status.example/sberbank#reports");
});

test.each([
  ["English", "symptom=slow&language=en", "/en/status/sberbank"],
  ["Russian", "symptom=slow&language=ru", "/status/sberbank"],
  ["of no language", "symptom=slow", "/status/sberbank"],
  ["of an unknown language", "symptom=slow&language=%2F%2Fevil.example", "/status/sberbank"],
  ["of an empty language", "symptom=slow&language=", "/status/sberbank"],
  ["of a language in capitals", "symptom=slow&language=EN", "/status/sberbank"],
  ["of two languages", "symptom=slow&language=en&language=ru", "/en/status/sberbank"],
])("a form that is %s is accepted, and led to the page of its language", async (...one) => {
  const [, body, path] = one;
  const lab = await startLab();
  const html = { ...FORM_TYPE, Accept: "text/html" };
  const { status, headers } = await lab.post("/report/sberbank", body, html);
  expect([status, headers["location"]]).toEqual([303, `${path}#reported`]);
  const [report] = lab.inbox.reports();
  expect(report?.symptom).toBe("slow");
  expect(report).not.toHaveProperty("language");
});

test("a form in parts is led to the page of its language, too, below the path of the website", async () => {
  const lab = await startLab({ pageOf: pagesBelow("/status-site") });
  const inEnglish = MULTIPART.replace(
    "--x--",
    '--x\r\nContent-Disposition: form-data; name="language"\r\n\r\nen\r\n--x--',
  );
  const led = async (body: string) => {
    const type = { "Content-Type": "multipart/form-data; boundary=x", Accept: "text/html" };
    return (await lab.post("/report/sberbank", body, type)).headers["location"];
  };
  expect(await led(inEnglish)).toBe("/status-site/en/status/sberbank#reported");
  expect(await led(MULTIPART)).toBe("/status-site/status/sberbank#reported");
});

test("only pages of ours and of allowed sites may report, and only the latter are told so", async () => {
  const lab = await startLab();
  const own = new URL(lab.url);
  const statusOf = async (headers: Record<string, string>) =>
    (await lab.post("/report/sberbank", undefined, headers)).status;
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
  const allowed = await lab.post("/report/sberbank", undefined, partner);
  expect(allowed.status).toBe(202);
  expect(allowed.headers["access-control-allow-origin"]).toBe("https://partner.example");
  const unknown = await lab.post("/report/nobody", undefined, partner);
  expect(unknown.headers["access-control-allow-origin"]).toBe("https://partner.example");
  const evil = await lab.post("/report/sberbank", undefined, { Origin: "https://evil.example" });
  expect(evil.headers).not.toHaveProperty("access-control-allow-origin");
  expect(lab.inbox.reports()).toHaveLength(5);
});

test("with an origin of its own configured, the Host header makes no page ours", async () => {
  const lab = await startLab({ ownOrigin: "https://status.example" });
  const rebound = { Host: "evil.example", Origin: "http://evil.example" };
  expect(await lab.post("/report/sberbank", undefined, rebound)).toMatchObject({ status: 403 });
  const own = { Origin: "https://status.example" };
  expect(await lab.post("/report/sberbank", undefined, own)).toMatchObject({ status: 202 });
});

test("a browser that asks first is answered as the origin deserves", async () => {
  const lab = await startLab();
  const ask = (origin: string) =>
    lab.send("OPTIONS", "/report/sberbank", {
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
  expect(lab.inbox.attempts).toEqual([]);
});

test("the same handler answers a bare request, as in a cloud function", async () => {
  const kept: Report[] = [];
  const proxies = readProxies([]);
  if (proxies.kind !== "ok") throw new Error(proxies.message);
  const app = createIntake({
    hasService: (slug) => slug === "sberbank",
    keep: (report) => {
      kept.push(report);
      return Promise.resolve("inbox");
    },
    countsOf: () => ({ hour: 1, day: 2 }),
    toNetworkKey: createNetworkKeys(SECRET),
    mayPost: () => undefined,
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

test("what is thrown inside is a 500 that tells nothing, and acknowledges nothing", async () => {
  const lab = await startLab({
    onAccepted: () => {
      throw new TypeError("secret detail");
    },
  });
  const answer = await lab.post("/report/sberbank");
  expect(answer).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
});
