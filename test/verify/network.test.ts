import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createVerifyClient } from "../../src/verify/http/client.ts";
import { connectSockets } from "../../src/verify/http/sockets.ts";
import { check, checkWith, idsOf, seenOf } from "./check.ts";
import {
  become,
  editJson,
  isDetail,
  isList,
  LIST,
  replaceServices,
  setHeader,
  when,
} from "./rows/corrupt.ts";
import { deployOverSocket, listenAnywhere } from "./socket-deployment.ts";

async function listenRaw(onConnection: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    onConnection(socket);
  });
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return listenAnywhere(server);
}

const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n";

const LATE = /no complete answer in time/u;

const FAULTS: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
  ["accepts and sends nothing", (socket) => socket.resume(), LATE],
  ["closes at once", (socket) => socket.end(), /closed the connection/u],
  ["resets", (socket) => socket.resetAndDestroy(), /reset|closed/u],
  [
    "does not speak HTTP",
    (socket) => socket.once("data", () => socket.end("SSH-2.0\r\n")),
    /not HTTP/u,
  ],
  ["stops in the body", (socket) => socket.once("data", () => socket.write(`${HEAD}{`)), LATE],
  ["closes in the body", (socket) => socket.once("data", () => socket.end(`${HEAD}{`)), /closed/u],
  [
    "never ends the body",
    (socket) => {
      socket.once("data", () => {
        socket.write(HEAD);
        const timer = setInterval(() => socket.write(" "), 20);
        socket.once("close", () => clearInterval(timer));
      });
    },
    LATE,
  ],
];

test.each(FAULTS)(
  "a server that %s fails one check, and the rest is skipped",
  async (_, fault, words) => {
    const url = await listenRaw(fault);
    // Short only for servers that never end.
    const report = await check(url, words === LATE ? { timeoutMs: 200 } : {});
    expect(idsOf(report, "fail")).toEqual(["list.reachable"]);
    expect(idsOf(report, "pass")).toEqual([]);
    const [first] = report.checks;
    expect(first?.problems).toHaveLength(2);
    expect(first?.problems[0]).toMatch(words);
    expect(report.checks[1]?.seen).toMatch(words);
  },
);

test("a body of more than 16 MiB is not an answer", async () => {
  const body = Buffer.alloc(16 * 1024 * 1024 + 1);
  const server = createHttpServer((_request, response) => response.end(body));
  const transport = connectSockets(await listenAnywhere(server), 60_000);
  onTestFinished(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });
  const { signal } = new AbortController();
  const got = transport.exchange({ method: "GET", target: "/" }, signal);
  await expect(got).rejects.toMatchObject({ code: "body-too-large" });
});

test("a connection that is closed without an answer to HEAD is tried once more", async () => {
  let closing = 0;
  const url = await listenRaw((socket) => {
    const answer = closing > 0 ? "" : HEAD;
    closing -= 1;
    socket.once("data", () => socket.end(answer));
  });
  const transport = connectSockets(url, 60_000);
  onTestFinished(() => transport.close());
  const { signal } = new AbortController();
  const client = createVerifyClient(transport, { timeoutMs: 60_000, signal });
  /** What comes of a request of which so many connections are closed, and how often it was sent. */
  const ask = async (closed: number) => {
    closing = closed;
    const before = client.tally.requests;
    const { kind } = await client.send({ method: "HEAD", target: "/" });
    return [kind, client.tally.requests - before];
  };
  expect(await ask(0)).toEqual(["answer", 1]);
  expect(await ask(1)).toEqual(["answer", 2]);
  expect(await ask(2)).toEqual(["trouble", 2]);
});

test("a refused connection and a name without an address are reported", async () => {
  const server = createServer();
  const url = await listenAnywhere(server);
  server.close();
  await once(server, "close");
  const refused = await check(url);
  expect(refused.checks[0]?.problems[0]).toBe(`GET ${LIST}: connection refused, expected 200`);
  const nameless = await check(new URL("http://no-such-host.invalid"));
  expect(nameless.checks[0]?.problems[0]).toMatch(/the host name has no address|the resolver/u);
});

test("a base address may have a path", async () => {
  const url = await deployOverSocket();
  const report = await check(new URL("/below/", url));
  expect(report.baseUrl).toBe(`${url.origin}/below`);
  expect(report.checks[0]?.problems[0]).toBe("GET /api/v1/status: HTTP 404, expected 200");
});

test("a list that is 500 fails one check, and dependent checks are skipped", async () => {
  const report = await checkWith(when(isList, become(500)));
  expect(idsOf(report, "fail")).toEqual(["list.reachable"]);
  expect(idsOf(report, "skip")).toContain("detail.agrees");
  expect(seenOf(report, "list.json")).toBe("the document or response to check could not be read");
  expect(seenOf(report, "data.agrees")).toBe("the list could not be read");
  expect(idsOf(report, "pass")).toContain("missing.status");
});

test("a redirect is not followed", async () => {
  const url = await deployOverSocket(
    when(isList, (answer) => {
      become(302, "")(answer);
      setHeader("Location", "/elsewhere")(answer);
    }),
  );
  const report = await check(url);
  expect(idsOf(report, "fail")).toContain("list.reachable");
  expect(report.checks.find(({ id }) => id === "redirects.none")?.problems[0]).toBe(
    "GET /api/v1/status: HTTP 302 to /elsewhere",
  );
});

test("a 429 is retried, and must be readable and have Retry-After", async () => {
  let refusals = 0;
  const limit = (...headers: ((answer: Parameters<ReturnType<typeof setHeader>>[0]) => void)[]) =>
    when(isDetail, (answer) => {
      refusals += 1;
      if (refusals > 2) return;
      become(429)(answer);
      for (const set of headers) set(answer);
    });
  const polite = await deployOverSocket(limit(setHeader("Retry-After", "0")));
  const report = await check(polite);
  expect(idsOf(report, "fail")).toEqual([]);
  expect(idsOf(report, "pass")).toContain("rate-limit");
  refusals = 0;
  const rude = await deployOverSocket(limit(setHeader("Access-Control-Allow-Origin")));
  const rudely = await check(rude);
  expect(idsOf(rudely, "fail")).toEqual(["rate-limit"]);
  expect(rudely.checks.find(({ id }) => id === "rate-limit")?.problems).toHaveLength(2);
});

test("at most eight requests are in progress", async () => {
  const services = Array.from({ length: 40 }, (_, index) => `s-${index}`);
  const { port } = await deployOverSocket(
    replaceServices((first) => services.map((slug) => ({ ...first, slug }))),
  );
  let most = 0;
  let open = 0;
  const server = createServer((socket) => {
    open += 1;
    most = Math.max(most, open);
    const upstream = connect(Number(port), "127.0.0.1");
    upstream.on("error", () => socket.destroy());
    socket.on("error", () => upstream.destroy()).on("close", () => (open -= 1));
    socket.pipe(upstream).pipe(socket);
  });
  const url = await listenAnywhere(server);
  onTestFinished(async () => {
    server.close();
    await once(server, "close");
  });
  const report = await check(url, { expectedServices: 40 });
  expect(report.requests).toBeGreaterThan(90);
  expect(idsOf(report, "fail")).toEqual(["detail.reachable", "data.agrees", "data.history"]);
  expect(most).toBeGreaterThan(1);
  // Three more: each HEAD has its own connection, while idle ones of the pool stay open.
  expect(most).toBeLessThanOrEqual(8 + 3);
});

test("the total time is limited, and a stop ends all checks", async () => {
  const late = await check(await deployOverSocket(), { totalMs: 1 });
  expect(late.checks[1]?.seen).toBe("the time for the whole check was over");
  const stop = new AbortController();
  const url = await listenRaw((socket) => socket.resume());
  setTimeout(() => stop.abort("aborted"), 50);
  const stopped = await check(url, { signal: stop.signal });
  expect(stopped.checks[1]?.seen).toBe("stopped");
});

test("a different clock is a warning, and the server's clock counts", async () => {
  const report = await checkWith(undefined, { wallMs: () => Date.now() - 1_200_000 });
  expect(idsOf(report, "fail")).toEqual([]);
  expect(report.checks.find(({ id }) => id === "list.fresh")?.warnings).toEqual([
    expect.stringMatching(/^the clock of the server is 1[12]\d\d s ahead of/u),
  ]);
});

test("a frozen cache is not fresh despite its old Date", async () => {
  const thenMs = Date.now() - 7_200_000;
  const report = await checkWith((answer) => {
    if (!isList(answer)) return;
    setHeader("Date", new Date(thenMs).toUTCString())(answer);
    editJson(isList, (list) => {
      list["updated"] = Math.floor(thenMs / 1_000);
    })(answer);
  });
  expect(idsOf(report, "fail")).toEqual(["list.fresh", "data.agrees"]);
});
