import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createJsonLog } from "../../../src/cli/log/create-log.ts";
import { createPrettyLog } from "../../../src/cli/log/pretty.ts";
import { EVENT_EXAMPLES } from "./event-examples.ts";

/** Writes every example, and a sentence of each kind, with a log for people. */
function writePretty(isTerminal: boolean): string {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const log = createPrettyLog(
    // Only the parts of a terminal that the log uses. Without `run-started` there is no progress line.
    Object.assign(stream, {
      isTTY: isTerminal,
      columns: 100,
      rows: 24,
      cursorTo: () => true,
      clearLine: () => true,
      moveCursor: () => true,
    }) as unknown as NodeJS.WriteStream,
  );
  for (const event of EVENT_EXAMPLES)
    if (!isTerminal || event.event !== "run-started") log.emit(event);
  log.warn("a warning.");
  log.fail("a failure.");
  log.refuse("a problem.");
  log.advise("an advice.");
  log.close();
  return text;
}

test("the log for people has one sentence for each example", async () => {
  await expect(writePretty(false)).toMatchFileSnapshot("./golden/pretty.txt");
});

test("the log on a terminal adds the endpoints that fail", () => {
  const inFile = writePretty(false).split("\n");
  const added = writePretty(true)
    .replaceAll("\u001B[?25h", "")
    .split("\n")
    .filter((line) => !inFile.includes(line));
  expect(added).toEqual([
    "  mail: https://mail.example/: DNS gave an address that no site on the internet can have [dns-special-address] (after 2 tries)",
  ]);
});

test("the JSON log has one line for each example", async () => {
  let text = "";
  const log = await createJsonLog("debug", { write: (line) => (text += line) });
  for (const event of EVENT_EXAMPLES) log.emit(event);
  log.warn("a warning.");
  log.fail("a failure.");
  log.refuse("a problem.");
  log.advise("an advice.");
  log.close();
  const timeless = text.replaceAll(/,"time":"[^"]+"/gu, "");
  await expect(timeless).toMatchFileSnapshot("./golden/json.txt");
});
