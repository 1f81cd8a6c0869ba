import { expect, test } from "vitest";
import type { OwnedMonitor } from "../../../src/model/monitor/owned-monitor.ts";
import { packRecord, unpackRecord } from "../../../src/monitors/owner-api/owner-index.ts";
import { OWNERS, pendingMonitor, provedMonitor } from "../../model/owned-samples.ts";
import { T0 } from "../../model/samples.ts";

const PENDING = pendingMonitor("a", "https://xn--80aswg.xn--p1ai/%D0%B0?b=c");
const [MOVING] = [...(OWNERS.pending?.changes.values() ?? [])].flatMap((one) =>
  one?.removedAtMs === undefined ? [] : [one],
);

test.each<readonly [string, OwnedMonitor | undefined, boolean]>([
  ["waits", PENDING, true],
  ["has a name", { ...PENDING, monitor: { ...PENDING.monitor, name: "Лавка" } }, true],
  [
    "has settings",
    { ...PENDING, monitor: { ...PENDING.monitor, isPublic: true, expect: [200], body: '"' } },
    true,
  ],
  ["was changed", { ...PENDING, revision: 7 }, true],
  ["is proved", provedMonitor("a"), false],
  ["is removed", { ...PENDING, removedAtMs: T0 }, false],
  ["is refused", { ...PENDING, refusal: { kind: "denied", atMs: T0 } }, false],
  ["moves", MOVING, false],
  ["has no challenge", { ...PENDING, challenges: [] }, false],
])("a record that %s is kept and given back unchanged", (_, owned, isText) => {
  if (owned === undefined) throw new Error("no sample");
  const kept = packRecord(owned);
  expect(typeof kept === "string").toBe(isText);
  expect(unpackRecord(owned.monitor.id, kept)).toEqual(owned);
});
