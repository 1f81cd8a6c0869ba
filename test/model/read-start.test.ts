import { expect, test } from "vitest";
import { readStart } from "../../src/model/read-start.ts";

/** Gives chunks until it is left, and counts them. */
async function* give(chunks: readonly string[], given: string[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) {
    given.push(chunk);
    yield Buffer.from(chunk);
  }
}

test.each([
  ["is whole below its limit", ["ab", "c"], 4, "abc", 2],
  ["is whole at its limit", ["ab", "cd"], 4, "abcd", 2],
  ["is cut off one byte after its limit", ["ab", "cdef", "gh"], 4, "abcde", 2],
  ["is read on until it is longer than its limit", ["ab", "cd", "ef", "gh"], 4, "abcde", 3],
  ["may be empty", [], 0, "", 0],
])("a stream %s", async (_what, chunks, maxBytes, text, read) => {
  const given: string[] = [];
  expect(String(await readStart(give(chunks, given), maxBytes))).toBe(text);
  expect(given).toHaveLength(read);
});
