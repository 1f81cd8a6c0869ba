/**
 * Fails unless the linter objects to a forbidden import and to `node:process` in each folder of `src`, a clock in each that is pure,
 * and a measurement in a test: a rule can die silently.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { ROOMS, ROOT } from "./rules.mjs";

const PLANT = "planted-by-layers-check";

function plant(folder, name, code, ending = "ts") {
  const file = `${folder}/${name}-${PLANT}.${ending}`;
  writeFileSync(`${ROOT}/${file}`, `${code}\n`);
  return file;
}

function plantAll() {
  const imports = ROOMS.flatMap(({ room, folders, mayImport }) => {
    const target = ROOMS.find((one) => one.room !== room && !mayImport.includes(one.room));
    if (target === undefined) return [];
    return folders.map((folder) => {
      const up = "../".repeat(folder.split("/").length);
      const code = `export { nothing } from "${up}${target.room}/nothing.ts";`;
      return plant(`src/${folder}`, "import", code);
    });
  });
  const processes = ROOMS.flatMap(({ folders }) =>
    folders.map((folder) =>
      plant(`src/${folder}`, "process", 'export { env } from "node:process";'),
    ),
  );
  const clocks = ROOMS.filter(({ isPure }) => isPure).flatMap(({ folders }) =>
    folders.map((folder) => plant(`src/${folder}`, "clock", "export const nowMs = Date.now();")),
  );
  const time = plant("test/model", "time", "export const atMs = performance.now();", "test.ts");
  return [...imports, ...processes, ...clocks, time];
}

const planted = plantAll();
try {
  const { stdout } = spawnSync(
    "npx",
    ["oxlint", "-c", "oxlint.config.mjs", "-f", "unix", ...planted],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  const silent = planted.filter(
    (file) =>
      !stdout.split("\n").some((line) => line.startsWith(file) && line.includes("no-restricted-")),
  );
  if (silent.length > 0) {
    console.error(`The layer rules do not reject these files:\n${silent.join("\n")}`);
    process.exitCode = 1;
  } else {
    console.log(
      `The layer rules reject each of ${planted.length} forbidden imports, clocks and measurements.`,
    );
  }
} finally {
  for (const file of planted) rmSync(`${ROOT}/${file}`);
}
