import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { openCertificateIssuer } from "../simulated-internet/certificates.ts";
import { connectSockets } from "../../src/verify/http/sockets.ts";
import { check, idsOf } from "./check.ts";
import { deployOverSocket } from "./socket-deployment.ts";

const CHECK = fileURLToPath(new URL("check.ts", import.meta.url));

/** The codes of certificates that no root answers for. */
const UNTRUSTED = /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_)/u;

test("certificates are verified, and NODE_EXTRA_CA_CERTS adds roots", async () => {
  const issuer = await openCertificateIssuer(Date.now());
  const context = await issuer.contextFor("localhost", "public");
  const hosts: string[] = [];
  const { port } = await deployOverSocket(undefined, (listener) =>
    createTlsServer(
      {
        SNICallback: (host, done) => {
          hosts.push(host);
          done(null, context);
        },
      },
      listener,
    ),
  );
  const url = `https://localhost:${port}`;

  // HEAD has connections of its own, and names the host only if it is a name.
  const sendHead = async (to: string): Promise<unknown> => {
    const transport = connectSockets(new URL(to), 60_000);
    onTestFinished(() => transport.close());
    const { signal } = new AbortController();
    return transport.exchange({ method: "HEAD", target: "/" }, signal);
  };
  await expect(sendHead(url)).rejects.toMatchObject({ code: expect.stringMatching(UNTRUSTED) });
  await expect(sendHead(`https://127.0.0.1:${port}`)).rejects.toThrow();
  expect(hosts).toEqual(["localhost"]);

  const distrusted = await check(new URL(url));
  expect(idsOf(distrusted, "fail")).toEqual(["list.reachable"]);
  expect(distrusted.checks[0]?.problems[0]).toMatch(
    /the certificate does not verify \(.*NODE_EXTRA_CA_CERTS/u,
  );

  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "root.pem"), issuer.publicRootPem);
  const code = `
    const { check, idsOf, problemsOf } = await import(${JSON.stringify(CHECK)});
    const report = await check(new URL(${JSON.stringify(url)}));
    console.log(JSON.stringify({ failed: idsOf(report, "fail"), problems: problemsOf(report) }));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "-e", code],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(folder, "root.pem") } },
  );
  expect(JSON.parse(stdout)).toEqual({ failed: [], problems: "" });
});
