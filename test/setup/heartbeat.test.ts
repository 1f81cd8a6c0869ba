import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { reachHeartbeat, sendHeartbeat } from "../../src/setup/heartbeat.ts";
import { readGiven } from "./given.ts";

const SECRET = "/ping/6f1e0b8c?from=moscow";

interface Switch {
  readonly origin: string;
  /** Method and target of each request, in order. */
  readonly requests: readonly string[];
}

/** A dead man's switch on loopback. */
async function openSwitch(answer: RequestListener): Promise<Switch> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ""} ${request.url ?? ""}`);
    answer(request, response);
  });
  return { origin: await listen(server), requests };
}

async function listen(server: Server): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // The address of a server on TCP that listens.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function answerWith(status: number, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => void response.writeHead(status, headers).end("thanks");
}

test.each([200, 202, 204, 299])("an answer of %i is a success", async (status) => {
  const { origin, requests } = await openSwitch(answerWith(status));
  expect(await sendHeartbeat(origin + SECRET)).toBeUndefined();
  expect(requests).toEqual([`GET ${SECRET}`]);
});

test.each([400, 404, 410, 429, 500, 503])("an answer of %i is a failure", async (status) => {
  const { origin } = await openSwitch(answerWith(status));
  expect(await sendHeartbeat(origin + SECRET)).toContain(`${origin} failed: it answered ${status}`);
});

const FOLLOW = ", and redirects are not followed. Give heartbeatUrl the final address.";
const COMPARE = ". Compare heartbeatUrl with what the monitoring service shows.";

test.each([
  [300, FOLLOW],
  [399, FOLLOW],
  [400, COMPARE],
  [499, COMPARE],
  [500, "."],
])("an answer of %i says what to do about it", async (status, advice) => {
  const { origin } = await openSwitch(answerWith(status));
  expect(await sendHeartbeat(origin)).toBe(
    `The heartbeat to ${origin} failed: it answered ${status}${advice}`,
  );
});

test("any answer shows that the host can be reached, and the path is not asked for", async () => {
  const { origin, requests } = await openSwitch(answerWith(500));
  expect(await reachHeartbeat(origin + SECRET)).toBeUndefined();
  expect(requests).toEqual(["GET /"]);
  expect(await reachHeartbeat(`http://127.0.0.1:1${SECRET}`)).toBe(
    "http://127.0.0.1:1 was not reached: ECONNREFUSED.",
  );
});

test("a heartbeat names its sender, and an address without a host is named as such", async () => {
  const agents: (string | undefined)[] = [];
  const { origin } = await openSwitch((request, response) => {
    agents.push(request.headers["user-agent"]);
    response.end();
  });
  await sendHeartbeat(origin);
  expect(agents).toEqual(["status-snapshot"]);
  expect(await sendHeartbeat("nowhere")).toMatch(/^The heartbeat to its address failed: /u);
});

test("a redirect is not followed and is a failure", async () => {
  const { origin, requests } = await openSwitch((request, response) =>
    request.url === SECRET
      ? answerWith(302, { location: "/login" })(request, response)
      : answerWith(200)(request, response),
  );
  expect(await sendHeartbeat(origin + SECRET)).toContain("final address");
  expect(requests).toEqual([`GET ${SECRET}`]);
});

test("a server that never answers fails after the timeout", async () => {
  const { origin } = await openSwitch(() => undefined);
  expect(await sendHeartbeat(origin, 300)).toBe(
    `The heartbeat to ${origin} failed: no answer within 0.3 s.`,
  );
});

test("an endless body does not delay the result", async () => {
  const { origin } = await openSwitch((_request, response) => {
    const timer = setInterval(() => response.write("x".repeat(10_000)), 5);
    response.writeHead(200).on("close", () => clearInterval(timer));
  });
  // If the body were read, the heartbeat or the test would time out.
  expect(await sendHeartbeat(origin, 3_600_000)).toBeUndefined();
});

test("no listener, a cut connection, and an answer that is not HTTP are failures", async () => {
  const { origin: cut } = await openSwitch((request) => request.socket.destroy());
  const { origin: garbage } = await openSwitch((request) => request.socket.end("hello\r\n\r\n"));
  for (const origin of ["http://127.0.0.1:1", cut, garbage]) {
    expect(await sendHeartbeat(origin + SECRET)).toMatch(/^The heartbeat to /u);
  }
});

test("a message names the server and not the path, which is a secret", async () => {
  const { origin } = await openSwitch(answerWith(404));
  for (const one of [origin, "http://127.0.0.1:1"]) {
    const result = await sendHeartbeat(one + SECRET);
    expect(result).toContain(one);
    expect(result).not.toContain("6f1e0b8c");
  }
});

test("a proxy in the environment is not used", async () => {
  const { origin, requests } = await openSwitch(answerWith(200));
  const proxy = await openSwitch(answerWith(200));
  const variables = {
    http_proxy: proxy.origin,
    HTTP_PROXY: proxy.origin,
    NODE_USE_ENV_PROXY: "1",
  };
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  onTestFinished(() => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
  Object.assign(process.env, variables);
  expect(await sendHeartbeat(origin)).toBeUndefined();
  expect([requests, proxy.requests]).toEqual([["GET /"], []]);
});

test.each(["", "hc-ping.com/abc", "ftp://example.org/", "file:///etc/passwd", "http://"])(
  "%j is refused as an address, and sending to it does not throw",
  async (text) => {
    expect(readGiven(["run"], { heartbeatUrl: text })).toEqual({
      problem: expect.stringMatching(/^heartbeatUrl: /u),
    });
    expect(await sendHeartbeat(text)).toMatch(/^The heartbeat to /u);
  },
);

test("an address with a password is refused, and the password is not repeated", () => {
  const heartbeatUrl = "https://user:hunter2@example.org/ping";
  const parsed = readGiven(["run"], { heartbeatUrl });
  expect(parsed).toEqual({ problem: expect.stringContaining("Leave them out") });
  expect(JSON.stringify(parsed)).not.toContain("hunter2");
});
