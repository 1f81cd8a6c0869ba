import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLog } from "../../../src/cli/log/create-log.ts";
import type { LogMode } from "../../../src/setup/log.ts";

/** What a log of a mode writes of sentences into a stream of its own. */
async function sayIn(mode: LogMode): Promise<string> {
  const stream = new PassThrough();
  // It has all that is used of standard error outside of a terminal.
  const log = await createLog(mode, stream as unknown as NodeJS.WriteStream);
  log.warn("it is late.");
  log.advise("Try it again.");
  log.refuse("--x: it is wrong.");
  log.fail("it is broken.");
  log.close();
  return String(stream.read() ?? "");
}

test("a log for people has all sentences, a silent one only what has to be fixed", async () => {
  expect(await sayIn("pretty")).toBe(
    "Warning: it is late.\nTry it again.\n--x: it is wrong.\nFailed: it is broken.\n",
  );
  expect(await sayIn("silent")).toBe("--x: it is wrong.\nit is broken.\n");
});
