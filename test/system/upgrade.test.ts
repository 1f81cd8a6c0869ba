import { execFile } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

/*
 * Docs: docs/operations/upgrading.md. The packed program, a packed "next version" of it with another layout of the state, the way up and
 * the way back.
 */

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "status-snapshot-upgrade-"));
const site = join(folder, "site");
const NEXT = "0.2.0";

beforeAll(async () => {
  // What `npm run build` has made: the tests of the package build it themselves.
  await run("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [packed = ""] = readdirSync(folder);
  await run("tar", ["-xzf", packed], { cwd: folder });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "package/node_modules"));
  cpSync(join(folder, "package"), join(folder, "next"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as object;
  writeFileSync(join(folder, "next/package.json"), JSON.stringify({ ...manifest, version: NEXT }));
  setLayout(join(folder, "next/dist/program"));
  mkdirSync(site);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The next version writes layout 2, as a release with another state would. */
function setLayout(programs: string): void {
  const changed = readdirSync(programs).filter((name) => {
    const text = readFileSync(join(programs, name), "utf8");
    const next = text.replace("var LAYOUT = 1;", "var LAYOUT = 2;");
    if (next !== text) writeFileSync(join(programs, name), next);
    return next !== text;
  });
  expect(changed).toHaveLength(1);
}

/** A run without a network, which publishes everything without data. */
async function start(version: "package" | "next", ...args: readonly string[]) {
  const program = [join(folder, version, "dist/cli.js"), ...args];
  const env = { PATH: process.env["PATH"] ?? "", HOME: site };
  return run(process.execPath, program, { cwd: site, env }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
    (error: { readonly code: number; readonly stdout: string; readonly stderr: string }) => error,
  );
}

const OFFLINE = ["run", "--dns", "127.0.0.1:9"];

test("a release goes over the one before, and back with the copy of the state", async () => {
  expect((await start("package", ...OFFLINE)).code).toBe(0);
  const published = readFileSync(join(site, "public/api/v1/status.json"), "utf8");
  cpSync(join(site, ".state"), join(site, "before"), { recursive: true });

  expect((await start("next", "--version")).stdout).toMatch(/^0\.2\.0 \([\da-f]{12}\)\n$/u);
  expect((await start("next", ...OFFLINE)).code).toBe(3);
  const state = readFileSync(join(site, ".state/state.json.gz"));

  const back = await start("package", ...OFFLINE);
  expect(back.code).toBe(1);
  expect(back.stderr).toMatch(
    /was written by a newer version .*layout 2; this one reads layout 1/u,
  );
  expect(back.stderr).not.toContain("damaged");
  expect(readFileSync(join(site, ".state/state.json.gz"))).toEqual(state);

  rmSync(join(site, ".state"), { recursive: true });
  cpSync(join(site, "before"), join(site, ".state"), { recursive: true });
  expect((await start("package", ...OFFLINE)).code).toBe(3);
  expect(JSON.parse(readFileSync(join(site, "public/api/v1/status.json"), "utf8"))).toMatchObject({
    services: (JSON.parse(published) as { readonly services: unknown }).services,
  });
});
