import { OTHER_OPERATOR } from "../../contract/codes/operator.ts";
import { SYMPTOMS } from "../../model/service/choices.ts";
import { mkdir, readdir } from "node:fs/promises";
import { crc32 } from "node:zlib";
import pLimit from "p-limit";
import { sumOf } from "../../model/lists.ts";
import { type Report, toReport } from "../../model/service/reports.ts";
import { isInboxId } from "../../model/folded-ids.ts";
import {
  createSegmentWriter,
  type JournalSize,
  readSealed,
  removeJournalFile,
  sealFile,
  writeSegment,
} from "./journal-files.ts";

/** 64 MiB, some 900,000 reports: a quarter of an hour at 1,000 a second. Source: docs/reports/intake.md, The journal. */
const MAX_JOURNAL_BYTES: number = 64 * 1_024 * 1_024;

const FOLDER_MODE = 0o700;
const CHECKSUM_CHARACTERS = 8;

export interface JournalOptions {
  /** 64 MiB by default. */
  readonly maxBytes?: number;
  /** Most reports of a segment, which becomes one inbox object. */
  readonly maxReports: number;
  readonly nowMs: () => number;
}

/** `full`: nothing was written, because `maxBytes` would be exceeded. */
export type JournalResult = "kept" | "full";

/** Reports on the disk of this machine, which wait until the store can be written. */
export type Journal = Awaited<ReturnType<typeof openJournal>>;

/**
 * Opens the journal of a folder, which is created if needed, with all segments of earlier processes. It and its methods reject with the
 * system's error. Two processes on one folder lose nothing, but may count a report twice that arrives while the second one starts.
 */
export async function openJournal(folder: string, options: JournalOptions) {
  const { maxBytes = MAX_JOURNAL_BYTES } = options;
  const oneAtATime = pLimit(1);
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const sealed = new Map<string, JournalSize>(await takeOver(folder));
  const writer = createSegmentWriter(folder, options, (id, size) => sealed.set(id, size));
  const size = (): JournalSize => {
    const all = [...sealed.values(), writer.size()];
    const reports = sumOf(all.map((one) => one.reports));
    return { reports, bytes: sumOf(all.map(({ bytes }) => bytes)) };
  };

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

  async function remove(id: string): Promise<boolean> {
    await removeJournalFile(folder, id, "sealed");
    return sealed.delete(id);
  }

  async function next() {
    if (sealed.size === 0) await writer.seal();
    const [first] = sealed;
    if (first === undefined) return undefined;
    const [id, size] = first;
    // Moved to the end, so that an unreadable file does not block the others.
    sealed.delete(id);
    sealed.set(id, size);
    return { id, ...decodeLines((await readSealed(folder, id)) ?? new Uint8Array()) };
  }

  return {
    /** Resolves when the reports are on the disk. If it rejects, none may be acknowledged. */
    append: (reports: readonly Report[]) => oneAtATime(add, reports, () => Promise.resolve(false)),
    /** The same for reports that may be in the inbox under this id: they are replayed under the same one. */
    put: (id: string, reports: readonly Report[]) =>
      oneAtATime(add, reports, async (line) => {
        const isWritten = await writeSegment(folder, id, line);
        if (isWritten) sealed.set(id, { reports: reports.length, bytes: line.byteLength });
        return isWritten;
      }),
    /**
     * The oldest segment, whose reports become the inbox object with the same id in every attempt; undefined if there is none. Without
     * reports if the file is gone or has no complete line. Later reports get another id.
     */
    next: () => oneAtATime(next),
    /** Removes a segment that is in the inbox. False if it was already removed. */
    remove: (id: string) => oneAtATime(remove, id),
    size,
    /** Leaves the files for the next start. */
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

/** One line: checksum (CRC-32, eight hex digits), a space, the reports as JSON, a line feed. */
function encodeLine(reports: readonly Report[]): Buffer {
  const rows = reports.map(({ slug, atMs, network, block, symptom, operator }) => {
    const more = operator === undefined ? [symptom] : [symptom ?? null, operator];
    return [slug, atMs, network, block, ...more].filter((value) => value !== undefined);
  });
  const json = JSON.stringify(rows);
  return Buffer.from(`${checksumOf(json)} ${json}\n`);
}

/**
 * The reports of every complete, undamaged line, and the number of complete lines with a wrong checksum or content. A line without its
 * line feed was never acknowledged. Never throws.
 */
function decodeLines(bytes: Uint8Array) {
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
    const reports = rows.map(readReport);
    return reports.every((report) => report !== undefined) ? reports : undefined;
  } catch {
    return undefined;
  }
}

function readReport(row: unknown): Report | undefined {
  if (!Array.isArray(row)) return undefined;
  const [slug, atMs, network, block, named, numbered]: readonly unknown[] = row;
  if (typeof slug !== "string" || typeof atMs !== "number") return undefined;
  if (typeof network !== "string" || typeof block !== "string") return undefined;
  // A newer version may know more symptoms; the report counts without it.
  const symptom = SYMPTOMS.find((known) => known === named);
  const operator = Number.isSafeInteger(numbered) ? Number(numbered) : OTHER_OPERATOR;
  return toReport({ slug, atMs, network, block }, symptom, operator);
}

function checksumOf(text: string): string {
  return crc32(text).toString(16).padStart(CHECKSUM_CHARACTERS, "0");
}
