/** The only pairs of verdict code and colour there are. Source: the States table of the API. */
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
export type Color = (typeof COLOR_OF)[VerdictCode];

/** Exactly one code with its own colour: the type has no other pair. */
export type CodeAndColor = {
  [C in VerdictCode]: { readonly code: C; readonly color: (typeof COLOR_OF)[C] };
}[VerdictCode];

export type Verdict = CodeAndColor & {
  /** A failure in recent checks, or a surge of reports, is happening now. */
  readonly live: boolean;
  /** Start of the current check class; null when there never was a valid run for the service. */
  readonly sinceMs: number | null;
};
