import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { decodeState, encodeState } from "../../src/history/codec.ts";
import { NO_VERDICTS } from "../../src/model/change.ts";
import { isFolded } from "../../src/model/folded-ids.ts";
import { NO_SURGE } from "../../src/model/reports.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
import { countsOf } from "../../src/reports/counts.ts";
import { foldReports } from "../../src/reports/fold.ts";
import { serviceHistoryOf, T0 } from "../model/samples.ts";

const COUNTED_ID = "0000000000001-2f1d8f0a-0000-4000-8000-000000000001";

test("version 1, plain JSON without strips, day counts and episodes, is migrated", () => {
  const v1 = {
    format: "status-snapshot/state",
    version: 1,
    history: {
      updatedAtMs: T0,
      runs: { stepsMs: [T0, 300_000], congested: [] },
      endpoints: [
        ["https://b.ru/", "a!"],
        ["https://never.ru/", "!!"],
      ],
      services: [
        [
          "b",
          {
            checkClass: "failing",
            sinceMs: T0,
            isSinceExact: true,
            downSinceMs: T0,
            isBlocked: false,
            checkedAtMs: T0,
          },
        ],
      ],
    },
    evidence: [],
    lastRun: null,
    ownedKeys: ["api/v1/status"],
  };
  const decoded = decodeState(new TextEncoder().encode(JSON.stringify(v1)));
  expect(decoded).toMatchObject({ kind: "ok", migratedFrom: 1 });
  const state = decoded.kind === "ok" ? decoded.state : EMPTY_STATE;
  expect(state.history.services.get("b")).toEqual(
    serviceHistoryOf({ checkClass: "failing", strip: ".." }),
  );
  expect([...state.history.proven]).toEqual(["https://b.ru/"]);
  // Nothing is known of an object of those days but that it is ours.
  expect([...state.publication.objects]).toEqual([
    ["api/v1/status", { digest: null, etag: null, isPublished: false, suspectUntilMs: 0 }],
  ]);
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

test("version 4, reports as texts and without verdict changes, is migrated: a network that counted does not count again", () => {
  const v4 = {
    format: "status-snapshot/state",
    version: 4,
    history: {
      updatedAtMs: T0,
      runs: { stepsMs: [], congested: [] },
      endpoints: [],
      services: [],
    },
    evidence: [],
    lastRun: null,
    publication: {
      generation: 7,
      marks: ["one"],
      store: "file:public",
      objects: [],
      badges: [],
      auditedAtMs: 0,
    },
    monitors: {
      clock: { runs: 0, lastSlot: -1, days: [], recentSlots: [] },
      sequence: 0,
      pending: null,
      shards: [],
    },
    reports: {
      services: [
        [
          "b",
          {
            firstAtMs: T0,
            minutes: [[T0 / 60_000, 2, 2]],
            symptoms: [],
            recent: { stepsMs: [T0, 5], networks: "net-one net-two", blocks: "block-a block-b" },
            hours: [],
            surge: NO_SURGE,
          },
        ],
      ],
      evaluatedSlot: 5,
      folded: [[COUNTED_ID, T0]],
    },
  };
  const decoded = decodeState(gzipSync(JSON.stringify(v4)));
  expect(decoded).toMatchObject({ kind: "ok", migratedFrom: 4 });
  const state = decoded.kind === "ok" ? decoded.state : EMPTY_STATE;
  expect(state).toMatchObject({ verdicts: NO_VERDICTS, baseUrl: null });
  expect(isFolded(state.reports.folded, COUNTED_ID)).toBe(true);
  const report = (network: string) => {
    return { slug: "b", atMs: T0 + 60_000, network, block: "block-a" };
  };
  const { ledger } = foldReports(
    state.reports.ledger,
    [report("net-two"), report("net-three")],
    T0 + 60_000,
  );
  // Two from before; of the others, the first is of a network that has counted within the hour.
  expect(countsOf(ledger.services.get("b"), T0 + 60_000).hour).toBe(3);
  expect(decodeState(encodeState(state))).toEqual({ kind: "ok", state });
});

test("version 5, where each class of an outage had its own beginning, is migrated: the outage has that of its first", () => {
  const file = readFileSync(new URL("state-v5.json", import.meta.url), "utf8");
  const stored = JSON.stringify(JSON.parse(file));
  const outage = `"checkClass":"server-error","sinceMs":${T0 + 9},"isSinceExact":true,"downSinceMs":${T0}`;
  const changed = stored.replace(
    /"checkClass":"up","sinceMs":\d+,"isSinceExact":true,"downSinceMs":null/u,
    outage,
  );
  expect(changed).toContain(outage);
  const decoded = decodeState(gzipSync(changed));
  expect(decoded).toMatchObject({ kind: "ok", migratedFrom: 5 });
  const { history, lastRun } = decoded.kind === "ok" ? decoded.state : EMPTY_STATE;
  expect(history.services.get("b")).toMatchObject({ checkClass: "server-error", sinceMs: T0 });
  expect(history.runs.map(({ connectivity }) => connectivity)).toEqual(["fine", "fine"]);
  expect([...history.proven]).toEqual(["anchor:https://ya.ru/", "https://b.ru/"]);
  expect(lastRun?.connectivity.state).toBe("fine");
});
