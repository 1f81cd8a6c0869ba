import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const bundles = new Map<string, Promise<string>>();

/**
 * The path of a script of the tests as one file: to start it takes half as long as with `tsx`, which compiles each of its modules.
 * Its own path is that of no source.
 */
export function bundleScript(script: URL): Promise<string> {
  const bundle = bundles.get(script.href) ?? writeBundle(script);
  bundles.set(script.href, bundle);
  return bundle;
}

async function writeBundle(script: URL): Promise<string> {
  const folder = join(tmpdir(), `status-snapshot-scripts-${process.pid}`);
  if (mkdirSync(folder, { recursive: true }) !== undefined) {
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    for (const name of ["data", "node_modules"])
      symlinkSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), join(folder, name));
  }
  // At the depth of a module in `src`, so that relative paths to shipped files are valid.
  const outfile = join(folder, "src/room", basename(script.pathname).replace(/\.ts$/u, ".mjs"));
  await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    outfile,
  });
  return outfile;
}

/** Runs a script, `<folder>/<name>` in `test/`, in its own process and parses its output as JSON. */
export async function runScript(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const child = spawn(
    process.execPath,
    [await bundleScript(new URL(script, import.meta.url)), ...args],
    { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "inherit"] },
  );
  let text = "";
  child.stdout.on("data", (bytes: Buffer) => (text += bytes.toString()));
  await once(child, "close");
  return JSON.parse(text);
}
