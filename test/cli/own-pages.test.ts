import { request } from "node:http";
import { expect, test } from "vitest";
import { eventsNamed, type RunningCli, until } from "./cli.ts";
import { LONGEST_MS, openStartLab, type StartLab } from "./start-lab.ts";

/* Whose pages an intake takes reports from, by where it listens and what it was told. All hosts: test/intake/origin.test.ts. */

const LONG = { timeout: LONGEST_MS };

/** Sends a report as a program does that names any host and origin. Resolves to the status. */
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

async function startIntake(lab: StartLab, ...args: readonly string[]): Promise<RunningCli> {
  const running = lab.start("intake", args);
  await until("it takes reports", () => running.stdout().includes("Taking reports"), LONGEST_MS);
  return running;
}

test.concurrent(
  "an intake on the loopback takes reports of pages of this machine, and warns that it knows no others",
  LONG,
  async ({ onTestFinished }) => {
    const lab = await openStartLab(onTestFinished);
    const { port } = lab;
    const intake = await startIntake(lab);
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
  "an intake that everybody can connect to takes reports of told origins and of programs alone, and warns",
  LONG,
  async ({ onTestFinished }) => {
    const lab = await openStartLab(onTestFinished);
    const { port } = lab;
    const partner = "https://partner.example";
    const intake = await startIntake(lab, "--host", "0.0.0.0", "--allow-origin", partner);
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
  "a preview that everybody can connect to warns, too, and takes no report of its own pages",
  LONG,
  async ({ onTestFinished }) => {
    const lab = await openStartLab(onTestFinished);
    const { port } = lab;
    const serve = lab.start("serve", ["--host", "0.0.0.0"]);
    await until("it serves", () => serve.stdout().includes("Try http"), LONGEST_MS);
    expect(warningsOf(serve)[0]).toMatch(/^Without --base-url no page is known to be ours/u);
    const here = `127.0.0.1:${port}`;
    expect(await report(port, { Host: here, Origin: `http://${here}` })).toBe(403);
  },
);
