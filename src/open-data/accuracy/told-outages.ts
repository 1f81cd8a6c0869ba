import { type OutageAbout, SHORT_RUNS, type ToldOutage } from "../../model/service/accuracy.ts";
import { isFailingCode, type VerdictCode } from "../../contract/codes/verdict.ts";
import { FRESH_MS, MINUTE_MS } from "../../model/time.ts";

/** A report this long before a failing verdict is about the same outage. Source: docs/open-data.md, "Accuracy". */
export const REPORTS_BEFORE_MS: number = 10 * MINUTE_MS;

/** How a service stood in Moscow and abroad in one run. */
export type Comparison = "alike" | "only-moscow" | "only-abroad";

/** What one generation saw of one service. */
export interface ServiceLook {
  readonly slug: string;
  readonly code: VerdictCode;
  /** The last verdict before, `none` left out; undefined: there was none. */
  readonly codeBefore: VerdictCode | undefined;
  /** The last check that decided about it, in the state before, and in the state after. */
  readonly checkedBeforeMs: number | undefined;
  readonly checkedAtMs: number | undefined;
  /** Whether a user has reported it since a time. */
  readonly isReportedSince: (fromMs: number) => boolean;
  /** When the surge began that lasts now. */
  readonly surgedAtMs: number | undefined;
  /** Whether another place was heard, and sees an endpoint fail. */
  readonly elsewhere: { readonly isHeard: boolean; readonly isFailing: boolean };
  /** What is known of the failure; null: the verdict does not fail. */
  readonly about: OutageAbout | null;
  /** Undefined: no place abroad can be compared. */
  readonly comparison: Comparison | undefined;
}

export interface ToldAt {
  /** When the generation is published, in whole seconds. */
  readonly nowMs: number;
  /** Start of the day that is being counted. */
  readonly dayMs: number;
}

/** More runs than a short outage has. */
const MANY_RUNS: number = SHORT_RUNS + 1;

/**
 * The outages that we told, after a generation. An outage begins when the verdict turns to failing; one that was failing before the
 * record, or from its first verdict on, is not listed, because it is not known when it could have been told first. `none` neither begins
 * nor ends one. A relapse within 15 minutes continues it, unless the day has ended in between: numbers of days that are over stay.
 */
export function foldToldOutages(
  before: readonly ToldOutage[],
  services: readonly ServiceLook[],
  at: ToldAt,
): readonly ToldOutage[] {
  const places = new Map(before.map(({ slug }, place) => [slug, place]));
  const outages = [...before];
  const looked = new Set<string>();
  for (const look of services) {
    looked.add(look.slug);
    const place = places.get(look.slug);
    const last = place === undefined ? undefined : outages[place];
    const next = advanceOutage(last, look, at);
    if (next === undefined || next === last) continue;
    if (place !== undefined && next.toldAtMs === last?.toldAtMs) outages[place] = next;
    else outages.push(next);
  }
  // Of a service that left the catalogue it is unknown how long it would have lasted.
  return outages.map((outage) => {
    const isGone = outage.endedAtMs === null && !looked.has(outage.slug);
    return isGone ? { ...close(outage, at.nowMs), runs: MANY_RUNS, isEndUnseen: true } : outage;
  });
}

/** The last outage of a service after a generation; undefined: there is none. */
function advanceOutage(
  last: ToldOutage | undefined,
  look: ServiceLook,
  { nowMs, dayMs }: ToldAt,
): ToldOutage | undefined {
  const { code, codeBefore } = look;
  if (last?.endedAtMs === null) {
    if (code === "none") return last;
    const seen = addWitnesses(addRun(last, look), look);
    if (isFailingCode(code)) return { ...seen, about: joinAbout(seen.about, look.about) };
    // A service of which a part still fails has not healed, so such an outage was not short.
    const runs = code === "partial" ? MANY_RUNS : seen.runs;
    return { ...close(seen, nowMs), runs, isEndUnseen: isAfterGap(last, look) };
  }
  if (!isFailingCode(code) || codeBefore === undefined || isFailingCode(codeBefore)) return last;
  const checkedAtMs = look.checkedAtMs ?? nowMs;
  if (last !== undefined && last.endedAtMs >= Math.max(dayMs, nowMs - FRESH_MS)) {
    const runs = Math.min(MANY_RUNS, last.runs + 1);
    const again = { ...last, endedAtMs: null, isEndUnseen: false };
    return addWitnesses({ ...again, runs, checkedAtMs }, look);
  }
  const begun: ToldOutage = {
    slug: look.slug,
    toldAtMs: nowMs,
    endedAtMs: null,
    runs: 1,
    checkedAtMs,
    isReported: false,
    isSeenElsewhere: false,
    isLookedAtElsewhere: false,
    surgedAtMs: null,
    about: look.about,
    isEndUnseen: false,
  };
  return addWitnesses(begun, look);
}

/** What was known at the beginning, with where it fails by the last that is known, and the run in which most failed. */
function joinAbout(before: OutageAbout | null, now: OutageAbout | null): OutageAbout | null {
  if (before === null || now === null) return before;
  const { cause, failing, counted } = now.failing > before.failing ? now : before;
  return {
    ...before,
    scope: now.scope === "unknown" ? before.scope : now.scope,
    cause,
    failing,
    counted,
    network: before.network ?? now.network,
    operators: now.operators ?? before.operators,
  };
}

/** Counts a further run that found it. After a gap it is unknown how long it lasted. */
function addRun(outage: ToldOutage, look: ServiceLook): ToldOutage {
  const { code, checkedAtMs } = look;
  const before = outage.checkedAtMs;
  if (checkedAtMs === undefined || before === null || checkedAtMs <= before) return outage;
  const runs = isAfterGap(outage, look)
    ? MANY_RUNS
    : Math.min(MANY_RUNS, outage.runs + (isFailingCode(code) ? 1 : 0));
  return { ...outage, checkedAtMs, runs };
}

/** Whether the run that looked now is the first after a gap. */
function isAfterGap({ checkedAtMs: before }: ToldOutage, { checkedAtMs }: ServiceLook): boolean {
  return checkedAtMs !== undefined && before !== null && checkedAtMs - before > FRESH_MS;
}

function addWitnesses(outage: ToldOutage, look: ServiceLook): ToldOutage {
  const { elsewhere, surgedAtMs } = look;
  return {
    ...outage,
    isReported: outage.isReported || look.isReportedSince(outage.toldAtMs - REPORTS_BEFORE_MS),
    isSeenElsewhere: outage.isSeenElsewhere || elsewhere.isFailing,
    isLookedAtElsewhere: outage.isLookedAtElsewhere || elsewhere.isHeard,
    surgedAtMs: outage.surgedAtMs ?? surgedAtMs ?? null,
  };
}

/** The clock may have been set back since it was told. */
function close(outage: ToldOutage, nowMs: number): ToldOutage {
  return { ...outage, endedAtMs: Math.max(nowMs, outage.toldAtMs), checkedAtMs: null };
}
