import { expect, test } from "vitest";
import { createOwnLines } from "../../../src/setup/registry/read-registry.ts";
import { parseMonitors } from "../../../src/monitors/registry/parse-registry.ts";

const RULES = { refusalOfUrl: () => undefined };
const isOwn = (id: string): boolean => id.startsWith("own");
const line = (id: string): string => JSON.stringify({ id, url: `https://${id}.example/` });
/** In pieces of any length, whose memory is used again. */
const keep = (text: string, size = 1_000): string => {
  const { push, end } = createOwnLines(isOwn);
  const all = new TextEncoder().encode(text);
  const piece = new Uint8Array(size);
  for (let at = 0; at < all.length; at += size) {
    piece.set(all.subarray(at, at + size));
    push(piece.subarray(0, Math.min(size, all.length - at)));
  }
  return Buffer.from(end()).toString();
};

test("lines of other cells are empty, and the others keep their numbers", () => {
  const lines = [line("a"), line("own-1"), line("b"), line("c"), '{"id":"own-2"}', line("d")];
  for (const size of [1_000, 64, 7, 1])
    expect(keep(`${lines.join("\n")}\n`, size)).toBe(`\n${line("own-1")}\n\n\n{"id":"own-2"}\n`);
  const { monitors, problems, rejectedIds } = parseMonitors(keep(lines.join("\n")), RULES);
  expect(monitors.map(({ id }) => id)).toEqual(["own-1"]);
  expect([problems[0]?.line, rejectedIds]).toEqual([5, ["own-2"]]);
});

test("blanks before the first line are kept, also where a piece has nothing else", () => {
  for (const size of [1_000, 8, 3])
    expect(keep(`${"\n".repeat(9)}${line("a")}\n${line("own-1")}\n`, size)).toBe(
      `${"\n".repeat(10)}${line("own-1")}\n`,
    );
});

test("a line without an id that can be read stays, so that its problem is told", () => {
  for (const broken of ['{"id":', '{"url":"https://a.example/"}', '{"id":7}', "null", "[]"])
    expect(keep(`${line("own-1")}\n${broken}\n`)).toBe(`${line("own-1")}\n${broken}\n`);
});

test("what is all of other cells is an empty registry", () => {
  const { monitors, isReadable, hasUnnamed } = parseMonitors(keep(`${line("a")}\n`), RULES);
  expect([monitors, isReadable, hasUnnamed]).toEqual([[], true, false]);
});

test("YAML, no text and a byte order mark stay as they are", () => {
  for (const text of ["", "\n", 'monitors:\n  - { id: a, url: "https://a.example/" }\n'])
    expect(keep(text)).toBe(text);
  expect(keep(`\uFEFF${line("own-1")}\n${line("a")}`)).toBe(`\uFEFF${line("own-1")}\n`);
});
