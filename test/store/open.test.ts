import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { readText, toObject } from "./contract.ts";
import { makeScratchFolder } from "./scratch.ts";

test("a path and a file URL open the same directory", async () => {
  const folder = join(makeScratchFolder(), "моя папка");
  const byPath = await openStore(`file:${folder}`, { role: "public" });
  const byUrl = await openStore(pathToFileURL(folder).href, { role: "public" });
  if (byPath.kind !== "opened" || byUrl.kind !== "opened") throw new Error("not opened");
  await byPath.store.write("a", toObject("x"));
  expect(await readText(byUrl.store, "a")).toBe("x");
  expect(byPath.store.name).toBe(`file:${folder}`);
});

test("a URL that is not a store is refused with its option", async () => {
  expect(await openStore("public", { role: "public" })).toEqual({
    kind: "refused",
    message:
      '--store: "public" is not a store. Write file:DIR, for example file:public, or s3://BUCKET/PREFIX?….',
  });
  expect(await openStore("s3://bucket/prefix?colour=red", { role: "private" })).toEqual({
    kind: "refused",
    message:
      '--state: "s3://bucket/prefix?colour=red": "colour" is not a parameter. Use endpoint, region, pathStyle, keys, etag.',
  });
});
