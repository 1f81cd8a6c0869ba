/**
 * The layer rules live in globs that die silently when a file moves. So plant one forbidden import (or global) in each folder,
 * and fail unless the linter objects to every one of them.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const PLANTS = {
  "src/model": 'export { run } from "../run.ts";',
  "src/catalogue": 'export { decide } from "../verdict/decide.ts";',
  "src/history": 'export { decide } from "../verdict/decide.ts";',
  "src/verdict": 'export { fold } from "../history/fold.ts";',
  "src/snapshot": 'export { fold } from "../history/fold.ts";',
  "src/render": 'export { readFile } from "node:fs/promises";',
  "src/publish": 'export { createDirectoryStore } from "../store/directory.ts";',
  "src/probe": 'export { fold } from "../history/fold.ts";',
  "src/store": 'export { publish } from "../publish/publish.ts";',
  "src/log": 'export { fold } from "../history/fold.ts";',
  "src/serve": 'export { createDirectoryStore } from "../store/directory.ts";',
  "src/verify": 'export { publish } from "../publish/publish.ts";',
  "src/commands": "export const directory = process.cwd();",
};

const planted = Object.entries(PLANTS).map(([folder, code]) => {
  const file = `${folder}/planted-by-layers-check.ts`;
  writeFileSync(`${root}/${file}`, `${code}\n`);
  return file;
});
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
      `The layer rules object to a forbidden import in each of ${planted.length} folders.`,
    );
  }
} finally {
  for (const file of planted) rmSync(`${root}/${file}`);
}
