import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFront } from "../../../src/preview/front.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { listenPreview } from "../../preview/listen-preview.ts";
import { Hono } from "hono";
import { exchange, send } from "../../http-server/raw-http.ts";
import { makeFolder, startHarness, until } from "./harness.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const NESTED = `${"[".repeat(500)}${"]".repeat(500)}`;

/** Method, target, headers and body; status and error of the response. */
const TABLE: readonly (readonly [
  what: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  status: number,
  error: string,
])[] = [
  ["an unknown slug", "POST", "/report/nobody", {}, "", 404, "not found"],
  ["no slug", "POST", "/report/", {}, "", 404, "not found"],
  ["an unknown path", "POST", "/report", {}, "", 404, "not found"],
  ["a slug with a further segment", "POST", "/report/sberbank/x", {}, "", 404, "not found"],
  ["a slug in capitals", "POST", "/report/SBERBANK", {}, "", 404, "not found"],
  ["a slug with an encoded letter", "POST", "/report/%73berbank", {}, "", 404, "not found"],
  ["a slug of the prototype", "POST", "/report/constructor", {}, "", 404, "not found"],
  ["a null byte", "POST", "/report/sberbank%00", {}, "", 404, "not found"],
  ["GET", "GET", "/report/sberbank", {}, "", 405, "method not allowed"],
  ["PUT", "PUT", "/report/sberbank", {}, "", 405, "method not allowed"],
  ["DELETE", "DELETE", "/report/sberbank", {}, "", 405, "method not allowed"],
  [
    "text",
    "POST",
    "/report/sberbank",
    { "Content-Type": "text/plain" },
    "{}",
    415,
    "unsupported media type",
  ],
  ["no content type", "POST", "/report/sberbank", {}, "{}", 415, "unsupported media type"],
  [
    "a type of the prototype",
    "POST",
    "/report/sberbank",
    { "Content-Type": "constructor" },
    "{}",
    415,
    "unsupported media type",
  ],
  [
    "a packed body",
    "POST",
    "/report/sberbank",
    { ...JSON_TYPE, "Content-Encoding": "gzip" },
    "{}",
    415,
    "unsupported media type",
  ],
  ["invalid JSON", "POST", "/report/sberbank", JSON_TYPE, "{", 400, "malformed body"],
  ["a list", "POST", "/report/sberbank", JSON_TYPE, "[]", 400, "malformed body"],
  ["a string", "POST", "/report/sberbank", JSON_TYPE, '"slow"', 400, "malformed body"],
  ["null", "POST", "/report/sberbank", JSON_TYPE, "null", 400, "malformed body"],
  ["deep nesting", "POST", "/report/sberbank", JSON_TYPE, NESTED, 400, "malformed body"],
  [
    "two symptoms",
    "POST",
    "/report/sberbank",
    FORM_TYPE,
    "symptom=slow&symptom=app",
    400,
    "malformed body",
  ],
  [
    "two symptoms in JSON",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"symptom":"slow","symptom":"app"}',
    400,
    "malformed body",
  ],
  [
    "two symptoms in JSON, one of them escaped",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"symptom":null,"a":"\\"}","\\u0073ymptom":"app"}',
    400,
    "malformed body",
  ],
  [
    "multipart without a boundary",
    "POST",
    "/report/sberbank",
    { "Content-Type": "multipart/form-data" },
    "x",
    400,
    "malformed body",
  ],
  [
    "multipart that is none",
    "POST",
    "/report/sberbank",
    { "Content-Type": "multipart/form-data; boundary=x" },
    "x",
    400,
    "malformed body",
  ],
  [
    "an unknown symptom",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"symptom":"bad"}',
    400,
    "unknown symptom",
  ],
  [
    "a symptom that is a number",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"symptom":1}',
    400,
    "unknown symptom",
  ],
  [
    "a symptom that is a list",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"symptom":["slow"]}',
    400,
    "unknown symptom",
  ],
  [
    "a symptom of the prototype",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    '{"__proto__":{"symptom":"slow"},"symptom":"toString"}',
    400,
    "unknown symptom",
  ],
  [
    "an unknown symptom in a form",
    "POST",
    "/report/sberbank",
    FORM_TYPE,
    "symptom=%00",
    400,
    "unknown symptom",
  ],
  [
    "1,025 bytes",
    "POST",
    "/report/sberbank",
    JSON_TYPE,
    `{}${" ".repeat(1_023)}`,
    413,
    "body too large",
  ],
  [
    "a foreign page",
    "POST",
    "/report/sberbank",
    { Origin: "https://evil.example" },
    "",
    403,
    "origin not allowed",
  ],
];

test.each(TABLE)("%s is refused", async (_what, method, target, headers, body, status, error) => {
  const harness = await startHarness();
  const answer = await harness.send(method, target, headers, body);
  expect([answer.status, answer.body]).toEqual([status, JSON.stringify({ error })]);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers["allow"]).toBe(status === 405 ? "POST, OPTIONS" : undefined);
  expect(harness.inbox.attempts).toEqual([]);
});

test("invalid UTF-8 is malformed, and 1,024 bytes are accepted", async () => {
  const harness = await startHarness();
  const head = (length: number) =>
    `POST /report/sberbank HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  // `exchange` writes Latin-1, so this is a single byte.
  const answer = await exchange(harness.url, `${head(15)}{"symptom":"é"}`);
  expect(answer).toMatchObject({ status: 400, body: '{"error":"malformed body"}' });
  expect(await exchange(harness.url, `${head(1_024)}{}${" ".repeat(1_022)}`)).toMatchObject({
    status: 202,
  });
});

test("a short chunked body is accepted, and a long one is read up to 1 KiB", async () => {
  const harness = await startHarness();
  const head =
    "POST /report/sberbank HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const short = await exchange(harness.url, `${head}8\r\n{"sympto\r\n9\r\nm":"app"}\r\n0\r\n\r\n`);
  expect(short.status).toBe(202);
  expect(harness.inbox.reports()).toMatchObject([{ symptom: "app" }]);
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.on("error", () => undefined);
  socket.write(head);
  const chunk = `400\r\n${" ".repeat(1_024)}\r\n`;
  const endless = setInterval(() => socket.write(chunk), 5);
  const answer = await text(socket).finally(() => clearInterval(endless));
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/i);
  expect(answer).toContain('{"error":"body too large"}');
});

test("a nested symptom or a duplicate of another field is not a second symptom", async () => {
  const harness = await startHarness();
  const body = '{"a":{"symptom":"slow"},"b":"\\"symptom\\":1","symptom":"app","c":1,"c":2}';
  expect(await harness.post("/report/sberbank", body, JSON_TYPE)).toMatchObject({ status: 202 });
  expect(harness.inbox.reports()).toMatchObject([{ symptom: "app" }]);
});

test("a body with a too large Content-Length is refused before it is read", async () => {
  const harness = await startHarness();
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write("POST /report/sberbank HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

test("a body that does not arrive times out", async () => {
  const harness = await startHarness({ bodyTimeoutMs: 100 });
  const { hostname, port } = new URL(harness.url);
  for (const headers of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(`POST /report/sberbank HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  }
});

test("a client that disconnects in the middle of a body leaves nothing", async () => {
  const harness = await startHarness();
  const { hostname, port } = new URL(harness.url);
  for (const headers of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(
      `POST /report/sberbank HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
  }
  expect(await harness.post("/report/sberbank")).toMatchObject({ status: 202 });
  expect(harness.inbox.reports()).toHaveLength(1);
});

test("a network that floods is limited, and others are not", async () => {
  const harness = await startHarness({
    flood: { burst: 5, perSecond: 0.5 },
    nowMs: () => 1_800_000_000_000,
  });
  const from = (address: string) =>
    harness.post("/report/sberbank", undefined, { "X-Forwarded-For": address });
  const statuses = [];
  for (let count = 1; count <= 8; count += 1)
    statuses.push((await from(`192.0.2.${count}`)).status);
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 429]);
  const refused = await from("192.0.2.200");
  expect(refused.body).toBe('{"error":"too many reports"}');
  expect(refused.headers["retry-after"]).toBe("2");
  expect(await from("192.0.3.1")).toMatchObject({ status: 202 });
  expect(await from("2001:db8:1:2::3")).toMatchObject({ status: 202 });
});

test("no address is in the log, the inbox, the journal or the metrics", async () => {
  const folder = makeFolder();
  const harness = await startHarness({ journal: { folder } });
  const from = (address: string) =>
    harness.post("/report/sberbank", undefined, { "X-Forwarded-For": `${address}, 127.0.0.9` });
  expect(await from("203.0.113.77")).toMatchObject({ status: 202 });
  harness.inbox.mode = "failing";
  expect(await from("203.0.113.78")).toMatchObject({ status: 202 });
  expect(await from("2001:db8:77:88::99")).toMatchObject({ status: 202 });
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(files.join("")).toContain("sberbank");
  const inbox = [...harness.inbox.objects.values()].map((bytes) => new TextDecoder().decode(bytes));
  const metrics = await send(harness.operationsUrl, "GET", "/metrics");
  const everything = [...files, ...inbox, JSON.stringify(harness.events), metrics.body].join("\n");
  expect(everything).not.toMatch(/\b203\.0\.|\b113\.7[78]\b|2001:|\bdb8\b|127\.0\.0/);
  const [first, second] = harness.accepted;
  expect(first?.network).toBe(second?.network);
  expect(first?.network).not.toBe(harness.accepted[2]?.network);
});

test("mounted before the preview, it handles only its own paths", async () => {
  const harness = await startHarness();
  const store = createMemoryStore();
  await store.write("api/v1/status", {
    body: Buffer.from("{}"),
    contentType: "",
    cacheControl: "",
  });
  const app = new Hono().route("/", harness.intake.app).route("/", createFront(store));
  const both = await listenPreview((request, bindings) => app.fetch(request, bindings), {
    port: 0,
  });
  try {
    expect(await send(both.url, "GET", "/api/v1/status")).toMatchObject({
      status: 200,
      body: "{}",
    });
    expect(await send(both.url, "POST", "/api/v1/status")).toMatchObject({ status: 405 });
    expect(await send(both.url, "POST", "/report/sberbank")).toMatchObject({ status: 202 });
    await until(() => harness.inbox.reports().length === 1);
  } finally {
    await both.close();
  }
});
