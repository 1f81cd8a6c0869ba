import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { onTestFailed } from "vitest";
import { BURST_REQUESTS } from "../../src/verify/verify.ts";
import type { VerifiedCheck } from "../../src/verify/finding.ts";
import type { VerifyReport } from "../../src/verify/verify.ts";
import { getFrontCertificate } from "./front-certificate.ts";
import { BADGE_ID } from "./public-bucket.ts";
import { renderVerify } from "../../src/cli/commands/verify.ts";

const VERIFY = fileURLToPath(new URL("../../src/verify/verify.ts", import.meta.url));
const SOCKETS = fileURLToPath(new URL("../../src/verify/http/sockets.ts", import.meta.url));

/** Runs `verify` on a front of `openFrontHarness`, without the checks of a website; prints the report if the test fails. */
export async function verifyFront(url: URL): Promise<VerifyReport> {
  const report = await verifyAll(url, true);
  return { ...report, checks: report.checks.filter((check) => !isOfWebsite(check)) };
}

/** The checks of the website, if one was published. */
export async function verifyWebsite(url: URL): Promise<readonly VerifiedCheck[]> {
  return (await verifyAll(url, false)).checks.filter(isOfWebsite);
}

function isOfWebsite({ id }: VerifiedCheck): boolean {
  return id.startsWith("site.");
}

/** In a new process, because Node reads extra roots only when it starts. */
async function verifyAll(url: URL, isApiOnly: boolean): Promise<VerifyReport> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-verify-"));
  const rootFile = join(folder, "root.pem");
  const options = {
    expectedServices: 85,
    badgeId: BADGE_ID,
    isApiOnly,
    maxAgeMs: 900_000,
    timeoutMs: 10_000,
    totalMs: 90_000,
    settleWaitsMs: [0],
    burstRequests: BURST_REQUESTS,
  };
  const code = `
    const { verify } = await import(${JSON.stringify(VERIFY)});
    const { connectSockets: connect } = await import(${JSON.stringify(SOCKETS)});
    const { signal } = new AbortController();
    const options = { ...${JSON.stringify(options)}, connect, wallMs: () => Date.now(), signal };
    console.log(JSON.stringify(await verify(new URL(${JSON.stringify(url.href)}), options)));`;
  try {
    await writeFile(rootFile, (await getFrontCertificate()).certificatePem);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "-e", code],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: rootFile }, maxBuffer: 16 * 1024 * 1024 },
    );
    const report: VerifyReport = JSON.parse(stdout);
    onTestFailed(() => console.log(renderVerify(report, true)));
    return report;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
