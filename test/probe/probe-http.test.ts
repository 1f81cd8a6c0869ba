import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import type { Behaviour } from "../simulated-internet/behaviour.ts";
import { flood } from "../simulated-internet/flood.ts";
import {
  LIMITS,
  failureOf,
  openHarness,
  rulesOf,
  traceOf,
  wordFor,
  type Harness,
} from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await openHarness();
});
afterAll(() => harness.close());

const SCHEMES = ["http", "https"] as const;

describe.for(SCHEMES)("over %s", (scheme) => {
  test.for<[Behaviour, string]>([
    [{ kind: "http-silence" }, "http-timeout"],
    [{ kind: "http-reset" }, "http-reset"],
    [{ kind: "http-close" }, "http-closed"],
    [{ kind: "http-malformed", part: "status-line" }, "http-malformed"],
    [{ kind: "http-malformed", part: "header" }, "http-malformed"],
    [{ kind: "http-malformed", part: "version-0.9" }, "http-malformed"],
    [{ kind: "body-two-lengths" }, "http-malformed"],
    [{ kind: "headers-endless" }, "http-headers-too-large"],
    [{ kind: "headers-many", count: 100_000 }, "http-headers-too-large"],
    [{ kind: "headers-drip", intervalMs: 20 }, "http-timeout"],
    [{ kind: "informational-flood", intervalMs: 0 }, "http-informational-flood"],
    [{ kind: "informational-flood", intervalMs: 20 }, "http-informational-flood"],
    [{ kind: "informational-flood", intervalMs: 200 }, "http-timeout"],
    [{ kind: "informational-flood", status: 100, intervalMs: 0 }, "http-informational-flood"],
    [{ kind: "informational-flood", status: 101, intervalMs: 0 }, "http-malformed"],
  ])("%j ends as %s, without a status", async ([behaviour, code]) => {
    const { stage, trace, ...outcome } = failureOf(await harness.see(behaviour, { scheme }));
    expect(outcome.code).toBe(code);
    expect(stage).toBe("http");
    expect(trace.httpStatus).toBeUndefined();
    expect(trace.tlsVerified).toBe(scheme === "https" ? true : null);
  });

  test("many headers are accepted below the limit", async () => {
    const outcome = await harness.see({ kind: "headers-many", count: 5_000 }, { scheme });
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 200 } });
  });

  test("a slow head is awaited and its time recorded", async () => {
    const outcome = await harness.see({ kind: "page", delayMs: 300 }, { scheme });
    const { timings } = traceOf(outcome);
    expect(wordFor(outcome)).toBe("ok");
    expect(timings.firstByteMs).toBeGreaterThanOrEqual(295);
    expect(timings.totalMs).toBeGreaterThanOrEqual(Number(timings.firstByteMs));
  });
});

describe("a server without TLS", () => {
  const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
  const PAGE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  test("may send a few informational responses before the final one", async () => {
    const outcome = await seeRaw((socket) => socket.end(HINTS.repeat(3) + PAGE));
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 200, bodyBytes: 2 } });
  });

  test("that closes without a response is http-closed, each time", async () => {
    for (let count = 0; count < 20; count += 1)
      expect(wordFor(await seeRaw((socket) => socket.end()))).toBe("http-closed");
  });

  test("cannot hide a flood of bytes that no parser counts", async () => {
    const spaces = Buffer.alloc(65_536, " ");
    const head = await seeRaw((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nX-A:");
      flood(socket, spaces);
    });
    expect(wordFor(head)).toBe("http-headers-too-large");
    const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;";
    const extension = Buffer.alloc(65_536, "a");
    const body = await seeRaw((socket) => {
      socket.write(chunked);
      flood(socket, extension);
    });
    expect(wordFor(body)).toBe("body-malformed");
  });

  async function seeRaw(answer: (socket: Socket) => void): Promise<Outcome> {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      answer(socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    try {
      const connectTo = rulesOf([`::127.0.0.1:${port}`]);
      return await harness.probe("http://raw.test/", { deps: { connectTo } });
    } finally {
      server.close();
    }
  }
});

describe("the request", () => {
  test("asks for no compression and for a closed connection", async () => {
    const host = harness.newHost();
    await harness.probe(`https://${host}/a/b?c=d#e`);
    const [request = ""] = harness.internet.stats(host).requests;
    const [first, ...headers] = request.trimEnd().split("\r\n");
    expect(first).toBe("GET /a/b?c=d HTTP/1.1");
    const lines = headers.map((line) => line.toLowerCase());
    expect(lines).toContain(`host: ${host}`);
    expect(lines).toContain("accept-encoding: identity");
    expect(lines).toContain("connection: close");
  });

  test("names the program, if it has a name", async () => {
    const host = harness.newHost();
    await harness.probe(`https://${host}/`, { deps: { userAgent: "status/1" } });
    await harness.probe(`https://${host}/`);
    const named = harness.internet
      .stats(host)
      .requests.map((one) => /^user-agent: ([^\r\n]*)/imu.exec(one)?.[1]);
    expect(named).toEqual(["status/1", undefined]);
  });

  test("uses a new connection each time", async () => {
    const host = harness.newHost();
    for (let count = 0; count < 5; count += 1) await harness.probe(`https://${host}/`);
    expect(harness.internet.connections(host)).toBe(5);
    expect(harness.internet.stats(host).requests).toHaveLength(5);
  });
});

test("a lost connection is not replaced", async () => {
  const host = harness.newHost({ kind: "http-close" });
  expect(wordFor(await harness.probe(`https://${host}/`))).toBe("http-closed");
  expect(harness.internet.connections(host)).toBe(1);
});

describe("the status", () => {
  test.for([200, 204, 304, 401, 403, 404, 418, 429, 600, 999])(
    "%d means that the service answers",
    async (status) => {
      const body = status === 204 || status === 304 ? "" : "hello";
      const outcome = await harness.see({ kind: "page", status, body });
      expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: status } });
    },
  );

  test.for([500, 502, 503, 504, 520, 599])("%d is the server's own error", async (status) => {
    const outcome = await harness.see({ kind: "page", status });
    expect(outcome).toMatchObject({
      code: "http-server-error",
      trace: { httpStatus: status, tlsVerified: true },
    });
  });

  test("is healthy only if it is an expected one", async () => {
    const see = async (status: number): Promise<string> =>
      wordFor(await harness.see({ kind: "page", status }, { target: { expect: [200, 451, 503] } }));
    expect([await see(200), await see(503), await see(451)]).toEqual(["ok", "ok", "ok"]);
    expect(await see(404)).toBe("http-unexpected-status");
    expect(await see(502)).toBe("http-server-error");
  });

  test("451 is reported with whether TLS was verified", async () => {
    const refusal: Behaviour = { kind: "legal-refusal", blockedBy: "https://isp.example/" };
    expect(await harness.see(refusal)).toMatchObject({
      code: "http-legal-refusal",
      trace: { httpStatus: 451, tlsVerified: true },
    });
    expect(await harness.see(refusal, { scheme: "http" })).toMatchObject({
      code: "http-legal-refusal",
      trace: { httpStatus: 451, tlsVerified: null },
    });
  });
});

describe("redirects", () => {
  test("are followed, each hop on its own connection, and the last is reported", async () => {
    const last = harness.newHost({ kind: "page", status: 404 });
    const middle = harness.newHost({ kind: "redirect", to: `https://${last}/end`, status: 307 });
    const outcome = await harness.see({ kind: "redirect", to: `https://${middle}/`, status: 301 });
    expect(outcome).toMatchObject({
      kind: "ok",
      trace: { url: `https://${last}/end`, redirects: 2, httpStatus: 404, tlsVerified: true },
    });
    expect([harness.internet.connections(middle), harness.internet.connections(last)]).toEqual([
      1, 1,
    ]);
  });

  test.for([301, 302, 303, 307, 308])("include %d", async (status) => {
    const to = `https://${harness.newHost()}/`;
    expect(traceOf(await harness.see({ kind: "redirect", to, status })).url).toBe(to);
  });

  test("to a relative target with non-ASCII letters stay on the host", async () => {
    const host = harness.newHost({ kind: "page" });
    harness.internet.set(`https://${host}/`, {
      kind: "redirect",
      to: "//" + host + "/a b?x=1#part",
    });
    expect(traceOf(await harness.probe(`https://${host}/`)).url).toBe(`https://${host}/a%20b?x=1`);
  });

  test("to the same or an earlier URL are a loop", async () => {
    expect(await harness.see({ kind: "redirect-loop" })).toMatchObject({
      code: "redirect-loop",
      trace: { redirects: 0, httpStatus: 302 },
    });
    const host = harness.newHost();
    harness.internet.set(`https://${host}/`, { kind: "redirect", to: "/there" });
    harness.internet.set(`https://${host}/there`, { kind: "redirect", to: "/" });
    expect(await harness.probe(`https://${host}/`)).toMatchObject({
      code: "redirect-loop",
      trace: { redirects: 1, url: `https://${host}/there` },
    });
  });

  test("stop after five", async () => {
    const outcome = await harness.see({ kind: "redirect-endless" });
    expect(outcome).toMatchObject({ code: "redirect-too-many", trace: { redirects: 10 } });
  });

  test.for(["ftp://files.test/", "javascript:alert(1)", "file:///etc/passwd", "http://[::bad/"])(
    "to %s are refused",
    async (to) => {
      expect(wordFor(await harness.see({ kind: "redirect", to }))).toBe("redirect-refused");
    },
  );

  test("that the endpoint expects are final", async () => {
    const next = harness.newHost({ kind: "page", status: 500 });
    const outcome = await harness.see(
      { kind: "redirect", to: `https://${next}/` },
      { target: { expect: [200, 302] } },
    );
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 302, redirects: 0 } });
    expect(harness.internet.connections(next)).toBe(0);
  });

  test("without a target are final", async () => {
    expect(wordFor(await harness.see({ kind: "page", status: 302, body: "" }))).toBe("ok");
  });

  test("to a failing host fail with the stage of that host", async () => {
    const dead = harness.newHost({ kind: "tls-reset" });
    expect(await harness.see({ kind: "redirect", to: `https://${dead}/` })).toMatchObject({
      stage: "tls",
      code: "tls-reset",
      trace: { redirects: 1, url: `https://${dead}/`, bodyBytes: 0 },
    });
  });

  test("from an unencrypted hop make a response over verified TLS unverified", async () => {
    const to = `https://${harness.newHost({ kind: "page", status: 503 })}/`;
    const outcome = await harness.see({ kind: "redirect", to }, { scheme: "http" });
    expect(outcome).toMatchObject({ code: "http-server-error", trace: { tlsVerified: false } });
  });

  test("share the time limit of the whole probe", async () => {
    const host = harness.newHost({ kind: "redirect-endless" });
    for (const hop of [1, 2, 3, 4])
      harness.internet.set(`https://${host}/hop-${hop}`, {
        kind: "page",
        status: 302,
        headers: { Location: `/hop-${hop + 1}` },
        body: "",
        delayMs: 250,
      });
    const limits = { ...LIMITS, totalMs: 600 };
    const outcome = await harness.probe(`https://${host}/`, { deps: { limits } });
    // The stage in which the time ends depends on the machine.
    expect(wordFor(outcome)).toMatch(/-timeout$/u);
  });
});

describe("the trace", () => {
  const NUMBER: number = expect.any(Number);
  const TIMES = { dnsMs: NUMBER, tcpMs: NUMBER, firstByteMs: NUMBER, bodyMs: NUMBER };

  test.each([
    ["http", { tlsVerified: null, timings: { ...TIMES, totalMs: NUMBER } }],
    [
      "https",
      {
        tlsVerified: true,
        certExpiresAtMs: NUMBER,
        timings: { ...TIMES, tlsMs: NUMBER, totalMs: NUMBER },
      },
    ],
  ] as const)("over %s has all that was seen, and no more", async (scheme, parts) => {
    const outcome = await harness.see({ kind: "page", bodyBytes: 300 }, { scheme });
    const trace = traceOf(outcome);
    expect(outcome).toEqual({
      kind: "ok",
      trace: {
        url: trace.url,
        redirects: 0,
        address: "127.0.0.1",
        httpStatus: 200,
        bodyBytes: 300,
        rawBytes: NUMBER,
        ...parts,
      },
    });
    const { totalMs, ...stages } = trace.timings;
    const sumMs = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
    expect(Math.min(...Object.values(stages))).toBeGreaterThanOrEqual(0);
    // Each time is rounded.
    expect(sumMs).toBeLessThanOrEqual(totalMs + 3);
  });

  test("has the key of the certificate for those who ask for it", async () => {
    const keyOf = async (target: { asksKey?: true }) =>
      traceOf(await harness.see({ kind: "page" }, { target })).certKey;
    expect(await keyOf({ asksKey: true })).toMatch(/^[\w-]{43}$/u);
    expect(await keyOf({})).toBeUndefined();
  });
});

describe("cookies", () => {
  /** The length of the cookies of each request, where the first answers set cookies of these lengths. */
  async function cookiesAfter(...answers: readonly (readonly number[])[]) {
    const host = harness.newHost();
    for (const [index, sizes] of answers.entries()) {
      const cookies = sizes.map((size, at) => `${index}${at}=${"x".repeat(size - 3)}`);
      const [first = "", second] = cookies;
      harness.internet.set(`https://${host}/${index === 0 ? "" : index}`, {
        kind: "page",
        status: 302,
        headers: {
          Location: `/${index + 1}`,
          "Set-Cookie": first,
          ...(second !== undefined && { "set-cookie": second }),
        },
        body: "",
      });
    }
    expect(wordFor(await harness.probe(`https://${host}/`))).toBe("ok");
    return harness.internet
      .stats(host)
      .requests.map((one) => /^cookie: ([^\r\n]*)/imu.exec(one)?.[1]?.length);
  }

  test("of 8,192 characters are taken and sent back", async () => {
    expect(await cookiesAfter([8_192])).toEqual([undefined, 8_192]);
    expect(await cookiesAfter([8_193])).toEqual([undefined, undefined]);
  });

  test("of one answer are taken up to 8,192 characters together", async () => {
    expect(await cookiesAfter([4_000, 4_190])).toEqual([undefined, 8_192]);
    expect(await cookiesAfter([4_000, 4_193])).toEqual([undefined, 4_000]);
  });

  test("of several answers are sent up to 8,192 characters together", async () => {
    expect(await cookiesAfter([4_000], [4_190])).toEqual([undefined, 4_000, 8_192]);
    expect(await cookiesAfter([4_000], [4_191])).toEqual([undefined, 4_000, undefined]);
  });
});
