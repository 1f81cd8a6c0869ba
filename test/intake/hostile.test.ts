import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFront } from "../../src/serve/front.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { listen } from "../../src/serve/listen.ts";
import { Hono } from "hono";
import { exchange, send } from "../serve/raw-http.ts";
import { makeFolder, startLab, until } from "./lab.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const NESTED = `${"[".repeat(500)}${"]".repeat(500)}`;

/** Method, target, headers, body; status and error of the answer. */
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
  ["no path of ours", "POST", "/report", {}, "", 404, "not found"],
  ["a slug and more", "POST", "/report/sberbank/x", {}, "", 404, "not found"],
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
  ["no type", "POST", "/report/sberbank", {}, "{}", 415, "unsupported media type"],
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
  ["no JSON", "POST", "/report/sberbank", JSON_TYPE, "{", 400, "malformed body"],
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
    "two symptoms in JSON, one of them in disguise",
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
  const lab = await startLab();
  const answer = await lab.send(method, target, headers, body);
  expect([answer.status, answer.body]).toEqual([status, JSON.stringify({ error })]);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(answer.headers["allow"]).toBe(status === 405 ? "POST, OPTIONS" : undefined);
  expect(lab.inbox.attempts).toEqual([]);
});

test("bytes that are no UTF-8 are malformed, 1,024 bytes are not too many", async () => {
  const lab = await startLab();
  const head = (length: number) =>
    `POST /report/sberbank HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  // `exchange` writes Latin-1, so this is a single byte.
  const answer = await exchange(lab.url, `${head(15)}{"symptom":"é"}`);
  expect(answer).toMatchObject({ status: 400, body: '{"error":"malformed body"}' });
  expect(await exchange(lab.url, `${head(1_024)}{}${" ".repeat(1_022)}`)).toMatchObject({
    status: 202,
  });
});

test("a body in chunks is taken while it is short, and read no further than 1 KiB", async () => {
  const lab = await startLab();
  const head =
    "POST /report/sberbank HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
  const short = await exchange(lab.url, `${head}8\r\n{"sympto\r\n9\r\nm":"app"}\r\n0\r\n\r\n`);
  expect(short.status).toBe(202);
  expect(lab.inbox.reports()).toMatchObject([{ symptom: "app" }]);
  const { hostname, port } = new URL(lab.url);
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

test("what a symptom is called elsewhere in JSON, or twice another field, is no second symptom", async () => {
  const lab = await startLab();
  const body = '{"a":{"symptom":"slow"},"b":"\\"symptom\\":1","symptom":"app","c":1,"c":2}';
  expect(await lab.post("/report/sberbank", body, JSON_TYPE)).toMatchObject({ status: 202 });
  expect(lab.inbox.reports()).toMatchObject([{ symptom: "app" }]);
});

test("a body that says it is too long is refused before it comes", async () => {
  const lab = await startLab();
  const { hostname, port } = new URL(lab.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  socket.write("POST /report/sberbank HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n");
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

test("a body that does not come is given up", async () => {
  const lab = await startLab({ bodyTimeoutMs: 100 });
  const { hostname, port } = new URL(lab.url);
  for (const headers of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(`POST /report/sberbank HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /);
  }
});

test("a client that dies in the middle of a body leaves nothing behind", async () => {
  const lab = await startLab();
  const { hostname, port } = new URL(lab.url);
  for (const headers of ["Content-Length: 100", "Transfer-Encoding: chunked"]) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.write(
      `POST /report/sberbank HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
  }
  expect(await lab.post("/report/sberbank")).toMatchObject({ status: 202 });
  expect(lab.inbox.reports()).toHaveLength(1);
});

test("one network that floods is stopped, others do not notice", async () => {
  const lab = await startLab({
    flood: { burst: 5, perSecond: 0.5 },
    nowMs: () => 1_800_000_000_000,
  });
  const from = (address: string) =>
    lab.post("/report/sberbank", undefined, { "X-Forwarded-For": address });
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
  const lab = await startLab({ journal: { folder } });
  const from = (address: string) =>
    lab.post("/report/sberbank", undefined, { "X-Forwarded-For": `${address}, 127.0.0.9` });
  expect(await from("203.0.113.77")).toMatchObject({ status: 202 });
  lab.inbox.mood = "failing";
  expect(await from("203.0.113.78")).toMatchObject({ status: 202 });
  expect(await from("2001:db8:77:88::99")).toMatchObject({ status: 202 });
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(files.join("")).toContain("sberbank");
  const inbox = [...lab.inbox.objects.values()].map((bytes) => new TextDecoder().decode(bytes));
  const metrics = await send(lab.operationsUrl, "GET", "/metrics");
  const everything = [...files, ...inbox, JSON.stringify(lab.events), metrics.body].join("\n");
  expect(everything).not.toMatch(/203\.0|113\.7|2001:|db8|127\.0\.0/);
  const [first, second] = lab.accepted;
  expect(first?.network).toBe(second?.network);
  expect(first?.network).not.toBe(lab.accepted[2]?.network);
});

test("mounted before the preview, it takes its own paths and leaves the others alone", async () => {
  const lab = await startLab();
  const store = createMemoryStore();
  await store.write("api/v1/status", {
    body: Buffer.from("{}"),
    contentType: "",
    cacheControl: "",
  });
  const app = new Hono().route("/", lab.intake.app).route("/", createFront(store));
  const both = await listen((request, bindings) => app.fetch(request, bindings), { port: 0 });
  try {
    expect(await send(both.url, "GET", "/api/v1/status")).toMatchObject({
      status: 200,
      body: "{}",
    });
    expect(await send(both.url, "POST", "/api/v1/status")).toMatchObject({ status: 405 });
    expect(await send(both.url, "POST", "/report/sberbank")).toMatchObject({ status: 202 });
    await until(() => lab.inbox.reports().length === 1);
  } finally {
    await both.close();
  }
});
