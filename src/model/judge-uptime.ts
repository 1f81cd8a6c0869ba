import type { BadgeTone, UptimeCount } from "./monitor.ts";

/** From which uptime on, in hundredths of a per cent, a tone applies. Source: docs/badges.md, "Colours". */
const TONES: readonly (readonly [fromHundredths: number, tone: BadgeTone])[] = [
  [9990, "best"],
  [9900, "good"],
  [9700, "fair"],
  [9000, "poor"],
];

export interface UptimeJudgement {
  /** `99.98%`; null: no decided check. */
  readonly value: string | null;
  readonly tone: BadgeTone;
}

/** The value is floored, never rounded up: `100%` means that not one check failed. Source: docs/badges.md, "The value". */
export function judgeUptime({ decided, healthy }: UptimeCount): UptimeJudgement {
  if (decided <= 0) return { value: null, tone: "none" };
  if (healthy >= decided) return { value: "100%", tone: "best" };
  // Whole numbers until the end: 0.9998 as a fraction would be a hair less than 99.98 hundredths.
  const hundredths = Math.floor((healthy * 10_000) / decided);
  const tone = TONES.find(([from]) => hundredths >= from)?.[1] ?? "bad";
  const decimals = String(hundredths % 100).padStart(2, "0");
  return { value: `${Math.floor(hundredths / 100)}.${decimals}%`, tone };
}
