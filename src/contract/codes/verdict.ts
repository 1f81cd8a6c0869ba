interface VerdictRow {
  /** The status light. */
  readonly color: "ok" | "warn" | "bad" | "none";
  /**
   * `failing`: it does not work. `degraded`: checks or reports of the last hour warn. `restriction`: it works as far as it may, which
   * lasts.
   */
  readonly kind: "working" | "failing" | "degraded" | "restriction" | "unknown";
  /** The worse, the higher, in steps of ten. Outages that may end soon come before those that last. */
  readonly severity: number;
  /** The status of the component in the format of Statuspage. */
  readonly component: "operational" | "degraded_performance" | "partial_outage" | "major_outage";
  /** Whether the verdict began when the check class did, so that pages show that time. */
  readonly hasStart: boolean;
}

const FAILING = { color: "bad", kind: "failing", component: "major_outage" } as const;
const MILD = "degraded_performance";

/**
 * Every verdict code, in the order of the States table of the API, which is the source of the colours. The components are those of
 * docs/open-data.md, "Statuspage". The words of each code stand in `verdict-words.ts`.
 */
export const VERDICTS = {
  ok: { color: "ok", kind: "working", severity: 10, component: "operational", hasStart: false },
  fail: { ...FAILING, severity: 120, hasStart: true },
  fail_long: { ...FAILING, severity: 90, hasStart: true },
  err: { ...FAILING, severity: 110, hasStart: true },
  restricted_fail: { ...FAILING, severity: 100, hasStart: true },
  restricted: { color: "bad", kind: "restriction", severity: 80, component: MILD, hasStart: false },
  slow: { color: "warn", kind: "degraded", severity: 50, component: MILD, hasStart: false },
  partial: {
    color: "warn",
    kind: "degraded",
    severity: 70,
    component: "partial_outage",
    hasStart: true,
  },
  spike: { color: "warn", kind: "degraded", severity: 60, component: MILD, hasStart: false },
  slowed_ru: { color: "warn", kind: "restriction", severity: 30, component: MILD, hasStart: false },
  partial_ru: {
    color: "warn",
    kind: "restriction",
    severity: 40,
    component: MILD,
    hasStart: false,
  },
  provider: {
    color: "warn",
    kind: "restriction",
    severity: 20,
    component: "operational",
    hasStart: false,
  },
  none: { color: "none", kind: "unknown", severity: 0, component: "operational", hasStart: false },
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
