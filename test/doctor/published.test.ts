import { describe, expect, test } from "vitest";
import { checkFreshness, checkLeftOut, checkWebsite } from "../../src/doctor/published.ts";
import { EMPTY_STATE, type State } from "../../src/model/state.ts";
import { type ObjectStore, StoreError } from "../../src/model/store.ts";
import { FRESH_MS, MINUTE_MS } from "../../src/model/time.ts";
import { saveState } from "../../src/state/state-file.ts";
import {
  catalogueOf,
  endpointOf,
  runMark,
  serviceHistoryOf,
  serviceOf,
  T0,
} from "../model/samples.ts";
import { createMemoryStore } from "../store/memory-store.ts";

const BROKEN: ObjectStore = {
  ...createMemoryStore(),
  read: async () => {
    throw new StoreError("read", "x", "the store is down");
  },
};

/** A store with this state. */
async function storeOf(changes: Partial<State>): Promise<ObjectStore> {
  const store = createMemoryStore();
  await saveState(store, { ...EMPTY_STATE, ...changes }, undefined);
  return store;
}

describe("verdicts without a runner", () => {
  /** The check of a list that was updated so long ago, with these codes. */
  async function check(ageMs: number, codes: readonly string[], text?: string) {
    const store = createMemoryStore();
    const list = { updated: T0 / 1_000, services: codes.map((code) => ({ code })) };
    const body = Buffer.from(text ?? JSON.stringify(list));
    const object = { body, contentType: "application/json", cacheControl: "no-store" };
    await store.write("api/v1/status", object, undefined);
    return checkFreshness(store, T0 + ageMs);
  }

  test("are fine while the last run is fresh", async () => {
    const fresh = await check(FRESH_MS, ["ok"]);
    expect(fresh.result).toBe("ok");
    expect(fresh).toEqual({
      name: "none without a runner",
      result: "ok",
      detail:
        'the last valid run is 15 min old. If runs stop, a second timer with refresh, watch or an intake has to publish that: docs/operations.md, "When the runner is gone".',
    });
    expect((await check(-90_000, ["ok"])).detail).toContain("is 0 min old");
    expect((await check(119_999, ["ok"])).detail).toContain("is 1 min old");
  });

  test("have to become none afterwards, all of them", async () => {
    const late = FRESH_MS + 1;
    expect(await check(late, ["none", "none"])).toMatchObject({
      result: "ok",
      detail: "the last valid run is 15 min old, and that is published",
    });
    expect(await check(late, ["none", "ok"])).toMatchObject({
      result: "warn",
      detail:
        "the last valid run is 15 min old, and so are the published verdicts, because only run publishes here. Start the runs again. Add a second timer with refresh, watch or an intake.",
    });
  });

  test("are unknown where nothing of ours is published", async () => {
    const nothing = { result: "ok", detail: "nothing is published yet" };
    expect(await checkFreshness(createMemoryStore(), T0)).toMatchObject(nothing);
    expect(await check(FRESH_MS + 1, [], "<html>")).toMatchObject(nothing);
    expect(await check(FRESH_MS + 1, [], "{}")).toMatchObject(nothing);
    expect(await checkFreshness(BROKEN, T0)).toMatchObject({
      result: "warn",
      detail: "unknown: the store is down",
    });
  });
});

describe("endpoints that count", () => {
  const catalogue = catalogueOf([serviceOf("bank", [endpointOf("https://bank.example/", true)])]);

  test("are unknown before the first run, or without a state", async () => {
    expect(await checkLeftOut(catalogue, await storeOf({}))).toMatchObject([
      { name: "endpoints that count", result: "ok", detail: "no run yet" },
      {
        name: "own speed",
        result: "ok",
        detail: "this machine was slow in 0 of 0 runs of the last day",
      },
    ]);
    expect(await checkLeftOut(catalogue, BROKEN)).toEqual([
      { name: "endpoints that count", result: "warn", detail: "unknown: the store is down" },
    ]);
  });

  const [HOME, HELP] = ["https://bank.example/", "https://bank.example/help"];
  const AUDIT = "Run catalogue audit: it says what to change.";

  test.each([
    ["A", "A", [HOME, HELP], "u", "ok", "all of them"],
    ["A", "!", [HOME], "u", "warn", `not counted: ${HELP} of bank (unproven). ${AUDIT}`],
    ["*", "A", [HOME, HELP], undefined, "warn", `so nothing is known of bank (refused). ${AUDIT}`],
    [
      "!",
      "!",
      [],
      undefined,
      "warn",
      `not counted: ${HOME} of bank (unproven), ${HELP} of bank (unproven); so nothing is known of bank (never-reached). ${AUDIT}`,
    ],
  ] as const)(
    "with samples %s and %s, proven %j, and the verdict %s, are told: %s",
    async (home, help, proven, strip, result, detail) => {
      const history = {
        ...EMPTY_STATE.history,
        updatedAtMs: T0,
        runs: [runMark()],
        services: new Map(
          strip === undefined ? [] : [["bank", serviceHistoryOf({ checkedAtMs: T0, strip })]],
        ),
        endpoints: new Map([
          [HOME, home],
          [HELP, help],
        ]),
        proven: new Set<string>(proven),
      };
      const both = [endpointOf(HOME, true), endpointOf(HELP, false)];
      const bank = catalogueOf([serviceOf("bank", both)]);
      const [check] = await checkLeftOut(bank, await storeOf({ history }));
      expect(check).toEqual({ name: "endpoints that count", result, detail });
    },
  );

  test.each([
    [10, 200, "ok"],
    [200, 200, "warn"],
  ])("with %i congested of %i runs of the runner", async (congested, of, result) => {
    const runs = Array.from({ length: of }, (_, at) =>
      runMark({ atMs: T0 + at * MINUTE_MS, isCongested: at < congested }),
    );
    const store = await storeOf({ history: { ...EMPTY_STATE.history, updatedAtMs: T0, runs } });
    const [, speed] = await checkLeftOut(catalogue, store);
    expect(speed).toMatchObject({ name: "own speed", result });
  });
});

describe("the address of the website", () => {
  const BUCKET = "s3://bucket?endpoint=http://127.0.0.1:1/";
  const GIVEN = "https://given.example";
  const KNOWN = "https://known.example";

  async function check(url: string, given: string | undefined, baseUrl: string | null) {
    const publicStore = createMemoryStore();
    const publication = { ...EMPTY_STATE.publication, store: publicStore.identity };
    const stateStore = await storeOf({ baseUrl, publication });
    return checkWebsite(url, given, { publicStore, stateStore });
  }

  test.each<readonly [string, string | undefined, string | null, string, string]>([
    [BUCKET, GIVEN, null, "ok", `served at ${GIVEN}`],
    [BUCKET, GIVEN, GIVEN, "ok", `served at ${GIVEN}`],
    [BUCKET, GIVEN, KNOWN, "ok", `served at ${GIVEN}, until now at ${KNOWN}`],
    [BUCKET, undefined, KNOWN, "ok", `served at ${KNOWN}, as stored in the state`],
    ["file:public", GIVEN, KNOWN, "ok", `served at ${GIVEN}, until now at ${KNOWN}`],
  ])("in %s, given %s after %s, is %s", async (url, given, baseUrl, result, detail) => {
    expect(await check(url, given, baseUrl)).toEqual({ name: "website", result, detail });
  });

  test("that a bucket lacks leaves out the website; a folder has that of serve", async () => {
    const cure = "Give --base-url (STATUS_SNAPSHOT_BASE_URL), such as https://status.example.";
    expect(await check(BUCKET, undefined, null)).toEqual({
      name: "website",
      result: "warn",
      detail: `left out, because no address is given; the API is published without it. ${cure}`,
    });
    expect(await check("file:public", undefined, null)).toEqual({
      name: "website",
      result: "ok",
      detail: "served at http://127.0.0.1:8080, where `serve` answers",
    });
  });

  test("is known without a state only if it is given", async () => {
    const stores = { publicStore: createMemoryStore(), stateStore: BROKEN };
    expect(await checkWebsite(BUCKET, GIVEN, stores)).toMatchObject({
      result: "ok",
      detail: `served at ${GIVEN}`,
    });
    expect(await checkWebsite(BUCKET, undefined, stores)).toMatchObject({
      result: "warn",
      detail: "its address is unknown: the store is down",
    });
  });
});
