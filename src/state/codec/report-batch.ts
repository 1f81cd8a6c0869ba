import * as z from "zod";
import { type Report, SYMPTOMS } from "../../model/service/reports.ts";

const FORMAT = "status-snapshot/inbox";
const INBOX_VERSION = 1;

/** An inbox object is not compressed, so this limits the cost of reading it. */
export const MAX_INBOX_BYTES: number = 1024 * 1024;

/** So many always fit: a report has at most some 150 bytes. */
export const MAX_INBOX_REPORTS = 5_000;

/** Decoded reports, or why the bytes are not an inbox object. */
export type DecodedInbox =
  | { readonly kind: "ok"; readonly reports: readonly Report[] }
  | { readonly kind: "invalid"; readonly message: string };

const hash = z.string().regex(/^[A-Za-z0-9_-]{1,16}$/);
const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const instant = z.int().min(0);
const symptom = z.enum(SYMPTOMS);

const ENVELOPE = z.looseObject({ format: z.literal(FORMAT), version: z.int().min(1) });

const INBOX_V1 = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(INBOX_VERSION),
  reports: z
    .array(
      z.union([
        z.tuple([slug, instant, hash, hash]).readonly(),
        z.tuple([slug, instant, hash, hash, symptom]).readonly(),
      ]),
    )
    .max(MAX_INBOX_REPORTS)
    .readonly(),
});

type ReportWire = z.infer<typeof INBOX_V1>["reports"][number];

/**
 * Reports as the bytes of an inbox object: JSON. Throws `RangeError` for more than 5,000 reports, and for one that could not be
 * read back.
 */
export function encodeInbox(reports: readonly Report[]): Uint8Array {
  const wire = INBOX_V1.safeParse({
    format: FORMAT,
    version: INBOX_VERSION,
    reports: reports.map(pack),
  });
  if (!wire.success) throw new RangeError(`reports cannot be stored: ${describe(wire.error)}`);
  return new TextEncoder().encode(JSON.stringify(wire.data));
}

/** The reports in the bytes, all or none, or what is wrong with the bytes. Never throws. */
export function decodeInbox(bytes: Uint8Array): DecodedInbox {
  if (bytes.length === 0) return invalid("the inbox is empty");
  if (bytes.length > MAX_INBOX_BYTES) return invalid("the inbox is over 1 MiB");
  const json = parseJson(bytes);
  if (json === undefined) return invalid("the inbox is corrupt or cut short: it is not JSON");
  const envelope = ENVELOPE.safeParse(json);
  if (!envelope.success) return invalid("this is not an inbox of status-snapshot");
  const { version } = envelope.data;
  if (version > INBOX_VERSION) {
    return invalid(
      `the inbox was written by a newer version of status-snapshot (layout ${version}; this one reads up to ` +
        `${INBOX_VERSION}); upgrade status-snapshot`,
    );
  }
  const wire = INBOX_V1.safeParse(json);
  return wire.success
    ? { kind: "ok", reports: wire.data.reports.map(unpack) }
    : invalid(`the inbox is damaged: ${describe(wire.error)}`);
}

function invalid(message: string): DecodedInbox {
  return { kind: "invalid", message };
}

/** Undefined when it is not JSON: no JSON text gives `undefined`. */
function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function describe(error: z.ZodError): string {
  const [first] = error.issues;
  return first === undefined ? "unknown damage" : `${first.path.join(".")}: ${first.message}`;
}

function pack({ slug, atMs, network, block, symptom }: Report): ReportWire {
  const common = [slug, atMs, network, block] as const;
  return symptom === undefined ? common : [...common, symptom];
}

function unpack([slug, atMs, network, block, symptom]: ReportWire): Report {
  return { slug, atMs, network, block, ...(symptom === undefined ? {} : { symptom }) };
}
