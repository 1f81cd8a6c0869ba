import { crc32 } from "node:zlib";
import { type Report, SYMPTOMS } from "../../model/service/reports.ts";

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
