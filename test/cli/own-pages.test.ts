import { request } from "node:http";
import { expect, test } from "vitest";
import { eventsNamed, type RunningCli, until } from "./cli.ts";
import { MAX_MS, openStartHarness, type StartHarness } from "./start-harness.ts";

/* Whose pages may send reports, by address and options of the intake. All hosts: test/reports/intake/cors-origin.test.ts. */

const LONG = { timeout: MAX_MS };

/** Sends a report with any `Host` and `Origin`. Resolves to the status. */
function report(port: number, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const target = { host: "127.0.0.1", port, path: "/report/alpha", method: "POST", headers };
    const sent = request(target, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once("error", reject);
    sent.end();
  });
}

const warningsOf = ({ stderr }: RunningCli): readonly string[] =>
  eventsNamed(stderr(), "warning").map(({ message }) => String(message));

async function startIntake(harness: StartHarness, ...args: readonly string[]): Promise<RunningCli> {
  const running = harness.start("intake", args);
  await until("it accepts reports", () => running.stdout().includes("Taking reports"), MAX_MS);
  return running;
}

test.concurrent(
  "an intake on the loopback accepts only pages of this machine, and warns",
  LONG,
  async ({ onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished);
    const { port } = harness;
    const intake = await startIntake(harness);
    expect(warningsOf(intake)).toEqual([
      expect.stringMatching(/^Without --base-url only pages that a browser of this machine opens/u),
    ]);
    const here = `localhost:${port}`;
    expect(await report(port, { Host: here, Origin: `http://${here}` })).toBe(202);
    const rebound = `evil.example:${port}`;
    expect(await report(port, { Host: rebound, Origin: `http://${rebound}` })).toBe(403);
    expect(await report(port, { Host: rebound })).toBe(202);
  },
);

test.concurrent(
  "an intake on all addresses accepts only allowed origins and programs, and warns",
  LONG,
  async ({ onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished);
    const { port } = harness;
    const partner = "https://partner.example";
    const intake = await startIntake(
      harness,
      "--host",
      "0.0.0.0",
      "--set",
      `allowOrigin=${partner}`,
    );
    expect(warningsOf(intake)).toEqual([
      expect.stringMatching(/^Without --base-url no page is known to be ours, .* 0\.0\.0\.0/u),
    ]);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, "status.example"]) {
      expect(await report(port, { Host: host, Origin: `http://${host}` })).toBe(403);
      expect(await report(port, { Host: host, Origin: partner })).toBe(202);
      expect(await report(port, { Host: host })).toBe(202);
    }
  },
);

test.concurrent(
  "a preview on all addresses warns, and accepts no report of its own pages",
  LONG,
  async ({ onTestFinished }) => {
    const harness = await openStartHarness(onTestFinished);
    const { port } = harness;
    const serve = harness.start("serve", ["--host", "0.0.0.0"]);
    await until("it serves", () => serve.stdout().includes("Try http"), MAX_MS);
    expect(warningsOf(serve)[0]).toMatch(/^Without --base-url no page is known to be ours/u);
    const here = `127.0.0.1:${port}`;
    expect(await report(port, { Host: here, Origin: `http://${here}` })).toBe(403);
  },
);
