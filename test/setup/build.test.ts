import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parseCatalogue } from "../../src/services/catalogue/parse-catalogue.ts";

/** The root of the project: its `dist` is the built program. */
const ROOT = new URL("../../", import.meta.url).pathname;

const readJson = async (file: string) => JSON.parse(await readFile(file, "utf8"));

test("the build parses the shipped catalogue as the program would", async () => {
  const parsed = parseCatalogue(await readFile(join(ROOT, "catalogue.yaml")));
  const { catalogue } = await readJson(join(ROOT, "dist/catalogue.json"));
  expect({ kind: "ok", catalogue, changes: [], warnings: [] }).toEqual(parsed);
});

test("the program takes what the build has parsed, but of a changed file nothing of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "status-snapshot-compiled-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(join(ROOT, "dist"), join(folder, "dist"), { recursive: true });
  for (const name of ["data", "package.json"]) await symlink(join(ROOT, name), join(folder, name));
  const source = await readFile(join(ROOT, "catalogue.yaml"), "utf8");
  const summary = async (text: string, ...args: readonly string[]): Promise<string> => {
    await writeFile(join(folder, "catalogue.yaml"), text);
    const cli = join(folder, "dist/cli.js");
    const check = [cli, "catalogue", "check", join(folder, "catalogue.yaml"), ...args];
    return (await promisify(execFile)(process.execPath, check, { cwd: folder })).stdout;
  };
  const compiled = join(folder, "dist/catalogue.json");
  const { digest, catalogue } = await readJson(compiled);
  const [first, ...others] = catalogue.categories;
  const categories = [{ ...first, name: "Of the build" }, ...others];
  await writeFile(compiled, JSON.stringify({ digest, catalogue: { ...catalogue, categories } }));
  await writeFile(join(folder, "overlay.yaml"), "");
  expect(await summary(source)).toContain("Of the build");
  expect(await summary(source, "--catalogue-overlay", "overlay.yaml")).not.toContain(
    "Of the build",
  );
  expect(await summary(`${source}# changed\n`)).not.toContain("Of the build");
  await rm(compiled);
  expect(await summary(source)).toContain(first.name);
});

// `import { z } from "zod"` keeps the whole package: 540 kB more to read at each start.
test("the program has the messages of zod in one language", async () => {
  const folder = join(ROOT, "dist/program");
  const texts = await Promise.all(
    (await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")),
  );
  const locales = texts.join("\n").match(/^\/\/ node_modules\/zod\/v4\/locales\/.+$/gmu);
  expect(locales).toEqual(["// node_modules/zod/v4/locales/en.js"]);
});
