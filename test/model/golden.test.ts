import { expect, test } from "vitest";
import { readPlainExports } from "../plain-exports.ts";

test("every bound, list and schema is what it was", async () => {
  const folder = new URL("../../src/model/", import.meta.url);
  // The events have a test and a reference page of their own.
  const text = await readPlainExports(folder, (file) => !file.startsWith("events/"));
  await expect(text).toMatchFileSnapshot("golden/model.txt");
});
