import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";

/*
 * `npm run build`: builds `dist` from `src`, beside it first, so that a program that is running finds its parts. Node loads the bundled program three times as fast as its thousand modules, which
 * matters for a command that starts every five minutes.
 */

/** Native, with one package per platform, so they stay dependencies of the installed package. */
const NOT_BUNDLED = ["@resvg/resvg-js", "wreq-js"];

/** CommonJS packages need `require`, which a module does not have. Aliased, because some packages declare a `createRequire`. */
const REQUIRE =
  'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);';

const { engines } = JSON.parse(await readFile("package.json", "utf8"));
const [oldest, running] = [engines.node, process.versions.node].map((version) =>
  /(\d+)\.(\d+)/u.exec(version).slice(1).map(Number),
);
if (running[0] < oldest[0] || (running[0] === oldest[0] && running[1] < oldest[1])) {
  process.stderr.write(
    `status-snapshot needs Node.js ${oldest.join(".")} or newer; this is ${process.versions.node}.\n`,
  );
  process.exit(2);
}

/** Beside `dist`, and of this process alone: two builds may run at once. */
const NEW = `dist.${process.pid}.new`;
const OLD = `dist.${process.pid}.old`;

await build({
  entryPoints: ["site", "embed", "owners", "follow", "push"].map(
    (name) => `src/site/browser/${name}.ts`,
  ),
  bundle: true,
  minify: true,
  target: "es2022",
  outdir: `${NEW}/web`,
});
const { metafile } = await build({
  entryPoints: {
    cli: "src/cli.ts",
    "program/worker": "src/monitors/checks/worker.ts",
    "program/encryption-thread": "src/notify/channels/encryption-thread.ts",
    "program/publisher-thread": "src/intake/publisher-thread.ts",
    "program/look-thread": "src/intake/look-thread.ts",
  },
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node20.19",
  external: NOT_BUNDLED,
  banner: { js: REQUIRE },
  outdir: NEW,
  // At the same depth as a module in `src`, so that relative paths to shipped files are valid in both.
  chunkNames: "program/[name]-[hash]",
  metafile: true,
});
await compileCatalogue();
await writeFile(`${NEW}/build.txt`, await digestOf(NEW));
const commit = await readCommit();
if (commit !== undefined) await writeFile(`${NEW}/commit.txt`, `${commit}\n`);
await writeFile(`${NEW}/licences.txt`, await readLicences(Object.keys(metafile.inputs)));

await rename("dist", OLD).catch((error) => {
  if (error.code !== "ENOENT") throw error;
});
await rename(NEW, "dist");
await rm(OLD, { recursive: true, force: true });

/** Writes the shipped catalogue as the program would parse it; an invalid one is left to the program, which says what is wrong. */
async function compileCatalogue() {
  const outfile = `${NEW}/parse-catalogue.js`;
  await build({
    entryPoints: ["src/services/catalogue/parse-catalogue.ts"],
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: REQUIRE },
    outfile,
  });
  const { parseCatalogue } = await import(pathToFileURL(outfile).href);
  await rm(outfile);
  const source = await readFile("catalogue.yaml");
  const { kind, catalogue } = parseCatalogue(source);
  const digest = createHash("sha256").update(source).digest("hex");
  if (kind === "ok")
    await writeFile(`${NEW}/catalogue.json`, JSON.stringify({ digest, catalogue }));
}

/** Digest of the program, by which it is known that pages would be made as before. */
async function digestOf(folder) {
  const names = await readdir(folder, { recursive: true });
  const hash = createHash("sha256");
  for (const name of names.filter((one) => one.endsWith(".js")).toSorted())
    hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest("hex");
}

/** The commit of this checkout; undefined outside of one. */
async function readCommit() {
  try {
    const { stdout } = await promisify(execFile)("git", ["rev-parse", "--short=12", "HEAD"]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/** The licence texts of the bundled packages, which have to be redistributed. Throws if a package has none. */
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
    throw new Error(
      `${folder} has no licence, so it must not be redistributed; replace the package.`,
    );
  const text = file === undefined ? "" : await readFile(join(folder, file), "utf8");
  const about = [author?.name ?? author, homepage].filter(Boolean).join(", ");
  return `${name} ${version}, ${license}${about === "" ? "" : `, ${about}`}\n\n${text}`;
}
