import { expect, test } from "vitest";
import type { OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { DAY_MS, HOUR_MS } from "../../../src/model/time.ts";
import { isChecked, phaseOf } from "../../../src/monitors/ownership/owner-phase.ts";
import { hashOf, pendingMonitor, provedMonitor, tokenOf } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

const PENDING = pendingMonitor("a");
const PROVED = provedMonitor("a");
const { proof } = PROVED;
if (proof === undefined) throw new Error("the sample has no proof");
const LOST: OwnedMonitor = { ...PROVED, proof: { ...proof, lostAtMs: T0 } };
const REMOVED: OwnedMonitor = { ...PROVED, removedAtMs: T0 };
/** Removed, with a request for a new key or a move so long after. */
function askedAfter(afterMs: number, kind: "key" | "url"): OwnedMonitor {
  const goal =
    kind === "key"
      ? ({ kind, keyHash: hashOf("l") } as const)
      : ({ kind, url: "https://new.example/" } as const);
  const asked = { token: tokenOf("u"), goal, sinceMs: T0 + afterMs, network: "n" };
  return { ...REMOVED, challenges: [asked] };
}
const DENIED = { kind: "denied", atMs: T0 } as const;

test.each<readonly [string, OwnedMonitor, number, string]>([
  ["new", PENDING, 0, "pending"],
  ["new for almost a day", PENDING, DAY_MS - 1, "pending"],
  ["not proved within a day", PENDING, DAY_MS, "expired"],
  ["proved", PROVED, 59 * DAY_MS, "proved"],
  ["proved, and never reached since for 60 days", PROVED, 60 * DAY_MS, "lost"],
  ["without its proof", LOST, 0, "lost"],
  ["without its proof for almost 30 days", LOST, 30 * DAY_MS - 1, "lost"],
  ["without its proof for 30 days", LOST, 30 * DAY_MS, "dormant"],
  ["without its proof for almost 120 days", LOST, 120 * DAY_MS - 1, "dormant"],
  ["without its proof for 120 days", LOST, 120 * DAY_MS, "expired"],
  ["refused before its proof", { ...PENDING, refusal: DENIED }, HOUR_MS, "refused"],
  ["refused before its proof for a day", { ...PENDING, refusal: DENIED }, DAY_MS, "expired"],
  ["refused after its proof", { ...PROVED, refusal: DENIED }, 29 * DAY_MS, "refused"],
  ["refused after its proof for 30 days", { ...PROVED, refusal: DENIED }, 30 * DAY_MS, "expired"],
  ["removed", { ...PROVED, removedAtMs: T0 }, HOUR_MS, "removed"],
  ["removed almost a day ago", REMOVED, DAY_MS - 1, "removed"],
  ["removed a day ago", REMOVED, DAY_MS, "expired"],
  ["removed and refused", { ...REMOVED, refusal: DENIED }, HOUR_MS, "removed"],
  ["removed, its key asked for in time", askedAfter(DAY_MS - 1, "key"), 2 * DAY_MS - 2, "removed"],
  ["removed, the day of its key over", askedAfter(DAY_MS - 1, "key"), 2 * DAY_MS - 1, "expired"],
  ["removed, its key asked for too late", askedAfter(DAY_MS, "key"), DAY_MS, "expired"],
  ["removed, its key asked for before", askedAfter(-HOUR_MS, "key"), DAY_MS - 1, "removed"],
  ["removed while it moved", askedAfter(HOUR_MS, "url"), DAY_MS, "expired"],
])("a monitor that is %s", (_, owned, afterMs, phase) => {
  expect(phaseOf(owned, T0 + afterMs)).toBe(phase);
  expect(isChecked(owned, T0 + afterMs)).toBe(phase === "proved" || phase === "lost");
});
