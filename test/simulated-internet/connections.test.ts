import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AskInternet, createAsk } from "./ask-internet.ts";
import type { Behaviour, CertificateKind } from "./behaviour.ts";
import { askRaw } from "./raw-client.ts";
import { startSimulatedInternet, type SimulatedInternet } from "./simulated-internet.ts";

let internet: SimulatedInternet;
let publicCa: string;
let nationalCa: string;
let ask: AskInternet;
beforeAll(async () => {
  internet = await startSimulatedInternet();
  publicCa = readFileSync(internet.rootCaFile, "utf8");
  ask = createAsk(internet);
  nationalCa = readFileSync(internet.nationalCaFile, "utf8");
});
afterAll(() => internet.close());

describe("TCP", () => {
  test.for([
    ["tcp-refused", "ECONNREFUSED", false],
    ["tcp-blackhole", "silent", false],
  ] as const)("%s ends before the connection is open", async ([kind, ended, isConnected]) => {
    internet.set("tcp.test", { kind });
    const [line = ""] = internet.connectToLines(["tcp.test"]);
    const port = Number(line.split(":").at(-1));
    const answer = await askRaw({ port, host: "tcp.test", ca: [publicCa], idleMs: 1_300 });
    expect(answer).toMatchObject({ ended, isConnected, rawBytes: 0 });
  });

  test("the black hole drops many simultaneous connections, repeatedly", async () => {
    const question = { port: internet.blackholePort, host: "x.test", idleMs: 300 };
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => askRaw(question)));
      expect(answers.filter((answer) => answer.isConnected)).toEqual([]);
    }
  });

  test("tcp-reset sends RST before anything else", async () => {
    const answer = await askRaw({ port: internet.resetPort, host: "x.test", ca: [publicCa] });
    expect(answer).toMatchObject({ ended: "ECONNRESET", rawBytes: 0 });
  });
});

describe("TLS", () => {
  test.for<[Behaviour, RegExp, number, RegExp]>([
    [{ kind: "tls-reset" }, /ECONNRESET/u, 0, /^read ECONNRESET/u],
    [{ kind: "tls-close" }, /closed/u, 0, /^$/u],
    [{ kind: "tls-silence" }, /silent/u, 0, /^$/u],
    [{ kind: "tls-alert", alert: "unrecognized_name" }, /EPROTO|ERR_SSL/u, 7, /alert number 112/u],
    [{ kind: "tls-alert", alert: "handshake_failure" }, /EPROTO|ERR_SSL/u, 7, /alert number 40/u],
    [{ kind: "tls-plain-http" }, /EPROTO|ERR_SSL/u, 66, /wrong version number/u],
    [{ kind: "tls-garbage" }, /EPROTO|ERR_SSL/u, 64, /wrong version number/u],
  ])("%j", async ([behaviour, ended, rawBytes, message]) => {
    const answer = await ask(behaviour);
    expect(answer).toMatchObject({ isConnected: true, isSecure: false, rawBytes });
    expect(answer.ended).toMatch(ended);
    expect(answer.message).toMatch(message);
  });

  test.for<[CertificateKind, string]>([
    ["public", "closed"],
    ["with-intermediate", "closed"],
    ["no-intermediate", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["unknown-issuer", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["national", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["self-signed", "DEPTH_ZERO_SELF_SIGNED_CERT"],
    ["expired", "CERT_HAS_EXPIRED"],
    ["not-yet-valid", "CERT_NOT_YET_VALID"],
    ["wrong-host", "ERR_TLS_CERT_ALTNAME_INVALID"],
  ])("a certificate that is %s", async ([certificate, ended]) => {
    expect((await ask({ kind: "page", certificate })).ended).toBe(ended);
  });

  test("the national certificate is valid with the national root", async () => {
    const behaviour = { kind: "page", certificate: "national" } as const;
    const answer = await ask(behaviour, { ca: [nationalCa] });
    expect(answer).toMatchObject({ ended: "closed", isSecure: true });
  });
});

test("a client that connects to an address receives a certificate for that address", async () => {
  const answer = await askRaw({ port: internet.tlsPort, host: "127.0.0.1", ca: [publicCa] });
  expect(answer).toMatchObject({ ended: "closed", isSecure: true });
});

describe("wire", () => {
  test.for([
    ["silence", "silent"],
    ["reset", "ECONNRESET"],
    ["close", "closed"],
  ] as const)("a cut by %s passes exactly the raw bytes", async ([ending, ended]) => {
    const wire = { kind: "cut", afterRawBytes: 16_384, ending } as const;
    const answer = await ask({ kind: "page", wire });
    expect(answer).toMatchObject({ ended, isSecure: true, rawBytes: 16_384 });
  });

  test("a cut after 100 bytes ends the handshake", async () => {
    const wire = { kind: "cut", afterRawBytes: 100, ending: "silence" } as const;
    const answer = await ask({ kind: "page", wire });
    expect(answer).toMatchObject({ ended: "silent", isSecure: false, rawBytes: 100 });
  });

  test("a throttled wire keeps its rate and loses nothing", async () => {
    const wire = { kind: "throttle", bytesPerSecond: 40_000 } as const;
    const behaviour = { kind: "page", bodyBytes: 20_000, wire } as const;
    const secure = await ask(behaviour);
    expect(secure.ended).toBe("closed");
    expect(secure.tookMs).toBeGreaterThan(450);
    internet.set("slow.test", behaviour);
    const { text } = await askRaw({ port: internet.httpPort, host: "slow.test" });
    expect(text.split("\r\n\r\n")[1]).toHaveLength(20_000);
  });
});
