import * as z from "zod";
import { TRUTH_KINDS, type TruthEntry } from "../../model/service/accuracy.ts";
import { toIsoSeconds, isCalendarDate } from "../../model/time.ts";
import { checkedText, strictMapping } from "../../yaml/check-shape.ts";
import type { Finding } from "../../yaml/problem.ts";
import { readYamlAs } from "../../yaml/read-yaml-as.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import { faultInText } from "../../yaml/validators.ts";

/** Source: docs/open-data.md, "The truth". */
export const TRUTH_MAX_BYTES: number = 1024 * 1024;
const MAX_ENTRIES = 2_000;
const MAX_TEXT_LENGTH = 500;

const TEXT = checkedText((written) => faultInText(written, MAX_TEXT_LENGTH));

const TIME = checkedText((written) =>
  readTime(written) === undefined
    ? "not a time; write it in RFC 3339, such as 2026-11-21T12:00:00+03:00."
    : undefined,
);

const ENTRY = strictMapping({
  service: z.string(),
  from: TIME,
  to: z.exactOptional(TIME),
  what: z.enum(TRUTH_KINDS),
  source: TEXT,
  note: z.exactOptional(TEXT),
});

const ENTRIES = z
  .array(ENTRY)
  .max(MAX_ENTRIES, `has too many entries; keep ${MAX_ENTRIES}.`)
  .transform((entries) => entries.map(toEntry));

/** An empty file has no value. */
const TRUTH = z.preprocess((written) => written ?? [], ENTRIES);

/** What an entry may refer to. Without it, services and times are not checked. */
export interface TruthContext {
  readonly slugs: readonly string[];
  readonly nowMs: number;
}

/**
 * Parses `truth.yaml`: a list of what is known of a service from elsewhere, the order of which does not matter. Either gives the
 * entries, or every problem at once, sorted by position. An empty file is an empty list. Never throws.
 */
export function parseTruth(source: Uint8Array | string, context?: TruthContext) {
  const yaml = readYamlAs(source, TRUTH_MAX_BYTES, TRUTH, (root, entries = []) => {
    const at: FindingAt = (index, key, message) => {
      const entry = root.parts.get(index);
      const place = entry?.node.parts.get(key)?.node ?? entry ?? root;
      return { offset: place.offset, path: [index, key], message };
    };
    return [
      ...entries.flatMap((entry, index) => checkEntry(entry, index, at, context)),
      ...checkOverlaps(entries, at),
    ];
  });
  return yaml.kind === "invalid" ? yaml : ({ kind: "ok", entries: yaml.value } as const);
}

function toEntry(written: z.output<typeof ENTRY>): TruthEntry {
  const { service: slug, from, to, what, source } = written;
  // The schema has read the times.
  const fromMs = readTime(from) ?? 0;
  return { slug, fromMs, toMs: to === undefined ? null : (readTime(to) ?? 0), what, source };
}

type FindingAt = (index: number, key: string, message: string) => Finding;

function checkEntry(
  { slug, fromMs, toMs }: TruthEntry,
  index: number,
  at: FindingAt,
  context: TruthContext | undefined,
): readonly Finding[] {
  const findings: Finding[] = [];
  if (toMs !== null && toMs <= fromMs)
    findings.push(at(index, "to", "is not after from; correct one of the two."));
  if (context === undefined) return findings;
  const { slugs, nowMs } = context;
  if (!slugs.includes(slug)) {
    const word = suggestWord(slug, slugs, slugs.length);
    const hint = word === undefined ? "use one of catalogue.yaml" : `did you mean "${word}"`;
    const end = word === undefined ? "." : "?";
    findings.push(at(index, "service", `no service has this slug; ${hint}${end}`));
  }
  if (fromMs > nowMs) findings.push(at(index, "from", "is in the future; correct it."));
  if (toMs !== null && toMs > nowMs)
    findings.push(at(index, "to", "is in the future; leave it out while it lasts."));
  return findings;
}

/** Of two entries about one time only one can be right, or one is too many. */
function checkOverlaps(entries: readonly TruthEntry[], at: FindingAt): readonly Finding[] {
  const findings: Finding[] = [];
  const latest = new Map<string, readonly [index: number, entry: TruthEntry]>();
  for (const one of [...entries.entries()].toSorted(([, a], [, b]) => a.fromMs - b.fromMs)) {
    const [index, { slug, fromMs, toMs, what }] = one;
    const [place, before] = latest.get(slug) ?? [];
    const endMs = before === undefined ? -1 : (before.toMs ?? Infinity);
    if (before !== undefined && fromMs < endMs) {
      const verb = before.what === what ? "overlaps" : "contradicts";
      const untilText = before.toMs === null ? "lasts" : `ends ${toIsoSeconds(endMs)}`;
      const said = `which says ${before.what} and ${untilText}`;
      findings.push(at(index, "from", `${verb} [${place}], ${said}; change one of the two.`));
    }
    if ((toMs ?? Infinity) > endMs) latest.set(slug, one);
  }
  return findings;
}

const RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

/** Milliseconds since the epoch; undefined for what is not a time since 1970. */
function readTime(text: string): number | undefined {
  const [, day] = RFC_3339.exec(text) ?? [];
  if (day === undefined || !isCalendarDate(day)) return undefined;
  const atMs = Date.parse(text.replace(" ", "T").toUpperCase());
  return Number.isNaN(atMs) || atMs < 0 ? undefined : atMs;
}
