import { NO_REPORTS } from "../../../src/model/service/reports.ts";
import type { Snapshot } from "../../../src/model/service/snapshot.ts";
import {
  COLOR_OF,
  type CodeAndColor,
  type VerdictCode,
} from "../../../src/contract/codes/verdict.ts";
import { T0 } from "../../model/samples.ts";

/** A snapshot with these verdicts by slug, and nothing else of interest. */
export function snapshotOf(codes: Readonly<Record<string, VerdictCode>>): Snapshot {
  const services = Object.entries(codes).map(([slug, code]) => ({
    slug,
    name: slug,
    verdict: { ...({ code, color: COLOR_OF[code] } as CodeAndColor), live: false, sinceMs: null },
    reports: NO_REPORTS,
  }));
  return { updatedAtMs: T0, services };
}
