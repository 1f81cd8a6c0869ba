import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createFront } from "../../src/preview/front.ts";
import { createDirectoryStore } from "../../src/store/directory.ts";
import { runHere } from "../cli/run-here.ts";
import { listenPreview } from "../preview/listen-preview.ts";
import { makeScratchFolder } from "../store/scratch.ts";

test("what a first run publishes of the shipped catalogue passes every check", async () => {
  const folder = makeScratchFolder();
  const store = createDirectoryStore(join(folder, "public"), { role: "public" });
  const server = await listenPreview(createFront(store).fetch, { port: 0 });
  onTestFinished(() => server.close());
  const run = await runHere(["run", "--dns", "127.0.0.1:9", "--base-url", server.url], folder);
  expect(run.code).toBe(0);
  const { code, stdout } = await runHere(["verify", server.url], folder);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("| 0 failed"),
  });
});
