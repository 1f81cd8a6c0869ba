import { onceFor } from "../../model/lists.ts";
import { LRUCache } from "lru-cache";
import satori, { type SatoriOptions } from "satori";
import type { Outline } from "./glyph-path.ts";
import { readPath } from "./parse-svg-path.ts";

/** Space for the widest line, relative to the size of the text: more than 120 wide letters. */
const ROOM_WIDTHS = 400;

/**
 * The bytes of a TrueType font, read once: badges and cards use the same ones, which take some 20 ms to parse. Throws, or `setLine` rejects,
 * if it is invalid.
 */
export const openLettering: typeof readLettering = onceFor(readLettering);

function readLettering(font: Uint8Array) {
  const data = Uint8Array.from(font).buffer;
  // Satori parses a font once for each list object, so it always gets this one.
  const fonts: SatoriOptions["fonts"] = [{ name: "badge", data, weight: 500, style: "normal" }];
  return {
    hasGlyph: readCoverage(font),
    /**
     * One line as satori draws it, in whole units. Satori chooses its height on the page; the position of an "H" shows it.
     * @param text must be drawable, see `drawableText`: plain and without missing glyphs, it makes satori load nothing.
     * @param size units of the em square.
     */
    setLine: async (text: string, size: number): Promise<Outline> => {
      const style = { display: "flex", fontSize: size, whiteSpace: "pre", color: "#fff" };
      const page = { width: ROOM_WIDTHS * size, height: 2 * size, fonts };
      const svg = await satori({ type: "div", props: { style, children: text } }, page);
      const paths = Array.from(svg.matchAll(/<path\b[^>]*?\sd="([^"]*)"/gu));
      return paths.flatMap(([, data = ""]) => readPath(data));
    },
  };
}

/** The same function, called once per input while its result is cached, of which `max` are kept. A failure is not cached. */
export function memoise<Value, Input = string>(
  max: number,
  work: (input: Input) => Promise<Value>,
  keyOf: (input: Input) => string = String,
): (input: Input) => Promise<Value> {
  const cache = new LRUCache<string, Promise<Value>>({ max });
  return (input) => {
    const key = keyOf(input);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const value = work(input);
    cache.set(key, value);
    value.catch(() => cache.delete(key));
    return value;
  };
}

/** Whether a font has a glyph. Throws if it has no Unicode map of format 4 or 12. Source: OpenType 1.9.1, "cmap". */
export function readCoverage(font: Uint8Array): (codePoint: number) => boolean {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = findTable(view, "cmap");
  const known = new Set<number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const record = cmap + 4 + index * 8;
    const platform = view.getUint16(record);
    if (platform !== 0 && platform !== 3) continue;
    const start = cmap + view.getUint32(record + 4);
    const format = view.getUint16(start);
    if (format === 4) addSegments(view, start, known);
    if (format === 12) addGroups(view, start, known);
  }
  if (known.size === 0) throw new TypeError("The font has no Unicode map of format 4 or 12.");
  return (codePoint) => known.has(codePoint);
}

function findTable(view: DataView, wanted: string): number {
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + index * 16;
    const tag = String.fromCodePoint(...new Uint8Array(view.buffer, view.byteOffset + record, 4));
    if (tag === wanted) return view.getUint32(record + 8);
  }
  throw new TypeError(`The font has no table ${wanted}.`);
}

/** Format 4: four parallel lists of segments; glyph number 0 means no glyph. */
function addSegments(view: DataView, start: number, known: Set<number>): void {
  const bytes = view.getUint16(start + 6);
  for (let offset = 0; offset < bytes; offset += 2) {
    const last = view.getUint16(start + 14 + offset);
    const first = view.getUint16(start + 16 + bytes + offset);
    const delta = view.getUint16(start + 16 + 2 * bytes + offset);
    const rangeAt = start + 16 + 3 * bytes + offset;
    const range = view.getUint16(rangeAt);
    for (let code = first; code <= last && code < 0xffff; code += 1) {
      const raw = range === 0 ? code : view.getUint16(rangeAt + range + 2 * (code - first));
      const glyph = range !== 0 && raw === 0 ? 0 : (raw + delta) & 0xffff;
      if (glyph !== 0) known.add(code);
    }
  }
}

/** Format 12: groups of code points with consecutive glyph numbers. */
function addGroups(view: DataView, start: number, known: Set<number>): void {
  for (let index = 0; index < view.getUint32(start + 12); index += 1) {
    const group = start + 16 + index * 12;
    const first = view.getUint32(group);
    const last = Math.min(view.getUint32(group + 4), 0x10_ffff);
    const glyph = view.getUint32(group + 8);
    for (let code = first; code <= last; code += 1) {
      if (glyph + code - first !== 0) known.add(code);
    }
  }
}
