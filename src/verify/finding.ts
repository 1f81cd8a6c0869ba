import type { Basis } from "./point-row.ts";
import { type PointId, POINTS } from "./points.ts";

/** What was found about one point. */
export interface Finding {
  readonly id: PointId;
  readonly result: "pass" | "fail" | "skip";
  /** What was looked at, or why it could not be. */
  readonly seen: string;
  /** One line for each thing that is wrong; empty unless the point fails. */
  readonly problems: readonly string[];
  /** What is allowed, but worth knowing. */
  readonly warnings: readonly string[];
}

/** A finding with what the point is about. */
export interface PointResult extends Finding {
  readonly title: string;
  readonly basis: Basis;
  /** What to mend; absent unless the point fails. */
  readonly mend?: string;
}

/** Everything that one check of a deployment found. */
export interface VerifyReport {
  readonly baseUrl: string;
  readonly checkedAtMs: number;
  readonly durationMs: number;
  readonly requests: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Every point there is, in a fixed order. */
  readonly points: readonly PointResult[];
}

/** Fails when there are problems, and passes otherwise. */
export function judge(
  id: PointId,
  problems: readonly string[],
  seen: string,
  warnings: readonly string[] = [],
): Finding {
  return { id, result: problems.length === 0 ? "pass" : "fail", seen, problems, warnings };
}

/** A point that could not be looked at, and why. It neither passes nor fails. */
export function skip(id: PointId, why: string): Finding {
  return { id, result: "skip", seen: why, problems: [], warnings: [] };
}

/** One finding of several about the same point, each with a name for its problems. It is skipped only if all of them are. */
export function mergeFindings(
  id: PointId,
  parts: readonly (readonly [name: string, finding: Finding])[],
): Finding {
  const done = parts.filter(([, { result }]) => result !== "skip");
  if (done.length === 0) return skip(id, parts[0]?.[1].seen ?? "");
  return judge(
    id,
    done.flatMap(([name, { problems }]) => problems.map((problem) => `${name}: ${problem}`)),
    done.map(([name]) => name).join(", "),
    done.flatMap(([name, { warnings }]) => warnings.map((warning) => `${name}: ${warning}`)),
  );
}

/** Every point in its place; one without a finding was skipped for the reason given. */
export function completePoints(
  findings: readonly Finding[],
  whyMissing: string,
): readonly PointResult[] {
  const byId = new Map(findings.map((finding) => [finding.id, finding]));
  return Array.from(POINTS, ([id, { title, basis, mend }]) => {
    const finding = byId.get(id) ?? skip(id, whyMissing);
    return { ...finding, title, basis, ...(finding.result === "fail" ? { mend } : {}) };
  });
}
