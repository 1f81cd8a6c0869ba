import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { SIGN } from "../browser-table/page.ts";
import { ROWS } from "../browser-table/rows.ts";
import { hostOf, startTableServer, type TableServer } from "../browser-table/server.ts";
import { openTlsTable, TLS_ROWS, tlsHostOf, type TlsTable } from "../browser-table/tls-table.ts";
import { createProbe } from "../../src/probe/probe.ts";
import { findFreePort } from "../free-port.ts";
import { NEVER, openHarness, rulesOf } from "../probe/harness.ts";
import { openBrowser, trustRoot } from "./browser.ts";

/** A page whose body never ends well is never "loaded". */
const WITHIN_MS = 4_000;
/** For a page that should open: a busy machine follows ten redirects in some seconds. */
const PATIENT_MS = 20_000;
const AT_ONCE = 4;

let home: string;
let server: TableServer;
let tls: TlsTable;
let browser: Browser;
beforeAll(async () => {
  server = await startTableServer();
  tls = await openTlsTable();
  home = mkdtempSync(join(tmpdir(), "status-snapshot-browser-"));
  trustRoot(home, tls.rootPem);
  // The first rule that fits counts.
  const rules = [
    ...tls.ports.map((port, index) => `MAP ${tlsHostOf(index)}:443 127.0.0.1:${port}`),
    `MAP aia.test 127.0.0.1:${tls.issuerPort}`,
    `MAP *.test 127.0.0.1:${server.port}`,
  ];
  browser = await openBrowser({
    args: [`--host-resolver-rules=${rules.join(",")}`],
    env: { ...process.env, HOME: home },
  });
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([server.close(), tls.close()]);
  rmSync(home, { recursive: true, force: true });
});

/** Whether a visitor gets the page. */
async function opensInBrowser(url: string, timeout: number): Promise<boolean> {
  const context = await browser.newContext({ locale: "ru-RU" });
  try {
    const page = await context.newPage();
    await page.goto(url, { timeout });
    return String(await page.evaluate("document.body?.innerText")).includes(SIGN);
  } catch {
    return false;
  } finally {
    await context.close();
  }
}

const table = [
  ...ROWS.map((row, index) => ({ ...row, url: `http://${hostOf(index)}/` })),
  ...TLS_ROWS.map((row, index) => ({ ...row, url: `https://${tlsHostOf(index)}/` })),
];

/** GnuTLS without the extension of RFC 5746, which OpenSSL cannot leave out. */
async function startOldServer(): Promise<number> {
  const { key, cert } = tls.ordinary;
  const [keyFile, certFile] = [join(home, "key.pem"), join(home, "cert.pem")];
  writeFileSync(keyFile, key);
  writeFileSync(certFile, cert);
  const port = await findFreePort();
  const priority = "NORMAL:-VERS-ALL:+VERS-TLS1.2:%DISABLE_SAFE_RENEGOTIATION";
  const files = ["--x509keyfile", keyFile, "--x509certfile", certFile];
  const child = spawn(
    "gnutls-serv",
    ["--http", "--port", String(port), "--priority", priority, ...files],
    { stdio: "ignore" },
  );
  onTestFinished(() => void child.kill());
  await expect.poll(() => accepts(port), { timeout: WITHIN_MS }).toBe(true);
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("close", () => socket.destroy()).on("connect", () => socket.destroy());
  });
}

test("a server of TLS 1.2 without RFC 5746 opens", async () => {
  const port = await startOldServer();
  const harness = await openHarness();
  onTestFinished(() => harness.close());
  const deps = tls.depsOf(harness.deps);
  const connectTo = rulesOf([`${tlsHostOf(0)}:443::${port}`]);
  const target = { url: `https://${tlsHostOf(0)}/`, trust: "public" } as const;
  expect(await createProbe({ ...deps, connectTo })(target, 0, NEVER)).toMatchObject({ kind: "ok" });
});

test("Chromium opens what is judged as opening, but where a row says why not", async () => {
  const seen = new Map<string, boolean>();
  const waiting = [...table];
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const { name, url, verdict, butBrowser } = row;
      const shouldOpen = (verdict === "opens") === (butBrowser === undefined);
      seen.set(name, await opensInBrowser(url, shouldOpen ? PATIENT_MS : WITHIN_MS));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const lines = table.map(({ name, verdict, butBrowser }) => ({
    name,
    agrees: (verdict === "opens") === seen.get(name),
    expected: butBrowser === undefined,
  }));
  for (const { name, verdict, butBrowser = "" } of table)
    console.log(`${seen.get(name) ? "opens" : "fails"} | ${verdict} | ${name} | ${butBrowser}`);
  expect(lines.filter(({ agrees, expected }) => agrees !== expected)).toEqual([]);
});
