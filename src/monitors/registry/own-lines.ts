import { formatOf } from "./read-entries.ts";

const FEED = 0x0a;
const NO_BYTES: Uint8Array = new Uint8Array();

/** Keeps the lines of a cell while a registry is read, piece by piece. */
export interface OwnLines {
  /** The next bytes. They are copied, so their memory can be used again. */
  readonly push: (bytes: Uint8Array) => void;
  /** What is left of all that was pushed. */
  readonly end: () => Uint8Array;
}

/**
 * JSON lines in which each line of another cell is empty: a cell reads a registry of millions, and should neither hold nor judge what
 * others check. Lines keep their numbers. A line whose id cannot be read stays, so that its problem is told. Everything but JSON lines
 * stays as it is. Never throws.
 *
 * @param isOwn tells the ids of the cell.
 */
export function createOwnLines(isOwn: (id: string) => boolean): OwnLines {
  const kept: Buffer[] = [];
  let open: Buffer[] = [];
  let [empty, isLines] = [0, undefined as boolean | undefined];
  const close = (line: Buffer): void => {
    const id = idIn(line);
    if (id !== undefined && !isOwn(id)) empty += 1;
    else {
      if (empty > 0) kept.push(Buffer.alloc(empty, FEED));
      // A copy: a part of the source would hold all of it in memory.
      kept.push(Buffer.from(line));
      empty = 0;
    }
  };
  return {
    push: (bytes) => {
      const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      isLines ??= formatOf(piece) === "json-lines";
      if (!isLines) return void kept.push(Buffer.from(piece));
      let start = 0;
      for (let feed = piece.indexOf(FEED); feed >= 0; feed = piece.indexOf(FEED, start)) {
        const rest = piece.subarray(start, feed + 1);
        close(open.length === 0 ? rest : Buffer.concat([...open, rest]));
        open = [];
        start = feed + 1;
      }
      if (start < piece.length) open.push(Buffer.from(piece.subarray(start)));
    },
    end: () => {
      if (open.length > 0) close(Buffer.concat(open));
      return kept.length === 0 ? NO_BYTES : Buffer.concat(kept);
    },
  };
}

/** Of ASCII alone, so the other characters need not be decoded. */
function idIn(line: Buffer): string | undefined {
  try {
    const { id } = JSON.parse(line.toString("latin1")) as { readonly id?: unknown };
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}
