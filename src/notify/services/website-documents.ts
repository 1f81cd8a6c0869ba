import * as z from "zod";
import { COLOR_OF, VERDICT_CODES, type VerdictCode } from "../../contract/codes/verdict.ts";

/** A change of a verdict, as `changes/v1.json` has it. */
export interface PublicChange {
  readonly seq: number;
  readonly id: string;
  readonly slug: string;
  readonly atMs: number;
  readonly before: VerdictCode;
  readonly code: VerdictCode;
  /** With a surge of reports. */
  readonly isSurge: boolean;
}

/** The log of changes. */
export interface ChangesDocument {
  /** Number of the next change. */
  readonly next: number;
  /** With numbers below `next`, ascending without gaps. */
  readonly changes: readonly PublicChange[];
}

/** The list of services. */
export interface StatusDocument {
  /** Time of the last run that counted. */
  readonly updatedMs: number;
  /** By slug. */
  readonly services: ReadonlyMap<string, { readonly name: string; readonly code: VerdictCode }>;
}

const seconds = z.int().min(0).max(8_640_000_000);
const slug = z.string().regex(/^[a-z0-9-]{1,64}$/u);
const code = z.enum(VERDICT_CODES);

/** More keys may come: a client of a public document must not stop at them. Those that it reads have to be right. */
const CHANGES = z.object({
  next: z.int().min(1),
  changes: z
    .array(
      z.object({
        seq: z.int().min(1),
        id: z.string().regex(/^[A-Za-z0-9_.-]{1,160}$/u),
        slug,
        at: seconds,
        before: code,
        code,
        surge: z.boolean(),
      }),
    )
    .max(20_000),
});

const STATUS = z.object({
  updated: seconds,
  services: z
    .array(z.object({ slug, name: z.string().min(1).max(200), code, color: z.string() }))
    .max(20_000),
});

/** The log of changes in a JSON value, or what is wrong with it. Never throws. */
export function readChanges(value: unknown): ChangesDocument | string {
  const parsed = CHANGES.safeParse(value);
  if (!parsed.success) return describe(parsed.error);
  const { next, changes } = parsed.data;
  const isGapless = changes.every(({ seq }, at) => seq === next - changes.length + at);
  if (!isGapless) return "the numbers of its changes have gaps";
  return {
    next,
    changes: changes.map(({ at, surge: isSurge, ...one }) => ({
      ...one,
      atMs: at * 1_000,
      isSurge,
    })),
  };
}

/** The list of services in a JSON value, or what is wrong with it. Never throws. */
export function readStatus(value: unknown): StatusDocument | string {
  const parsed = STATUS.safeParse(value);
  if (!parsed.success) return describe(parsed.error);
  const { updated, services } = parsed.data;
  const wrong = services.find((one) => one.color !== COLOR_OF[one.code]);
  if (wrong !== undefined) return `${wrong.slug} has a color that is not that of its code`;
  return {
    updatedMs: updated * 1_000,
    services: new Map(services.map((one) => [one.slug, { name: one.name, code: one.code }])),
  };
}

function describe({ issues: [first] }: z.ZodError): string {
  const path = first?.path.join(".") ?? "";
  return `${path === "" ? "it" : path.slice(0, 80)} is not as expected`;
}
