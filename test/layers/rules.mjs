/**
 * Linter rules from `layers.json`: each room of `src`, the rooms that it may import, and the packages. `oxlint.config.mjs` uses them,
 * `check.mjs` proves that they work.
 */
import { readdirSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const MESSAGE = "This room may not import that: see test/layers/layers.json.";
const CLOCKS = ["fetch", "performance", "setTimeout", "setInterval", "setImmediate", "crypto"];

const layers = JSON.parse(readFileSync(`${ROOT}/test/layers/layers.json`, "utf8"));
const folders = readdirSync(`${ROOT}/src`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/u.test(entry.name))
  .map((entry) => posix.relative(`${ROOT}/src`, entry.parentPath ?? entry.path))
  .filter((folder) => folder !== "");
const FOLDERS = [...new Set(folders)].toSorted((a, b) => (a < b ? -1 : 1));

const named = layers.flatMap(({ rooms }) => rooms);

/** The rooms with what each may import, in the order of the table. */
export const ROOMS = layers.flatMap((layer, at) =>
  layer.rooms.map((room) => ({
    ...layer,
    room,
    mayImport:
      layer.mayImport === "all above"
        ? layers.slice(0, at).flatMap(({ rooms }) => rooms)
        : layer.mayImport,
    folders: FOLDERS.filter((folder) => roomOf(folder) === room),
  })),
);

/** The room of a folder: the longest name in the table that it begins with. */
export function roomOf(folder) {
  const found = named.filter((room) => folder === room || folder.startsWith(`${room}/`));
  return found.toSorted((a, b) => b.length - a.length)[0];
}

function toOverride({ packages, isPure = false, mayImport, room }, folder) {
  const reachable = [room, ...mayImport].flatMap((one) =>
    FOLDERS.filter((each) => `${each}/`.startsWith(`${one}/`) && roomOf(each) === roomOf(one)),
  );
  const paths = reachable.map((one) => {
    const path = posix.relative(folder, one);
    return `!${path === "" ? "." : path.startsWith(".") ? path : `./${path}`}/*`;
  });
  const allowed = packages === "any" ? [] : packages.flatMap(toPatterns);
  // Paths inside the project begin with a dot; if every package is allowed, all other paths are allowed.
  const banned = packages === "any" ? ["./**", "../**", "node:process"] : ["*"];
  const group = [...banned, ...paths, ...allowed, ...(isPure ? [] : ["node:process"])];
  return {
    files: [`src/${folder}/*`],
    rules: {
      "no-restricted-imports": ["error", { patterns: [{ group, message: MESSAGE }] }],
      ...(isPure
        ? {
            "no-restricted-globals": ["error", "process", ...CLOCKS],
            "no-restricted-properties": [
              "error",
              { object: "Date", property: "now" },
              { object: "Math", property: "random" },
            ],
          }
        : {}),
    },
  };
}

function toPatterns(name) {
  return name === "node" ? ["!node:*", "!node:*/*"] : [`!${name}`, `!${name}/*`];
}

/** What each folder may import, as overrides of the linter's settings. */
export function layerRules() {
  return ROOMS.flatMap((layer) => layer.folders.map((folder) => toOverride(layer, folder)));
}
