interface VerdictRow {
  /** The status light. */
  readonly color: "ok" | "warn" | "bad" | "none";
  /** `failing`: it does not work. `degraded`: checks or reports of the last hour warn. `restriction`: it works as far as it may, for long. */
  readonly kind: "working" | "failing" | "degraded" | "restriction" | "unknown";
  /** The worse, the higher, in steps of ten. Outages that may end soon come before those that last. */
  readonly severity: number;
  /** The status of the component in the format of Statuspage. */
  readonly component: "operational" | "degraded_performance" | "partial_outage" | "major_outage";
  /** Whether the verdict began when the check class did, so that pages show that time. */
  readonly hasStart: boolean;
}

const MILD = "degraded_performance";
const FAILING = {
  color: "bad",
  kind: "failing",
  component: "major_outage",
  hasStart: true,
} as const;
const DEGRADED = { color: "warn", kind: "degraded", component: MILD, hasStart: false } as const;
const LIMITED = { color: "warn", kind: "restriction", component: MILD, hasStart: false } as const;
const FINE = { component: "operational", hasStart: false } as const;

/**
 * Every verdict code, in the order of the States table of the API, which is the source of the colours. The components are those of
 * docs/open-data.md, "Statuspage". The words of each code stand in `verdict-words.ts`.
 */
export const VERDICTS = {
  ok: { ...FINE, color: "ok", kind: "working", severity: 10 },
  fail: { ...FAILING, severity: 120 },
  fail_long: { ...FAILING, severity: 90 },
  err: { ...FAILING, severity: 110 },
  restricted_fail: { ...FAILING, severity: 100 },
  restricted: { ...LIMITED, color: "bad", severity: 80 },
  slow: { ...DEGRADED, severity: 50 },
  partial: { ...DEGRADED, component: "partial_outage", severity: 70, hasStart: true },
  spike: { ...DEGRADED, severity: 60 },
  slowed_ru: { ...LIMITED, severity: 30 },
  partial_ru: { ...LIMITED, severity: 40 },
  provider: { ...LIMITED, ...FINE, severity: 20 },
  none: { ...FINE, color: "none", kind: "unknown", severity: 0 },
} as const satisfies Record<string, VerdictRow>;

export type VerdictCode = keyof typeof VERDICTS;

// The object literal above has exactly these keys, and is not empty.
export const VERDICT_CODES = Object.keys(VERDICTS) as [VerdictCode, ...VerdictCode[]];

/** A value for each code. */
export function mapCodes<T>(valueOf: (code: VerdictCode) => T): Record<VerdictCode, T> {
  // The keys are all codes.
  return Object.fromEntries(VERDICT_CODES.map((code) => [code, valueOf(code)])) as Record<
    VerdictCode,
    T
  >;
}

type ColorOf = { readonly [C in VerdictCode]: (typeof VERDICTS)[C]["color"] };

/** The colour of each code. */
export const COLOR_OF = mapCodes((code) => VERDICTS[code].color) as ColorOf;

export type Color = ColorOf[VerdictCode];

/** Whether a code says that a service does not work; one that is only restricted works as far as it may. */
export function isFailingCode(code: VerdictCode): boolean {
  return VERDICTS[code].kind === "failing";
}

/** A code with its own colour: the type allows no other pair. */
export type CodeAndColor = {
  [C in VerdictCode]: { readonly code: C; readonly color: ColorOf[C] };
}[VerdictCode];

export type Verdict = CodeAndColor & {
  /** Whether recent checks fail or reports surge now. */
  readonly live: boolean;
  /** Start of the current check class; null if no valid run has checked the service. */
  readonly sinceMs: number | null;
};
