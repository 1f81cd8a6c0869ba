import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "../../src/model/outcome.ts";
import type { Behaviour } from "../world/behaviour.ts";
import { flood } from "../world/flood.ts";
import { LIMITS, failureOf, openLab, rulesOf, traceOf, wordFor, type Lab } from "./lab.ts";

let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
});
afterAll(() => lab.close());

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
    [{ kind: "informational-flood", status: 100, intervalMs: 0 }, "http-malformed"],
    [{ kind: "informational-flood", status: 101, intervalMs: 0 }, "http-malformed"],
  ])("%j ends as %s, without a status", async ([behaviour, code]) => {
    const { stage, trace, ...outcome } = failureOf(await lab.see(behaviour, { scheme }));
    expect(outcome.code).toBe(code);
    expect(stage).toBe("http");
    expect(trace.httpStatus).toBeUndefined();
    expect(trace.tlsVerified).toBe(scheme === "https" ? true : null);
  });

  test("many headers are no harm while they stay below the limit", async () => {
    const outcome = await lab.see({ kind: "headers-many", count: 5_000 }, { scheme });
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 200 } });
  });

  test("a slow head is waited for, and its time is told", async () => {
    const outcome = await lab.see({ kind: "page", delayMs: 300 }, { scheme });
    const { timings } = traceOf(outcome);
    expect(wordFor(outcome)).toBe("ok");
    expect(timings.firstByteMs).toBeGreaterThanOrEqual(295);
    expect(timings.totalMs).toBeGreaterThanOrEqual(Number(timings.firstByteMs));
  });
});

describe("a server that speaks in clear", () => {
  const HINTS = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n";
  const PAGE = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

  test("may send a few informational answers before the real one", async () => {
    const outcome = await seeRaw((socket) => socket.end(HINTS.repeat(3) + PAGE));
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 200, bodyBytes: 2 } });
  });

  test("and closes without a word has closed, each time", async () => {
    for (let count = 0; count < 20; count += 1)
      expect(wordFor(await seeRaw((socket) => socket.end()))).toBe("http-closed");
  });

  test("cannot hide a flood of bytes where no parser counts them", async () => {
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
      return await lab.probe("http://raw.test/", { deps: { connectTo } });
    } finally {
      server.close();
    }
  }
});

describe("the request", () => {
  test("asks for the bytes as they are and for the connection to be closed", async () => {
    const host = lab.newHost();
    await lab.probe(`https://${host}/a/b?c=d#e`);
    const [request = ""] = lab.world.stats(host).requests;
    const [first, ...headers] = request.trimEnd().split("\r\n");
    expect(first).toBe("GET /a/b?c=d HTTP/1.1");
    const lines = headers.map((line) => line.toLowerCase());
    expect(lines).toContain(`host: ${host}`);
    expect(lines).toContain("accept-encoding: identity");
    expect(lines).toContain("connection: close");
  });

  test("goes over a new connection each time", async () => {
    const host = lab.newHost();
    for (let count = 0; count < 5; count += 1) await lab.probe(`https://${host}/`);
    expect(lab.world.connections(host)).toBe(5);
    expect(lab.world.stats(host).requests).toHaveLength(5);
  });
});

test("a connection that is lost is not replaced by another one", async () => {
  const host = lab.newHost({ kind: "http-close" });
  expect(wordFor(await lab.probe(`https://${host}/`))).toBe("http-closed");
  expect(lab.world.connections(host)).toBe(1);
});

describe("the status", () => {
  test.for([200, 204, 304, 401, 403, 404, 418, 429, 600, 999])(
    "%d means that the service answers",
    async (status) => {
      const body = status === 204 || status === 304 ? "" : "hello";
      const outcome = await lab.see({ kind: "page", status, body });
      expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: status } });
    },
  );

  test.for([500, 502, 503, 504, 520, 599])("%d is the server's own error", async (status) => {
    const outcome = await lab.see({ kind: "page", status });
    expect(outcome).toMatchObject({
      code: "http-server-error",
      trace: { httpStatus: status, tlsVerified: true },
    });
  });

  test("an expected one is healthy whatever it is, and any other is not", async () => {
    const see = async (status: number): Promise<string> =>
      wordFor(await lab.see({ kind: "page", status }, { target: { expect: [200, 451, 503] } }));
    expect([await see(200), await see(503), await see(451)]).toEqual(["ok", "ok", "ok"]);
    expect(await see(404)).toBe("http-unexpected-status");
    expect(await see(502)).toBe("http-server-error");
  });

  test("451 is told with whether anybody in between may have written it", async () => {
    const refusal: Behaviour = { kind: "legal-refusal", blockedBy: "https://isp.example/" };
    expect(await lab.see(refusal)).toMatchObject({
      code: "http-legal-refusal",
      trace: { httpStatus: 451, tlsVerified: true },
    });
    expect(await lab.see(refusal, { scheme: "http" })).toMatchObject({
      code: "http-legal-refusal",
      trace: { httpStatus: 451, tlsVerified: null },
    });
  });
});

describe("redirects", () => {
  test("are followed, each hop on a connection of its own, and the last one is told", async () => {
    const last = lab.newHost({ kind: "page", status: 404 });
    const middle = lab.newHost({ kind: "redirect", to: `https://${last}/end`, status: 307 });
    const outcome = await lab.see({ kind: "redirect", to: `https://${middle}/`, status: 301 });
    expect(outcome).toMatchObject({
      kind: "ok",
      trace: { url: `https://${last}/end`, redirects: 2, httpStatus: 404, tlsVerified: true },
    });
    expect([lab.world.connections(middle), lab.world.connections(last)]).toEqual([1, 1]);
  });

  test.for([301, 302, 303, 307, 308])("%d is one", async (status) => {
    const to = `https://${lab.newHost()}/`;
    expect(traceOf(await lab.see({ kind: "redirect", to, status })).url).toBe(to);
  });

  test("a relative target, with letters beyond ASCII, belongs to the same host", async () => {
    const host = lab.newHost({ kind: "page" });
    lab.world.set(`https://${host}/`, { kind: "redirect", to: "//" + host + "/a b?x=1#part" });
    expect(traceOf(await lab.probe(`https://${host}/`)).url).toBe(`https://${host}/a%20b?x=1`);
  });

  test("to the same URL, or back to an earlier one, are a loop", async () => {
    expect(await lab.see({ kind: "redirect-loop" })).toMatchObject({
      code: "redirect-loop",
      trace: { redirects: 0, httpStatus: 302 },
    });
    const host = lab.newHost();
    lab.world.set(`https://${host}/`, { kind: "redirect", to: "/there" });
    lab.world.set(`https://${host}/there`, { kind: "redirect", to: "/" });
    expect(await lab.probe(`https://${host}/`)).toMatchObject({
      code: "redirect-loop",
      trace: { redirects: 1, url: `https://${host}/there` },
    });
  });

  test("end after five", async () => {
    const outcome = await lab.see({ kind: "redirect-endless" });
    expect(outcome).toMatchObject({ code: "redirect-too-many", trace: { redirects: 5 } });
  });

  test.for(["ftp://files.test/", "javascript:alert(1)", "file:///etc/passwd", "http://[::bad/"])(
    "to %s are refused",
    async (to) => {
      expect(wordFor(await lab.see({ kind: "redirect", to }))).toBe("redirect-refused");
    },
  );

  test("that the endpoint expects are answers and are not followed", async () => {
    const next = lab.newHost({ kind: "page", status: 500 });
    const outcome = await lab.see(
      { kind: "redirect", to: `https://${next}/` },
      { target: { expect: [200, 302] } },
    );
    expect(outcome).toMatchObject({ kind: "ok", trace: { httpStatus: 302, redirects: 0 } });
    expect(lab.world.connections(next)).toBe(0);
  });

  test("without a target are answers", async () => {
    expect(wordFor(await lab.see({ kind: "page", status: 302, body: "" }))).toBe("ok");
  });

  test("fail where they lead to a host that fails, and that stage is told", async () => {
    const dead = lab.newHost({ kind: "tls-reset" });
    expect(await lab.see({ kind: "redirect", to: `https://${dead}/` })).toMatchObject({
      stage: "tls",
      code: "tls-reset",
      trace: { redirects: 1, url: `https://${dead}/`, bodyBytes: 0 },
    });
  });

  test("from an open hop make the answer behind verified TLS unproven", async () => {
    const to = `https://${lab.newHost({ kind: "page", status: 503 })}/`;
    const outcome = await lab.see({ kind: "redirect", to }, { scheme: "http" });
    expect(outcome).toMatchObject({ code: "http-server-error", trace: { tlsVerified: false } });
  });

  test("share one time limit with everything else", async () => {
    const host = lab.newHost({ kind: "redirect-endless" });
    for (const hop of [1, 2, 3, 4])
      lab.world.set(`https://${host}/hop-${hop}`, {
        kind: "page",
        status: 302,
        headers: { Location: `/hop-${hop + 1}` },
        body: "",
        delayMs: 250,
      });
    const limits = { ...LIMITS, totalMs: 600 };
    const outcome = await lab.probe(`https://${host}/`, { deps: { limits } });
    // Where the time is over depends on the machine.
    expect(wordFor(outcome)).toMatch(/-timeout$/u);
  });
});
