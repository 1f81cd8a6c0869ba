import { readFileSync } from "node:fs";

/** The version, with the commit of a build: `0.1.0 (1a2b3c4d5e6f)`. Throws if the package is damaged. */
export function readVersion(): string {
  const { version } = JSON.parse(read("../../package.json")) as { readonly version: string };
  const commit = readCommit();
  return commit === undefined ? version : `${version} (${commit})`;
}

/** Undefined: this program runs from its sources, or was built outside of a checkout. */
function readCommit(): string | undefined {
  try {
    return read("../commit.txt").trim();
  } catch {
    return undefined;
  }
}

/** Modules of the sources and of the build are at the same depth. */
function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
