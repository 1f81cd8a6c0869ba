import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/* Files that come with the program. The paths also hold in `dist/program`, which is at the same depth below the root. */

const shipped = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const SHIPPED_CATALOGUE: string = shipped("catalogue.yaml");
/** What is known of the services from elsewhere. */
export const SHIPPED_TRUTH: string = shipped("data/truth.yaml");
/** The font of the badges, Latin and Cyrillic in one file. */
export const FONT_FILE: string = shipped("data/fonts/Inter-Medium.ttf");

/** The version, with the commit of a build: `0.1.0 (1a2b3c4d5e6f)`. Throws if the package is damaged. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(shipped("package.json"), "utf8")) as {
    readonly version: string;
  };
  const commit = readCommit();
  return commit === undefined ? version : `${version} (${commit})`;
}

/** Digest of the built program; undefined where sources run, which may have changed since the build. */
export function readBuild(): string | undefined {
  if (import.meta.url.endsWith(".ts")) return undefined;
  return readFileSync(shipped("dist/build.txt"), "utf8");
}

/** Undefined: this program runs from its sources, or was built outside of a checkout. */
function readCommit(): string | undefined {
  try {
    return readFileSync(new URL("../commit.txt", import.meta.url), "utf8").trim();
  } catch {
    return undefined;
  }
}
