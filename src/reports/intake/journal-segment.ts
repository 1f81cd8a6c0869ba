import type { FileHandle } from "node:fs/promises";
import { createInboxSeries } from "../../store/inbox-id.ts";
import {
  appendSynced,
  createFile,
  isAt,
  removeJournalFile,
  sealFile,
  toPath,
} from "./journal-files.ts";

/** A file disappears only if another process starts on the same folder, which does not happen this often in a row. */
const MAX_ATTEMPTS = 5;

export interface JournalSize {
  readonly reports: number;
  readonly bytes: number;
}

export interface SegmentWriterOptions {
  /** Most reports of a file. */
  readonly maxReports: number;
  readonly nowMs: () => number;
  /** Called for each file to which no line will be added. */
  readonly onSealed: (id: string, size: JournalSize) => void;
}

/** Writes the lines of the journal. The caller has to make one call at a time. */
export interface SegmentWriter {
  /** Resolves when the line with so many reports is on the disk. Rejects with the system's error. */
  readonly add: (line: Uint8Array, reports: number) => Promise<void>;
  /** Seals the current file, if there is one. Rejects with the system's error; then it is retried before the next line. */
  readonly seal: () => Promise<void>;
  readonly size: () => JournalSize;
  /** Leaves the current file as it is. */
  readonly close: () => Promise<void>;
}

interface OpenSegment extends JournalSize {
  readonly id: string;
  readonly handle: FileHandle;
  /** The last write failed, so the last line may be incomplete and none may be added. */
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
    // Reset after the write succeeded.
    current = { ...segment, isTorn: true };
    await appendSynced(segment.handle, line);
    // A process that sealed the file may have read it before this line, so the line counts only in a file that is still open.
    if (await isAt(segment.handle, toPath(folder, segment.id, "open"))) {
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
      throw new Error(`${folder}: another process keeps removing the journal files`);
    },
    seal,
    size: () => ({ reports: current?.reports ?? 0, bytes: current?.bytes ?? 0 }),
    close: async () => current?.handle.close(),
  };
}

/** Writes a file with one line. False if another process removed it meanwhile. Throws the system's error, and removes the file. */
export async function writeSegment(folder: string, id: string, line: Uint8Array): Promise<boolean> {
  const handle = await createFile(folder, id);
  try {
    await appendSynced(handle, line);
    return await sealFile(folder, id);
  } catch (error) {
    // The first error is the relevant one; the line was never acknowledged.
    await removeJournalFile(folder, id, "open").catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
