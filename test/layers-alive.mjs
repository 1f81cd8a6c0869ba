/**
 * The layer rules live in globs that die silently when a file moves. So plant one forbidden import (or global) in each folder,
 * a forbidden clock in each that decides, and a measurement in a test, and fail unless the linter objects to every one of them.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PLANTS = {
  "src/model": 'export { run } from "../run.ts";',
  "src/catalogue": 'export { decide } from "../verdict/decide.ts";',
  "src/strict-yaml": 'export { parseCatalogue } from "../catalogue/parse.ts";',
  "src/monitors": 'export { parseCatalogue } from "../catalogue/parse.ts";',
  "src/uptime": 'export { fold } from "../history/fold.ts";',
  "src/reports": 'export { gunzipSync } from "node:zlib";',
  "src/badge": 'export { readFile } from "node:fs/promises";',
  "src/site": 'export { fold } from "../history/fold.ts";',
  "src/web": 'export { fold } from "../history/fold.ts";',
  "src/checks": 'export { fold } from "../history/fold.ts";',
  "src/history": 'export { decide } from "../verdict/decide.ts";',
  "src/verdict": 'export { fold } from "../history/fold.ts";',
  "src/snapshot": 'export { fold } from "../history/fold.ts";',
  "src/render": 'export { readFile } from "node:fs/promises";',
  "src/publish": 'export { createDirectoryStore } from "../store/directory.ts";',
  "src/probe": 'export { fold } from "../history/fold.ts";',
  "src/store": 'export { publish } from "../publish/publish.ts";',
  "src/log": 'export { fold } from "../history/fold.ts";',
  "src/serve": 'export { createDirectoryStore } from "../store/directory.ts";',
  "src/intake": 'export { createDirectoryStore } from "../store/directory.ts";',
  "src/verify": 'export { publish } from "../publish/publish.ts";',
  "src/commands": "export const directory = process.cwd();",
};

/** They have a rule of their own, for the way to the other folders is longer. */
const SITE_PARTS = ["words", "pages", "charts", "feeds"];
for (const part of SITE_PARTS) {
  PLANTS[`src/site/${part}`] = 'export { fold } from "../../history/fold.ts";';
}

/** The folders in which time is an argument. */
const PURE = [
  ...JSON.parse(readFileSync(new URL("pure-folders.json", import.meta.url), "utf8")),
  ...SITE_PARTS.map((part) => `site/${part}`),
];

function plant(folder, name, code, ending = "ts") {
  const file = `${folder}/${name}-planted-by-layers-check.${ending}`;
  writeFileSync(`${root}/${file}`, `${code}\n`);
  return file;
}

const planted = [
  ...Object.entries(PLANTS).map(([folder, code]) => plant(folder, "import", code)),
  ...PURE.map((folder) => plant(`src/${folder}`, "clock", "export const nowMs = Date.now();")),
  plant("test/model", "time", "export const atMs = performance.now();", "test.ts"),
];
try {
  const { stdout } = spawnSync("npx", ["oxlint", "-f", "unix", ...planted], {
    cwd: root,
    encoding: "utf8",
  });
  const silent = planted.filter(
    (file) =>
      !stdout.split("\n").some((line) => line.startsWith(file) && line.includes("no-restricted-")),
  );
  if (silent.length > 0) {
    console.error(`The layer rules are dead here:\n${silent.join("\n")}`);
    process.exitCode = 1;
  } else {
    console.log(
      `The layer rules object to each of ${planted.length} forbidden imports, clocks and measurements.`,
    );
  }
} finally {
  for (const file of planted) rmSync(`${root}/${file}`);
}
