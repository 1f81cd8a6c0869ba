import { expect, test } from "vitest";
import { HOSTILE_TIMES, hostileClients } from "../../preview/hostile-clients.ts";
import { attack } from "../../http-server/raw-client.ts";
import { exchange, send } from "../../http-server/raw-http.ts";
import { startHarness } from "./harness.ts";

const TARGET = "/report/sberbank";

/** Malformed requests with the expected status, error and reason. */
const TABLE: readonly (readonly [
  what: string,
  request: string,
  status: number,
  error: string,
  reason: string,
])[] = [
  ["not HTTP", "what is this\r\n\r\n", 400, "bad request", "bad-request"],
  [
    "a request without Host",
    `POST ${TARGET} HTTP/1.1\r\nConnection: close\r\n\r\n`,
    400,
    "bad request",
    "bad-request",
  ],
  [
    "a backslash in the target",
    "POST /report\\sberbank HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    400,
    "bad request",
    "bad-request",
  ],
  [
    "a head of 20,000 bytes",
    `POST ${TARGET} HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "request header too large",
    "head-too-large",
  ],
  [
    "an unknown method",
    `FOO ${TARGET} HTTP/1.1\r\nHost: a\r\n\r\n`,
    405,
    "method not allowed",
    "wrong-method",
  ],
  [
    "an unknown method on an unknown path",
    "FOO / HTTP/1.1\r\nHost: a\r\nOrigin: https://partner.example\r\n\r\n",
    405,
    "method not allowed",
    "wrong-method",
  ],
  [
    "a tunnel",
    "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
    405,
    "method not allowed",
    "wrong-method",
  ],
];

test.each(TABLE)(
  "%s gets JSON without CORS headers, and is counted",
  async (_what, request, status, error, reason) => {
    const harness = await startHarness();
    const answer = await exchange(harness.url, request);
    expect([answer.status, answer.body]).toEqual([status, JSON.stringify({ error })]);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      connection: "close",
    });
    expect(answer.headers["allow"]).toBe(status === 405 ? "POST, OPTIONS" : undefined);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-"))).toEqual([]);
    const metrics = await send(harness.operationsUrl, "GET", "/metrics");
    expect(metrics.body).toContain(`refused_total{reason="${reason}"} 1\n`);
  },
);

test("hostile clients get a JSON response to each request, and leave no connection", async () => {
  const harness = await startHarness({}, HOSTILE_TIMES);
  const clients = hostileClients(TARGET, 202);
  const found = await attack(harness.url, clients);
  expect(found.map(({ what, statuses }) => ({ what, statuses }))).toEqual(
    clients.map(({ what, statuses }) => ({ what, statuses })),
  );
  const everything = found.map(({ received }) => received).join("\n");
  expect(everything).not.toMatch(/access-control/iu);
  const bodies = everything.match(/\{(?:"error":"[a-z ]+"|"slug":"sberbank",[^}]*)\}/gu) ?? [];
  const answers = clients.flatMap(({ statuses }) => statuses).filter((status) => status !== 100);
  expect(bodies).toHaveLength(answers.length);
  const accepted = answers.filter((status) => status === 202).length;
  expect(harness.accepted).toHaveLength(accepted);
  const metrics = async (): Promise<string> =>
    (await send(harness.operationsUrl, "GET", "/metrics")).body;
  await expect.poll(metrics, { timeout: 10_000 }).toContain("intake_connections 0\n");
  expect(await metrics()).toMatch(/cut_connections_total\{reason="timed-out"\} [1-9]/u);
});

test("the operations port responds alike, with its own methods", async () => {
  const harness = await startHarness();
  const answer = await exchange(harness.operationsUrl, "FOO /metrics HTTP/1.1\r\nHost: a\r\n\r\n");
  expect(answer).toMatchObject({ status: 405, body: '{"error":"method not allowed"}' });
  expect(answer.headers).toMatchObject({ allow: "GET, HEAD", "cache-control": "no-store" });
  expect(await exchange(harness.operationsUrl, "what is this\r\n\r\n")).toMatchObject({
    status: 400,
    body: '{"error":"bad request"}',
  });
});
