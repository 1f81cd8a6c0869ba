import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** CommonJS packages need `require`, which a module does not have. Aliased, because some packages declare a `createRequire`. */
const REQUIRE =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

/** Native. */
const NOT_BUNDLED = ["@resvg/resvg-js"];

/**
 * Bundles a script and its imports, as `tools/build.mjs` does for the program: it starts four times as fast, and measurements of it
 * exclude the compiler. Relative paths to shipped files are valid only two folders below the root.
 * @returns path of the bundle, for `node`.
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
