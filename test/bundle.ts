import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Packages of CommonJS ask for it, and a module has none. By another name than theirs: some bring a `createRequire`. */
const REQUIRE =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

/** Native. */
const NOT_BUNDLED = ["@resvg/resvg-js"];

/**
 * Makes a few files of a script and all that it imports, as `build.mjs` does of the program: they start four times as fast, and
 * what is measured of them is not the time of a compiler. What finds a file that ships works two folders below the root alone.
 * @returns path of the script, for `node`.
 */
export async function bundleScript(source: URL, folder: string): Promise<string> {
  const file = fileURLToPath(source);
  await build({
    entryPoints: [file],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external: NOT_BUNDLED,
    banner: { js: REQUIRE },
    outExtension: { ".js": ".mjs" },
  });
  return join(folder, basename(file).replace(/\.ts$/u, ".mjs"));
}
