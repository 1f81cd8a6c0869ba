import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
/** npm always packs these. */
const ALWAYS = ["README.md", "LICENSE", "package.json"];

test("every file that the README links to exists and is in the package", async () => {
  const manifest: { readonly files: readonly string[] } = JSON.parse(
    await readFile(new URL("package.json", ROOT), "utf8"),
  );
  const packed = [...ALWAYS, ...manifest.files];
  const readme = await readFile(new URL("README.md", ROOT), "utf8");
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/gu)].map(([, path = ""]) => path);
  expect(links.length).toBeGreaterThan(20);
  for (const link of links) {
    expect(existsSync(fileURLToPath(new URL(link, ROOT))), link).toBe(true);
    expect(packed, link).toContain(link.split("/")[0]);
  }
});
