import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";
import { NO_REPORTS } from "../../src/model/reports.ts";
import { findShortfalls } from "./demo-overview.ts";
import { readShippedCatalogue } from "./shipped-catalogue.ts";

const DEMO = fileURLToPath(new URL("demo.ts", import.meta.url));
/** It takes about 25 s, most of which it waits; the rest is room for a busy machine. */
const TIMEOUT_MS = 120_000;

let running: ChildProcess | undefined;

afterEach(() => {
  running?.kill("SIGKILL");
});

function startDemo(args: readonly string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", DEMO, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  running = child;
  return child;
}

test(
  "the demo shows all 13 verdict codes, serves them, and leaves nothing behind",
  async () => {
    const child = startDemo([]);
    const exited = once(child, "exit");
    let complaints = "";
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => (complaints += chunk));
    const shown = await readUntil(child.stdout, "removes what it published");

    expect({ shown, complaints }).toEqual({
      shown: expect.stringContaining("85 services, 13 of 13 verdict codes."),
      complaints: "",
    });
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(shown)?.[0] ?? "";
    const list = await fetch(`${url}/api/v1/status`);
    expect(await list.json()).toMatchObject({ services: { length: 85 } });
    const folder = /--state file:(?<folder>\S+)\/state/u.exec(shown)?.groups?.["folder"] ?? "";
    expect(existsSync(folder)).toBe(true);

    child.kill("SIGINT");
    expect(await exited).toEqual([0, null]);
    expect(complaints).toBe("");
    expect(existsSync(folder)).toBe(false);
  },
  TIMEOUT_MS,
);

test("a demo that lost some verdicts on the way says which", async () => {
  const catalogue = await readShippedCatalogue();
  const verdict = { code: "ok", color: "ok", live: false, sinceMs: 0 } as const;
  const services = catalogue.services.map(({ slug, name }) => {
    return { slug, name, verdict, reports: NO_REPORTS };
  });

  const shortfalls = findShortfalls({ updatedAtMs: 0, services });

  expect(shortfalls.filter((one) => one.startsWith("No service has"))).toHaveLength(12);
  expect(shortfalls).toContain("mts should be fail, but is ok.");
});

/** What the stream says up to and including a word; all of it when the word never comes. */
async function readUntil(stream: NodeJS.ReadableStream, word: string): Promise<string> {
  let seen = "";
  stream.setEncoding("utf8");
  return new Promise((resolve) => {
    stream.on("data", (chunk: string) => {
      seen += chunk;
      if (seen.includes(word)) resolve(seen);
    });
    stream.once("end", () => resolve(seen));
  });
}
