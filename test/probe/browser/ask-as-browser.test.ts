import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SERVICE_LIMITS } from "../../../src/probe/limits.ts";
import type { Behaviour } from "../../simulated-internet/behaviour.ts";
import { listen } from "../../simulated-internet/front.ts";
import { startH2Server } from "../../simulated-internet/h2-server.ts";
import {
  type SimulatedInternet,
  startSimulatedInternet,
} from "../../simulated-internet/simulated-internet.ts";
import { LIMITS, shortFor } from "../harness.ts";
import { runScript } from "../../run-script.ts";
import { askBrowser, isInstalled, targetOf } from "./harness.ts";

/** No program listens there. Source: RFC 863, port 9 is that of "discard". */
const DEAD_PROXY = "http://127.0.0.1:9";

const SILENT = shortFor("tcpMs", "tlsMs", "firstByteMs", "stallMs");

let internet: SimulatedInternet;
let hosts = 0;
beforeAll(async () => {
  internet = await startSimulatedInternet({ hasOwnRoot: true });
});
afterAll(() => internet.close());

/** A new host with this behaviour. */
function hostWith(behaviour: Behaviour) {
  hosts += 1;
  const name = `b${hosts}.test`;
  internet.set(name, behaviour);
  const [line = ""] = internet.connectToLines([name]);
  return { name, ...targetOf(Number(line.split(":").at(-1)), name) };
}

function setVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    });
  }
}

const opens = (status: number, bytes: number) => ({ kind: "opens", status, bytes });
const fails = (stage: string) => ({ kind: "fails", stage });

describe.skipIf(!isInstalled)("with the optional package wreq-js", () => {
  test.each<[string, Behaviour, object]>([
    ["a page", { kind: "page" }, opens(200, 70_000)],
    ["a short page", { kind: "page", bodyBytes: 500 }, opens(200, 500)],
    ["a long page", { kind: "page", bodyBytes: 500_000 }, opens(200, 70_000)],
    ["an endless page", { kind: "body-endless" }, opens(200, 70_000)],
    ["an answer without a body", { kind: "page", status: 204, bodyBytes: 0 }, opens(204, 0)],
    ["an error of the server", { kind: "page", status: 503, bodyBytes: 10 }, opens(503, 10)],
    ["a head with many lines", { kind: "headers-many", count: 300 }, opens(200, 0)],
    ["a certificate of its own", { kind: "page", certificate: "self-signed" }, opens(200, 70_000)],
  ])("%s opens", async (_, behaviour, expected) => {
    expect(await askBrowser(hostWith(behaviour))).toEqual(expected);
  });

  test.each<[string, Behaviour, string]>([
    ["no answer to SYN", { kind: "tcp-blackhole" }, "tcp"],
    ["a refused connection", { kind: "tcp-refused" }, "tcp"],
    ["silence after the ClientHello", { kind: "tls-silence" }, "tls"],
    ["a reset after the ClientHello", { kind: "tls-reset" }, "tls"],
    ["a close after the ClientHello", { kind: "tls-close" }, "tls"],
    ["an alert", { kind: "tls-alert", alert: "unrecognized_name" }, "tls"],
    ["plain HTTP", { kind: "tls-plain-http" }, "tls"],
    ["silence after the request", { kind: "http-silence" }, "http"],
    ["a reset after the request", { kind: "http-reset" }, "http"],
    ["an endless head", { kind: "headers-endless" }, "http"],
    ["endless informational answers", { kind: "informational-flood", intervalMs: 0 }, "http"],
    ["silence in a body", { kind: "body-stall", afterBytes: 500, bodyBytes: 1_000 }, "body"],
    ["a reset in a body", { kind: "body-reset", afterBytes: 16_000 }, "body"],
    ["a close in a body", { kind: "body-close", afterBytes: 16_000 }, "body"],
    ["chunks without a length", { kind: "body-bad-chunk" }, "body"],
  ])("%s fails", async (_, behaviour, stage) => {
    expect(await askBrowser(hostWith(behaviour), SILENT)).toMatchObject(fails(stage));
  });

  test("a freeze after 16 KB is a failure of the body, with the bytes that came", async () => {
    const wire = { kind: "cut", afterRawBytes: 16_384, ending: "silence" } as const;
    const frozen = hostWith({ kind: "page", wire });
    expect(await askBrowser(frozen, SILENT)).toEqual({ ...fails("body"), bytes: 16_384 });
  });

  test("a body that drips for ever ends with the time of the probe", async () => {
    const limits = { ...LIMITS, totalMs: 1_500 };
    const dripping = hostWith({ kind: "body-drip", intervalMs: 100 });
    expect(await askBrowser(dripping, limits)).toMatchObject(fails("body"));
  });

  test("HTTP/2 is spoken where the server can, over TLS 1.2 too", async () => {
    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      const server = await startH2Server("page", { maxVersion });
      expect(await askBrowser(targetOf(server.port))).toEqual(opens(200, 4));
      expect(server.versions).toEqual(["2.0"]);
      await server.close();
    }
  });

  test("a redirect is an answer, and not followed", async () => {
    const elsewhere = hostWith({ kind: "page" });
    const moved = hostWith({ kind: "redirect", to: elsewhere.url.href });
    expect(await askBrowser(moved)).toMatchObject({ kind: "opens", status: 302 });
    expect(internet.connections(elsewhere.name)).toBe(0);
  });

  test("proxies of the environment are ignored", async () => {
    const names = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "all_proxy"];
    setVariables(Object.fromEntries(names.map((name) => [name, DEAD_PROXY])));
    // It could also take a proxy that the client was given.
    setVariables({ NO_PROXY: "*", no_proxy: "*" });
    const host = hostWith({ kind: "page" });
    expect(await askBrowser(host)).toMatchObject({ kind: "opens" });
    expect(internet.connections(host.name)).toBe(1);
  });

  test("only the given address and port are connected to, whatever the URL says", async () => {
    let strangers = 0;
    const other = await listen(() => {
      strangers += 1;
    });
    onTestFinished(() => other.close());
    const url = new URL(`https://localhost:${other.port}/`);
    expect(await askBrowser({ url, address: "127.0.0.1", port: internet.tlsPort })).toMatchObject({
      kind: "opens",
    });
    expect(strangers).toBe(0);
    expect(internet.stats("localhost").requests.at(-1)).toContain(`host: localhost:${other.port}`);
  });

  test("each opinion has a connection of its own, without cookies or a user", async () => {
    const host = hostWith({ kind: "page", headers: { "set-cookie": "id=1" } });
    const url = new URL(`https://me:secret@${host.name}/a?b#c`);
    await askBrowser({ ...host, url });
    await askBrowser({ ...host, url });
    const { connections, requests } = internet.stats(host.name);
    expect(connections).toBe(2);
    for (const request of requests) {
      expect(request).toMatch(/^GET \/a\?b HTTP\/1\.1\r\n/u);
      expect(request).not.toMatch(/^(?:cookie|authorization):/imu);
    }
  });

  test("an abort ends the opinion without one", async () => {
    const stop = new AbortController();
    const host = hostWith({ kind: "http-silence" });
    const asking = askBrowser(host, LIMITS, stop.signal);
    await expect.poll(() => internet.stats(host.name).requests.length).toBe(1);
    stop.abort();
    expect(await asking).toBeUndefined();
    expect(await askBrowser(host, LIMITS, stop.signal)).toBeUndefined();
  });

  test("a process ends after opinions that were given up half-way", async () => {
    // A process that does not end fails here, by the patience of the tests.
    expect(await runScript("probe/browser-exit-script.ts", ["20"])).toEqual({ opened: 20 });
  });

  test("http is not asked", async () => {
    const url = new URL("http://h.test/");
    const target = { url, address: "127.0.0.1", port: internet.httpPort };
    expect(await askBrowser(target, SERVICE_LIMITS)).toBeUndefined();
    expect(internet.connections("h.test")).toBe(0);
  });
});
