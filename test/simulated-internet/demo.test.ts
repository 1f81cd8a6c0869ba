import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { NO_REPORTS } from "../../src/model/service/reports.ts";
import { isFull } from "../depth.ts";
import { findShortfalls } from "./demo-overview.ts";
import { readShippedCatalogue } from "./shipped-catalogue.ts";

const DEMO = fileURLToPath(new URL("demo.ts", import.meta.url));

let running: ChildProcess | undefined;

afterEach(() => {
  running?.kill("SIGKILL");
});

function startDemo(args: readonly string[], temporaryFolder: string, cwd = process.cwd()) {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), DEMO, ...args], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, TMPDIR: temporaryFolder },
  });
  running = child;
  return child;
}

/** Temporary folders of demos and their simulated internets. */
const foldersIn = (folder: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith("status-snapshot-"));

/** Runs a demo until it prints a text; `stop` sends SIGINT. */
async function stopAt(word: string) {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const child = startDemo([], folder);
  const exited = once(child, "exit");
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (errors += chunk));
  const shown = await readUntil(child.stdout, word);
  return {
    folder,
    shown,
    errors: () => errors,
    stop: async () => {
      child.kill("SIGINT");
      return exited;
    },
  };
}

test.runIf(isFull)(
  "the demo shows all 13 codes with a past, takes reports, and removes its files",
  async () => {
    const { shown, errors, stop } = await stopAt("removes what it published");

    expect({ shown, errors: errors() }).toEqual({
      shown: expect.stringContaining("85 services, 13 of 13 verdict codes."),
      errors: "",
    });
    const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(shown)?.[0] ?? "";
    const list = await fetch(`${url}/api/v1/status`);
    expect(await list.json()).toMatchObject({ services: { length: 85 } });
    const page = await (await fetch(`${url}/status/vtb`)).text();
    expect(page).toContain(`<link rel="canonical" href="${url}/status/vtb"/>`);
    const cells = [...page.matchAll(/data-cells="([^"]*)"/gu)].map(([, kinds = ""]) =>
      kinds.split(" "),
    );
    expect(cells.map((kinds) => kinds.length)).toEqual([48, 90]);
    for (const kinds of cells)
      expect(kinds.filter((kind) => kind === "nothing").length).toBeLessThan(3);
    expect((await fetch(`${url}/m/demo-shop`)).status).toBe(200);
    expect((await fetch(`${url}/monitor/new`)).status).toBe(200);
    const site = /add (?<site>\S+) at/u.exec(shown)?.groups?.["site"] ?? "";
    expect(await (await fetch(site)).text()).toContain("Магазин примеров");
    const headers = { Origin: url, "Content-Type": "application/json" };
    const report = await fetch(`${url}/report/vtb`, { method: "POST", headers, body: "{}" });
    expect(report.status).toBe(202);
    const folder = /--state file:(?<folder>\S+)\/state/u.exec(shown)?.groups?.["folder"] ?? "";
    expect(existsSync(folder)).toBe(true);

    expect(await stop()).toEqual([0, null]);
    expect(errors()).toBe("");
    expect(existsSync(folder)).toBe(false);
  },
);

test(`a demo that is stopped ${isFull ? "after" : "in"} its first run reports it and removes its files`, async () => {
  const { folder, errors, stop } = await stopAt(isFull ? "no faults" : "Five runs");
  expect(foldersIn(folder)).not.toEqual([]);
  expect(await stop()).toEqual([1, null]);
  expect(errors()).toBe("Stopped.\n");
  expect(foldersIn(folder)).toEqual([]);
});

test.skipIf(isFull)("a demo into public/ leaves the runs of its folder alone", async () => {
  const folder = mkdtempSync(join(tmpdir(), "status-snapshot-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of [".state", "public"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, ".state", "state.json.gz"), "written by a run");
  writeFileSync(join(folder, "public", "index.html"), "published by a run");
  const child = startDemo(["--once"], folder, folder);
  expect(await once(child, "exit")).toEqual([2, null]);
  expect(readdirSync(join(folder, "public"))).toEqual(["index.html"]);
});

test.skipIf(isFull)("a demo without some verdicts says which", async () => {
  const catalogue = await readShippedCatalogue();
  const verdict = { code: "ok", color: "ok", live: false, sinceMs: 0 } as const;
  const services = catalogue.services.map(({ slug, name }) => {
    return { slug, name, verdict, reports: NO_REPORTS };
  });

  const shortfalls = findShortfalls({ updatedAtMs: 0, services });

  expect(shortfalls.filter((one) => one.startsWith("No service has"))).toHaveLength(12);
  expect(shortfalls).toContain("rutube should be fail, but is ok.");
});

/** The output up to and including the chunk with a text; all of it if the text never comes. */
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
