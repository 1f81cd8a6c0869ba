import type { FileHandle } from "node:fs/promises";
import { createInboxSeries } from "./inbox-id.ts";
import {
  appendSynced,
  createFile,
  liesAt,
  removeJournalFile,
  sealFile,
  toPath,
} from "./journal-files.ts";

/** Only another process that starts on the same folder takes a file away, so this many in a row do not happen. */
const MAX_ATTEMPTS = 5;

export interface JournalSize {
  readonly reports: number;
  readonly bytes: number;
}

export interface SegmentWriterOptions {
  /** At most so many reports a file. */
  readonly maxReports: number;
  readonly nowMs: () => number;
  /** Told of each file to which nothing is added any more. */
  readonly onSealed: (id: string, size: JournalSize) => void;
}

/** Writes the lines of the journal, one call after the other: the caller sees to that. */
export interface SegmentWriter {
  /** Resolves when the line, which holds so many reports, is on the disk. Rejects with the system's error. */
  readonly add: (line: Uint8Array, reports: number) => Promise<void>;
  /** Ends the file in hand, if there is one. Rejects with the system's error; then it is tried again before the next line. */
  readonly seal: () => Promise<void>;
  readonly size: () => JournalSize;
  /** Leaves the file in hand as it is. */
  readonly close: () => Promise<void>;
}

interface OpenSegment extends JournalSize {
  readonly id: string;
  readonly handle: FileHandle;
  /** A line failed, so the end may be torn, and nothing may be added. */
  readonly isTorn: boolean;
}

export function createSegmentWriter(folder: string, options: SegmentWriterOptions): SegmentWriter {
  const { maxReports, nowMs, onSealed } = options;
  const nextId = createInboxSeries();
  let current: OpenSegment | undefined;

  async function seal(): Promise<void> {
    if (current === undefined) return;
    const { id, handle, reports, bytes } = current;
    if (reports === 0) await removeJournalFile(folder, id, "open");
    else if (await sealFile(folder, id)) onSealed(id, { reports, bytes });
    current = undefined;
    await handle.close();
  }

  async function openFor(reports: number): Promise<OpenSegment> {
    if (current && (current.isTorn || current.reports + reports > maxReports)) await seal();
    if (current) return current;
    const id = nextId(nowMs());
    return { id, handle: await createFile(folder, id), reports: 0, bytes: 0, isTorn: false };
  }

  async function tryAdd(line: Uint8Array, reports: number): Promise<boolean> {
    const segment = await openFor(reports);
    // Until it turns out well.
    current = { ...segment, isTorn: true };
    await appendSynced(segment.handle, line);
    // Whoever sealed the file may have read it before this line was there, so the line counts only in a file still open.
    if (await liesAt(segment.handle, toPath(folder, segment.id, "open"))) {
      const bytes = segment.bytes + line.byteLength;
      current = { ...segment, reports: segment.reports + reports, bytes };
      return true;
    }
    current = undefined;
    await segment.handle.close();
    return false;
  }

  return {
    add: async (line, reports) => {
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        if (await tryAdd(line, reports)) return;
      }
      throw new Error(`${folder}: another process keeps taking the files of the journal away`);
    },
    seal,
    size: () => ({ reports: current?.reports ?? 0, bytes: current?.bytes ?? 0 }),
    close: async () => current?.handle.close(),
  };
}

/**
 * Writes a file of its own with one line. False when another process took it away in the middle. Throws the system's error;
 * then the file is gone again.
 */
export async function writeSegment(folder: string, id: string, line: Uint8Array): Promise<boolean> {
  const handle = await createFile(folder, id);
  try {
    await appendSynced(handle, line);
    return await sealFile(folder, id);
  } catch (error) {
    // What went wrong first is what matters; what is left of it was never acknowledged.
    await removeJournalFile(folder, id, "open").catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
