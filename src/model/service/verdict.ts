/** The colour of each verdict code. Source: the States table of the API. */
export const COLOR_OF = {
  ok: "ok",
  fail: "bad",
  fail_long: "bad",
  err: "bad",
  restricted_fail: "bad",
  restricted: "bad",
  slow: "warn",
  partial: "warn",
  spike: "warn",
  slowed_ru: "warn",
  partial_ru: "warn",
  provider: "warn",
  none: "none",
} as const satisfies Record<string, "ok" | "warn" | "bad" | "none">;

export type VerdictCode = keyof typeof COLOR_OF;

// The object literal above has exactly these keys, and is not empty.
export const VERDICT_CODES = Object.keys(COLOR_OF) as [VerdictCode, ...VerdictCode[]];

/** Codes that say that a service does not work; one that is only restricted works as far as it may. */
const FAILING_CODES: ReadonlySet<VerdictCode> = new Set([
  "fail",
  "fail_long",
  "err",
  "restricted_fail",
]);

export function isFailingCode(code: VerdictCode): boolean {
  return FAILING_CODES.has(code);
}

export type Color = (typeof COLOR_OF)[VerdictCode];

/** A code with its own colour: the type allows no other pair. */
export type CodeAndColor = {
  [C in VerdictCode]: { readonly code: C; readonly color: (typeof COLOR_OF)[C] };
}[VerdictCode];

export type Verdict = CodeAndColor & {
  /** Whether recent checks fail or reports surge now. */
  readonly live: boolean;
  /** Start of the current check class; null if no valid run has checked the service. */
  readonly sinceMs: number | null;
};
