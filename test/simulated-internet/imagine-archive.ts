import type { ArchivedCheck } from "../../src/model/service/archive.ts";
import { toSlot } from "../../src/monitors/uptime/time-slots.ts";
import type { Catalogue } from "../../src/model/service/catalogue.ts";
import { FAILURES } from "../../src/model/failures.ts";
import type { ObjectStore } from "../../src/model/store.ts";
import { DAY_MS, MINUTE_MS, toUnixSeconds, toUtcDay } from "../../src/model/time.ts";
import { decodeSpool, encodeSpool } from "../../src/open-data/archive/spool.ts";
import { readSpool, writeSpool } from "../../src/state/archive-store.ts";
import { SCENARIOS } from "./demo-scenarios.ts";
import { outagesOf } from "./imagine-past.ts";

/*
 * A whole day for the archive of the demo: what its first run has measured, every five minutes of the day before yesterday, with the
 * outages that its charts show. A later run of the demo seals it, as it would in production.
 */

const EVERY_MS = 5 * MINUTE_MS;
const RUNS_OF_DAY = DAY_MS / EVERY_MS;

/**
 * Spools that day. Call it after the first run, and before one that comes after that day.
 *
 * @param firstRunMs start of the run that is repeated.
 */
export async function spoolImaginedDay(
  store: ObjectStore,
  { services }: Catalogue,
  { firstRunMs, nowMs }: { readonly firstRunMs: number; readonly nowMs: number },
): Promise<void> {
  const [first] = await readSpool(store, [toSlot(firstRunMs)]);
  const run = first && decodeSpool(first);
  if (run === undefined) throw new Error("the first run of the demo left nothing for the archive");
  const failing = new Set(SCENARIOS.filter(({ behaviours }) => behaviours).map(({ slug }) => slug));
  const outages = new Map(
    services.map(({ slug }, place) => [slug, failing.has(slug) ? [] : outagesOf(place, nowMs)]),
  );
  const startMs = (toUtcDay(nowMs) - 2) * DAY_MS;
  for (let each = 0; each < RUNS_OF_DAY; each += 1) {
    const atMs = startMs + each * EVERY_MS;
    const at = toUnixSeconds(atMs);
    const checks = run.checks.map((check, place): ArchivedCheck => {
      const outage = outages
        .get(check.service)
        ?.find(({ sinceMs, endedAtMs }) => atMs >= sinceMs && atMs < (endedAtMs ?? atMs));
      const ms = check.ms === null ? null : check.ms + ((each * 7 + place * 13) % 40);
      if (outage === undefined || outage.code === null) return { ...check, at, ms };
      return {
        ...check,
        at,
        ms,
        state: "failed",
        stage: FAILURES[outage.code].stage,
        code: outage.code,
      };
    });
    await writeSpool(store, toSlot(atMs), encodeSpool({ at, checks, reports: run.reports }));
  }
}
