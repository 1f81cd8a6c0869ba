import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Assets } from "../../site/pages/parts/head.tsx";
import type { SiteFile } from "../../site/site-files.ts";
import { PROGRAM_FOLDER } from "../../model/program-folder.ts";

/** Files that ship with the program and are published unchanged. The scripts are built from `src/site/browser`. */
const FILES: readonly (Omit<SiteFile, "body"> & { readonly path: string })[] = [
  { key: "site.css", contentType: "text/css; charset=utf-8", path: "data/assets/site.css" },
  { key: "site.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/site.js" },
  { key: "owners.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/owners.js" },
  { key: "follow.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/follow.js" },
  { key: "push.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/push.js" },
  { key: "embed.js", contentType: "text/javascript; charset=utf-8", path: "dist/web/embed.js" },
  {
    key: "favicon.svg",
    contentType: "image/svg+xml; charset=utf-8",
    path: "data/assets/favicon.svg",
  },
  { key: "icon-192.png", contentType: "image/png", path: "data/assets/icon-192.png" },
  { key: "icon-512.png", contentType: "image/png", path: "data/assets/icon-512.png" },
  { key: "icon-maskable.png", contentType: "image/png", path: "data/assets/icon-maskable.png" },
  { key: "card.png", contentType: "image/png", path: "data/assets/card.png" },
];

/** The static files of the website, and the versions of those that pages link to. */
export interface SiteAssets {
  readonly files: readonly SiteFile[];
  readonly versions: Assets;
}

/** Reads the files. Rejects with the system's error. */
export async function loadSiteAssets(): Promise<SiteAssets> {
  const files = await Promise.all(
    FILES.map(async ({ path, ...file }) => {
      return { ...file, body: await readFile(fileURLToPath(new URL(path, PROGRAM_FOLDER))) };
    }),
  );
  const versionOf = (key: string): string => {
    const body = files.find((file) => file.key === key)?.body ?? "";
    return createHash("sha256").update(body).digest("hex").slice(0, 8);
  };
  return {
    files,
    versions: {
      css: versionOf("site.css"),
      script: versionOf("site.js"),
      ownerScript: versionOf("owners.js"),
      followScript: versionOf("follow.js"),
    },
  };
}
