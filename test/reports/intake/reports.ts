import type { Report } from "../../../src/model/service/reports.ts";

/** The intake does not depend on the format of the inbox, so these tests use JSON. */
export const encode = (reports: readonly Report[]): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(reports));

export function decode(bytes: Uint8Array): readonly Report[] {
  // `encode` wrote it.
  return JSON.parse(new TextDecoder().decode(bytes)) as readonly Report[];
}

export function reportOf(number: number, parts: Partial<Report> = {}): Report {
  return { slug: "sberbank", atMs: number, network: `n${number}`, block: "b", ...parts };
}
