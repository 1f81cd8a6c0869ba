import { build } from "esbuild";
import { expect, test } from "vitest";

test.each(["site", "embed", "owners", "follow", "push"])(
  "the script %s has no package in it",
  async (name) => {
    const { metafile } = await build({
      entryPoints: [`src/site/browser/${name}.ts`],
      bundle: true,
      write: false,
      outdir: "unwritten",
      metafile: true,
    });
    const files = Object.keys(metafile.inputs);
    expect(files.filter((file) => file.includes("node_modules"))).toEqual([]);
  },
);
