import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";

/*
 * `npm run build`: makes `dist` of `src`. The program and the packages that it uses become a few files, which Node loads three
 * times as fast as the thousand that they are made of; a command that begins every five minutes pays that each time.
 */

/** Native, one package for each platform: it stays a dependency of the package that is installed. */
const NOT_BUNDLED = ["@resvg/resvg-js"];

/** Packages of CommonJS ask for it, and a module has none. By another name than theirs: some bring a `createRequire`. */
const REQUIRE =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

await rm("dist", { recursive: true, force: true });
await build({
  entryPoints: ["src/web/site.ts", "src/web/embed.ts"],
  bundle: true,
  minify: true,
  target: "es2022",
  outdir: "dist/web",
});
const { metafile } = await build({
  entryPoints: {
    cli: "src/cli.ts",
    "program/worker": "src/checks/worker.ts",
    "program/publisher-thread": "src/commands/publisher-thread.ts",
  },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: NOT_BUNDLED,
  banner: { js: REQUIRE },
  outdir: "dist",
  // As deep below the root as a module in `src` is, so that paths to the files that ship hold for both.
  chunkNames: "program/[name]-[hash]",
  metafile: true,
});
await writeFile("dist/licences.txt", await readLicences(Object.keys(metafile.inputs)));

/** The licences of the packages that these files are from, as they want to be passed on. Throws when a package has none. */
async function readLicences(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/u.exec(file)?.[0]);
  const packages = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .toSorted((a, b) => a.localeCompare(b));
  return (await Promise.all(packages.map(readLicence))).join("\n");
}

async function readLicence(folder) {
  const { name, version, license, author, homepage } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const file = (await readdir(folder)).find((each) => /^licen[cs]e(?:[.-]|$)/iu.test(each));
  if (file === undefined && license === undefined)
    throw new Error(`${folder} says nothing of its licence: it cannot be passed on.`);
  const text = file === undefined ? "" : await readFile(join(folder, file), "utf8");
  const about = [author?.name ?? author, homepage].filter(Boolean).join(", ");
  return `${name} ${version}, ${license}${about === "" ? "" : `, ${about}`}\n\n${text}`;
}
