/**
 * The code points for which a font has glyphs, read from its `cmap` table. Throws if the bytes are not a TrueType or OpenType font
 * with a Unicode map of format 4 or 12. Source: OpenType 1.9.1, "cmap — Character to Glyph Index Mapping Table".
 */
export function readCoverage(font: Uint8Array): (codePoint: number) => boolean {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const cmap = findTable(view, "cmap");
  const known = new Set<number>();
  for (let index = 0; index < view.getUint16(cmap + 2); index += 1) {
    const record = cmap + 4 + index * 8;
    const platform = view.getUint16(record);
    const isUnicode = platform === 0 || platform === 3;
    if (isUnicode) addSubtable(view, cmap + view.getUint32(record + 4), known);
  }
  if (known.size === 0) throw new TypeError("The font has no Unicode map of format 4 or 12.");
  return (codePoint) => known.has(codePoint);
}

function findTable(view: DataView, wanted: string): number {
  for (let index = 0; index < view.getUint16(4); index += 1) {
    const record = 12 + index * 16;
    const tag = String.fromCodePoint(
      ...[0, 1, 2, 3].map((offset) => view.getUint8(record + offset)),
    );
    if (tag === wanted) return view.getUint32(record + 8);
  }
  throw new TypeError(`The font has no table ${wanted}.`);
}

function addSubtable(view: DataView, start: number, known: Set<number>): void {
  const format = view.getUint16(start);
  if (format === 4) addSegments(view, start, known);
  if (format === 12) addGroups(view, start, known);
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
