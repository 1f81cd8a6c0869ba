import { readdir } from "node:fs/promises";
import pLimit from "p-limit";
import { type Report, SYMPTOMS } from "../../model/service/reports.ts";
import { isInboxId } from "../../store/inbox-id.ts";
import {
  makeJournalFolder,
  readSealed,
  removeJournalFile,
  sealFile,
  createSegmentWriter,
  type JournalSize,
  writeSegment,
} from "./journal-files.ts";
import { crc32 } from "node:zlib";

/** 64 MiB, some 900,000 reports: a quarter of an hour at 1,000 a second. Source: docs/reports/intake.md, The journal. */
export const MAX_JOURNAL_BYTES: number = 64 * 1_024 * 1_024;

export interface JournalOptions {
  /** @default MAX_JOURNAL_BYTES */
  readonly maxBytes?: number;
  /** Most reports of a segment, which becomes one inbox object. */
  readonly maxReports: number;
  readonly nowMs: () => number;
}

/** One file of the journal. In every attempt its reports become the inbox object with the same id. */
export interface JournalSegment {
  readonly id: string;
  /** Empty if the file is gone or has no complete line. */
  readonly reports: readonly Report[];
  /** Lines that could not be read back. */
  readonly damaged: number;
}

/** `full`: nothing was written, because `maxBytes` would be exceeded. */
export type JournalResult = "kept" | "full";

/** Reports on the disk of this machine, which wait until the store can be written. */
export interface Journal {
  /** Resolves when the reports are on the disk. Rejects with the system's error; then none may be acknowledged. */
  readonly append: (reports: readonly Report[]) => Promise<JournalResult>;
  /** The same for reports that may be in the inbox under this id: they are replayed under the same one. */
  readonly put: (id: string, reports: readonly Report[]) => Promise<JournalResult>;
  /** The oldest segment; undefined if there is none. Later reports get another id. Rejects with the system's error. */
  readonly next: () => Promise<JournalSegment | undefined>;
  /** Removes a segment that is in the inbox. False if it was already removed. Rejects with the system's error. */
  readonly remove: (id: string) => Promise<boolean>;
  readonly size: () => JournalSize;
  /** Leaves the files for the next start. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the journal of a folder, which is created if needed, with all segments of earlier processes. Rejects with the system's
 * error. Two processes on one folder lose nothing, but may count a report twice that arrives while the second one starts.
 */
export async function openJournal(folder: string, options: JournalOptions): Promise<Journal> {
  const { maxBytes = MAX_JOURNAL_BYTES, ...others } = options;
  const oneAtATime = pLimit(1);
  await makeJournalFolder(folder);
  const sealed = new Map<string, JournalSize>(await takeOver(folder));
  const writer = createSegmentWriter(folder, {
    ...others,
    onSealed: (id, size) => sealed.set(id, size),
  });
  const size = (): JournalSize => sum([...sealed.values(), writer.size()]);

  /** `write` resolves with false if another process interfered; then the reports get another id. */
  async function add(
    reports: readonly Report[],
    write: (line: Uint8Array) => Promise<boolean>,
  ): Promise<JournalResult> {
    const line = encodeLine(reports);
    if (size().bytes + line.byteLength > maxBytes) return "full";
    if (!(await write(line))) await writer.add(line, reports.length);
    return "kept";
  }

  const remove = async (id: string): Promise<boolean> => {
    await removeJournalFile(folder, id, "sealed");
    return sealed.delete(id);
  };

  const next = async (): Promise<JournalSegment | undefined> => {
    if (sealed.size === 0) await writer.seal();
    const [first] = sealed;
    if (first === undefined) return undefined;
    const [id, size] = first;
    // Moved to the end, so that an unreadable file does not block the others.
    sealed.delete(id);
    sealed.set(id, size);
    const lines = decodeLines((await readSealed(folder, id)) ?? new Uint8Array());
    return { id, ...lines };
  };

  return {
    append: (reports) => oneAtATime(add, reports, () => Promise.resolve(false)),
    put: (id, reports) =>
      oneAtATime(add, reports, async (line) => {
        const isWritten = await writeSegment(folder, id, line);
        if (isWritten) sealed.set(id, { reports: reports.length, bytes: line.byteLength });
        return isWritten;
      }),
    next: () => oneAtATime(next),
    remove: (id) => oneAtATime(remove, id),
    size,
    close: () => oneAtATime(writer.close),
  };
}

/** Seals and returns the files of earlier processes, oldest first. No process adds to a sealed file. */
async function takeOver(folder: string): Promise<readonly (readonly [string, JournalSize])[]> {
  const names = await readdir(folder);
  const ids = new Set(names.map((name) => name.replace(/\.(?:open|sealed)$/u, "")));
  const found: [string, JournalSize][] = [];
  for (const id of [...ids].filter(isInboxId).toSorted()) {
    if (names.includes(`${id}.open`)) await sealFile(folder, id);
    const bytes = await readSealed(folder, id);
    if (bytes === undefined) continue;
    found.push([id, { reports: decodeLines(bytes).reports.length, bytes: bytes.byteLength }]);
  }
  return found;
}

function sum(sizes: readonly JournalSize[]): JournalSize {
  return {
    reports: sizes.reduce((total, { reports }) => total + reports, 0),
    bytes: sizes.reduce((total, { bytes }) => total + bytes, 0),
  };
}

export interface JournalLines {
  readonly reports: readonly Report[];
  /**
   * Complete lines with a wrong checksum or content. A line without its line feed is not one of these: it was never acknowledged.
   */
  readonly damaged: number;
}

const CHECKSUM_CHARACTERS = 8;

/** One line: checksum (CRC-32, eight hex digits), a space, the reports as JSON, a line feed. */
export function encodeLine(reports: readonly Report[]): Buffer {
  const rows = reports.map(({ slug, atMs, network, block, symptom }) => [
    slug,
    atMs,
    network,
    block,
    ...(symptom === undefined ? [] : [symptom]),
  ]);
  const json = JSON.stringify(rows);
  return Buffer.from(`${checksumOf(json)} ${json}\n`);
}

/** The reports of every complete, undamaged line. Never throws. */
export function decodeLines(bytes: Uint8Array): JournalLines {
  // The text after the last line feed was being written when the process died.
  const lines = Buffer.from(bytes).toString("utf8").split("\n").slice(0, -1);
  const decoded = lines.map(decodeLine);
  return {
    reports: decoded.flatMap((reports) => reports ?? []),
    damaged: decoded.filter((reports) => reports === undefined).length,
  };
}

function decodeLine(line: string): readonly Report[] | undefined {
  const json = line.slice(CHECKSUM_CHARACTERS + 1);
  if (line.slice(0, CHECKSUM_CHARACTERS) !== checksumOf(json)) return undefined;
  try {
    const rows: unknown = JSON.parse(json);
    if (!Array.isArray(rows)) return undefined;
    const reports = rows.map(toReport);
    return reports.every((report) => report !== undefined) ? reports : undefined;
  } catch {
    return undefined;
  }
}

function toReport(row: unknown): Report | undefined {
  if (!Array.isArray(row)) return undefined;
  const [slug, atMs, network, block, named]: readonly unknown[] = row;
  if (typeof slug !== "string" || typeof atMs !== "number") return undefined;
  if (typeof network !== "string" || typeof block !== "string") return undefined;
  // A newer version may know more symptoms; the report counts without it.
  const symptom = SYMPTOMS.find((known) => known === named);
  return { slug, atMs, network, block, ...(symptom === undefined ? {} : { symptom }) };
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_CHARACTERS, "0");
}
