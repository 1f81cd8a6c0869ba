import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

/* Runs the command of the alarm unit as systemd would, with a fixed log. Needs curl. */

const UNIT = fileURLToPath(
  new URL("../../deploy/systemd/status-snapshot-alarm@.service", import.meta.url),
);

/** The script of `ExecStart=`, as systemd passes it to the shell. Source: systemd.service(5), "Command lines"; systemd.unit(5). */
async function readScript(instance: string): Promise<string> {
  const [, quoted] =
    /^ExecStart=\/bin\/sh -ec '(.*?)'$/msu.exec(await readFile(UNIT, "utf8")) ?? [];
  if (quoted === undefined) throw new Error(`${UNIT} has no such ExecStart=`);
  return quoted
    .replaceAll("\\\n", " ")
    .replaceAll("\\\\", "\\")
    .replaceAll("$$", "$")
    .replaceAll("%%", "\0")
    .replaceAll("%i", instance)
    .replaceAll("\0", "%");
}

/** Runs the script with a `journalctl` that prints its arguments. */
async function tell(env: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-alarm-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "journalctl"), '#!/bin/sh\necho "$@"\necho "a \\"line\\""\n');
  await chmod(join(folder, "journalctl"), 0o755);
  const script = await readScript("status-snapshot.service");
  // In the unit, /tmp is private.
  expect(script).toContain("/tmp/lines");
  await promisify(execFile)("/bin/sh", ["-ec", script.replaceAll("/tmp/", `${folder}/`)], {
    env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, ...env },
  });
}

test("a failure is posted with the last lines of the unit's log", async () => {
  const posts: string[] = [];
  const server = createServer((request, response) => void take(request, response));
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    posts.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  await tell({ STATUS_SNAPSHOT_ALARM_URL: `http://127.0.0.1:${port}/ping/secret/fail?a=1&b=%20` });
  expect(posts).toEqual([
    'POST /ping/secret/fail?a=1&b=%20 --unit=status-snapshot.service --lines=20 --output=cat\na "line"\n',
  ]);
});

test("without an address the script posts nothing and succeeds", async () => {
  await tell({});
});

test("every unit that can fail has the alarm", async () => {
  const units = ["status-snapshot", "status-snapshot-refresh", "status-snapshot-intake"];
  for (const unit of units) {
    const body = await readFile(join(UNIT, "..", `${unit}.service`), "utf8");
    expect(body).toMatch(/^OnFailure=status-snapshot-alarm@%n\.service$/mu);
  }
});
