import { describe, expect, test } from "vitest";
import { encodeState } from "../../../src/state/codec/state.ts";
import { fold } from "../../../src/services/history/fold.ts";
import { lastState } from "../../../src/services/history/sample-codes.ts";
import { type ConnectivityState, FINE } from "../../../src/model/service/connectivity.ts";
import { EMPTY_HISTORY, type History } from "../../../src/model/service/history.ts";
import type { Outcome, Trace } from "../../../src/model/probe-outcome.ts";
import { EMPTY_STATE } from "../../../src/model/state.ts";
import {
  catalogueOf,
  endpointOf,
  failed,
  minutes,
  ok,
  resultOf,
  runRecord,
  serviceOf,
  T0,
} from "../../model/samples.ts";

const SLUGS = ["a", "b", "c", "d"];
const urlOf = (slug: string): string => `https://${slug}.ru/`;
const CATALOGUE = catalogueOf(
  SLUGS.map((slug) => serviceOf(slug, [endpointOf(urlOf(slug), true)])),
);
const DOWN = failed("tcp-timeout");

/** A run in which some services fail. */
function runAt(
  minute: number,
  failing: string,
  state: ConnectivityState = "fine",
  down: Outcome = DOWN,
) {
  return runRecord({
    atMs: T0 + minutes(minute),
    connectivity: { ...FINE, state },
    results: new Map(
      SLUGS.map((slug) => [urlOf(slug), resultOf(failing.includes(slug) ? down : ok())]),
    ),
    networks: new Map(SLUGS.slice(0, 3).map((slug) => [urlOf(slug), "Selectel"])),
  });
}

function foldRuns(...runs: readonly ReturnType<typeof runAt>[]): History {
  return runs.reduce((history, run) => fold(history, run, CATALOGUE), EMPTY_HISTORY);
}

/** The classes of all services, and the slugs of held ones. */
function summaryOf(history: History): string {
  const classes = SLUGS.map((slug) => history.services.get(slug)?.checkClass);
  return `${classes.join(" ")}; ${[...history.held.keys()].join("")}`;
}

function stateOfA({ endpoints }: History) {
  return lastState(endpoints.get(urlOf("a")) ?? "");
}

const before = [runAt(0, ""), runAt(5, "")];

describe("failures that begin together", () => {
  test("are held: the earlier class stays and does not count as checked", () => {
    const history = foldRuns(...before, runAt(10, "abcd"));
    expect(summaryOf(history)).toBe("up up up up; abcd");
    expect(history.services.get("a")).toMatchObject({ checkedAtMs: T0 + minutes(5), strip: "uu." });
    expect(history.held.get("a")).toMatchObject({ cause: "common-cause", failingTogether: 4 });
  });

  test("leave the last state healthy, so the next run confirms them in full", () => {
    expect(stateOfA(foldRuns(...before, runAt(10, "abcd")))).toBe("healthy");
  });

  test("are accepted at once if a whole group accepts connections", () => {
    const reset = failed("tls-reset");
    const history = foldRuns(...before, runAt(10, "abc", "fine", reset));
    expect(summaryOf(history)).toBe("failing failing failing up; ");
    expect(history.services.get("a")?.sharedCause).toBe("Selectel");
    const twice = { outcome: reset, isFlaky: false, attempts: [DOWN, reset] };
    const mixed = runAt(10, "abc", "fine", reset);
    const results = new Map([...mixed.results, [urlOf("c"), twice]]);
    expect(summaryOf(foldRuns(...before, { ...mixed, results }))).toBe("up up up up; abc");
  });

  test("are dropped if the next run does not find them", () => {
    const history = foldRuns(...before, runAt(10, "abcd"), runAt(15, ""));
    expect(summaryOf(history)).toBe("up up up up; ");
    expect(history.services.get("a")).toMatchObject({ sinceMs: T0, strip: "uu.u" });
  });

  test("are accepted as a group in the second run, others in the third, since the first", () => {
    const second = foldRuns(...before, runAt(10, "abcd"), runAt(15, "abcd"));
    expect(summaryOf(second)).toBe("failing failing failing up; d");
    expect(second.services.get("a")).toMatchObject({
      sinceMs: T0 + minutes(10),
      isSinceExact: true,
      sharedCause: "Selectel",
    });
    // The accepted failure has to fit the schema of the state.
    expect(() => encodeState({ ...EMPTY_STATE, history: second })).not.toThrow();
    const third = fold(second, runAt(20, "abcd"), CATALOGUE);
    expect(third.services.get("d")).toMatchObject({
      checkClass: "failing",
      sinceMs: T0 + minutes(10),
      sharedCause: null,
    });
  });

  test("keep their shared cause for as long as the outage lasts", () => {
    const down = foldRuns(...before, runAt(10, "abc"), runAt(15, "abc"), runAt(20, "abc"));
    expect(down.services.get("a")?.sharedCause).toBe("Selectel");
    const up = fold(down, runAt(25, ""), CATALOGUE);
    expect(up.services.get("a")?.sharedCause).toBeNull();
  });

  test("are accepted at once if the services answer themselves", () => {
    const storm = runAt(10, "abcd", "fine", failed("http-server-error", { httpStatus: 502 }));
    expect(foldRuns(...before, storm).services.get("a")?.checkClass).toBe("server-error");
    const page = (changes: Partial<Trace>) =>
      foldRuns(...before, runAt(10, "abcd", "fine", failed("body-works", changes)));
    expect(summaryOf(page({ tlsVerified: true }))).toBe("failing failing failing failing; ");
    expect(summaryOf(page({ tlsVerified: null }))).toBe("failing failing failing up; d");
  });

  test("are of services that no run has reached, so nothing is known of them", () => {
    expect(foldRuns(runAt(0, "abcd"), runAt(5, "abcd")).services.size).toBe(0);
  });
});

describe("a failure in a run with network trouble", () => {
  test("is held for as long as the state is half, and accepted afterwards", () => {
    const half = foldRuns(...before, runAt(10, "a", "half"), runAt(15, "a", "half"));
    expect(summaryOf(half)).toBe("up up up up; a");
    expect(half.held.get("a")).toMatchObject({ runs: 2, sinceMs: T0 + minutes(10) });
    expect(stateOfA(half)).toBe("healthy");
    const after = fold(half, runAt(20, "a"), CATALOGUE);
    expect(after.services.get("a")).toMatchObject({
      checkClass: "failing",
      sinceMs: T0 + minutes(10),
    });
  });

  test("says nothing about a service that was never checked", () => {
    const history = foldRuns(runAt(0, "a", "half"));
    expect(history.services.has("a")).toBe(false);
    expect(history.held.has("a")).toBe(false);
  });

  test("does not end an outage that began before", () => {
    const history = foldRuns(...before, runAt(10, "a"), runAt(15, "a", "half"));
    expect(summaryOf(history)).toBe("failing up up up; ");
  });

  test("is dropped when no run has found it for 15 minutes", () => {
    const old = foldRuns(...before, runAt(10, "a", "half"), runAt(40, "a"));
    expect(old.services.get("a")).toMatchObject({ sinceMs: T0 + minutes(40), isSinceExact: false });
  });
});

describe("a run in two parts", () => {
  const [first, rest] = [
    ["a", "b"],
    ["c", "d"],
  ].map((slugs) => {
    const whole = runAt(10, "c");
    const results = [...whole.results].filter(([url]) => slugs.some((slug) => url === urlOf(slug)));
    return { ...whole, results: new Map(results) };
  });

  test("gives the same history as one run", () => {
    const whole = foldRuns(...before, runAt(10, "c"));
    const parts = foldRuns(...before, ...(first && rest ? [first, rest] : []));
    expect(parts).toEqual(whole);
  });

  test("updates only the services of its first part at first", () => {
    const history = foldRuns(...before, ...(first ? [first] : []));
    expect(history.services.get("a")?.checkedAtMs).toBe(T0 + minutes(10));
    expect(history.services.get("c")).toMatchObject({ checkedAtMs: T0 + minutes(5), strip: "uu." });
  });
});

describe("a group in a run of two parts", () => {
  const parts = (minute: number, failing: string, early: string) => {
    const whole = runAt(minute, failing);
    const isEarly = (url: string): boolean => [...early].some((slug) => url === urlOf(slug));
    const all = [...whole.results];
    return [true, false].map((first) => {
      return { ...whole, results: new Map(all.filter(([url]) => isEarly(url) === first)) };
    });
  };
  const catalogue = catalogueOf(
    [..."abcdefgh"].map((slug) => serviceOf(slug, [endpointOf(urlOf(slug), true)])),
  );
  const group = (run: ReturnType<typeof runAt>) => {
    const results = new Map(
      [..."abcdefgh"].flatMap((slug) => {
        const result = run.results.get(urlOf(slug < "e" ? slug : "a"));
        return result === undefined ? [] : [[urlOf(slug), result] as const];
      }),
    );
    const networks = new Map([..."abcdefgh"].map((slug) => [urlOf(slug), "Selectel"]));
    return { ...run, results, networks };
  };
  const settle = (runs: readonly ReturnType<typeof runAt>[]): History =>
    runs.reduce((history, run) => fold(history, run, catalogue), EMPTY_HISTORY);
  const held = [...before.map(group), group(runAt(10, "abcd"))];
  const classes = (history: History): string =>
    [...history.services.values()].map(({ checkClass }) => checkClass[0]).join("");

  test("is whole although some members come in the second part", () => {
    const [early] = parts(15, "abcd", "abc");
    if (early === undefined) throw new Error("no first part");
    const results = new Map(
      [...group(early).results].filter(([url]) => !["d", "g", "h"].some((s) => url === urlOf(s))),
    );
    expect(classes(settle([...held, { ...group(early), results }]))).toBe("fffuffuu");
  });

  test("is not whole if members answered in the first part", () => {
    const whole = group(runAt(10, "abcd", "fine", failed("tls-reset")));
    const [some, others] = [true, false].map((first) => {
      const picked = [...whole.results].filter(([url]) => url < urlOf("d") === first);
      return { ...whole, results: new Map(picked) };
    });
    if (some === undefined || others === undefined) throw new Error("no parts");
    const healthy = new Map([...others.results].map(([url]) => [url, resultOf(ok())]));
    const history = settle([...before.map(group), { ...others, results: healthy }, some]);
    expect(classes(history)).toBe("uuuuuuuu");
    expect([...history.held.keys()].join("")).toBe("abc");
  });
});

describe("the size of a group", () => {
  const inOne = (run: ReturnType<typeof runAt>) => {
    return { ...run, networks: new Map(SLUGS.map((slug) => [urlOf(slug), "Selectel"])) };
  };
  const reset = failed("tls-reset");

  test("leaves out services that were down before", () => {
    const runs = [...before, runAt(10, "d"), runAt(15, "abcd", "fine", reset)].map(inOne);
    expect(summaryOf(foldRuns(...runs))).toBe("failing failing failing failing; ");
  });

  test("leaves out services of which nothing is known", () => {
    const runs = [runAt(0, "d"), runAt(5, "d"), runAt(10, "abcd", "fine", reset)].map(inOne);
    expect(summaryOf(foldRuns(...runs))).toBe("failing failing failing ; ");
  });

  test("counts services that answer", () => {
    const runs = [...before, runAt(10, "abc", "fine", reset)].map(inOne);
    expect(summaryOf(foldRuns(...runs))).toBe("up up up up; abc");
  });
});

describe("a network of two services", () => {
  const two = catalogueOf(
    ["a", "b"].map((slug) => serviceOf(slug, [endpointOf(urlOf(slug), true)])),
  );
  const settle = (...runs: readonly ReturnType<typeof runAt>[]): string =>
    summaryOf(runs.reduce((history, run) => fold(history, run, two), EMPTY_HISTORY));

  test("is held for a run if both fail", () => {
    expect(settle(...before, runAt(10, "ab"))).toBe("up up  ; ab");
  });

  test("is not held if one was down before", () => {
    expect(settle(...before, runAt(10, "b"), runAt(15, "b"), runAt(20, "ab"))).toBe(
      "failing failing  ; ",
    );
  });
});

describe("an endpoint that never answered", () => {
  const catalogue = catalogueOf([
    serviceOf("a", [endpointOf(urlOf("a"), true), endpointOf("https://old.a.ru/", true)]),
  ]);
  const run = (minute: number, [main, old]: readonly [Outcome, Outcome]) =>
    runRecord({
      atMs: T0 + minutes(minute),
      results: new Map([
        [urlOf("a"), resultOf(main)],
        ["https://old.a.ru/", resultOf(old)],
      ]),
    });
  const classAfter = (...runs: readonly ReturnType<typeof run>[]) =>
    runs.reduce((history, each) => fold(history, each, catalogue), EMPTY_HISTORY).services.get("a")
      ?.checkClass;

  test("does not count while another answers", () => {
    expect(classAfter(run(0, [ok(), DOWN]))).toBe("up");
  });

  test("counts with the others if none answers", () => {
    expect(classAfter(run(0, [ok(), DOWN]), run(5, [DOWN, DOWN]))).toBe("failing");
  });

  test("counts once it has answered", () => {
    const proven = [run(0, [ok(), DOWN]), run(5, [ok(), ok()])];
    expect(classAfter(...proven, run(10, [ok(), DOWN]), run(15, [ok(), DOWN]))).toBe("failing");
  });

  test("leaves nothing known if it is the only critical one, whatever others do", () => {
    const minor = catalogueOf([
      serviceOf("a", [endpointOf("https://old.a.ru/", true), endpointOf(urlOf("a"), false)]),
    ]);
    const history = fold(EMPTY_HISTORY, run(0, [ok(), DOWN]), minor);
    expect(history.services.has("a")).toBe(false);
  });

  test("counts from the first run on where access is restricted, or a block page answers", () => {
    const minor = catalogueOf([
      serviceOf("a", [endpointOf("https://old.a.ru/", true), endpointOf(urlOf("a"), false)]),
    ]);
    const restricted = {
      ...minor,
      services: minor.services.map((one) => ({
        ...one,
        annotations: [{ kind: "restricted" as const, since: "2022-03-04", reason: "law" }],
      })),
    };
    const classIn = (catalogue: typeof minor, down: Outcome) =>
      fold(EMPTY_HISTORY, run(0, [ok(), down]), catalogue).services.get("a")?.checkClass;
    expect(classIn(restricted, DOWN)).toBe("failing");
    expect(classIn(minor, failed("dns-stub-address"))).toBe("failing");
    expect(classIn(minor, DOWN)).toBeUndefined();
  });

  test("has answered once its own server says that it is broken", () => {
    const own = failed("http-server-error", { tlsVerified: true, httpStatus: 503 });
    const forged = failed("http-server-error", { tlsVerified: false, httpStatus: 503 });
    expect(classAfter(run(0, [own, own]))).toBe("server-error");
    expect(classAfter(run(0, [failed("cert-expired"), DOWN]))).toBe("failing");
    expect(classAfter(run(0, [forged, DOWN]))).toBeUndefined();
  });
});

describe("an endpoint that fails alone in its service", () => {
  const catalogue = catalogueOf([
    serviceOf("a", [endpointOf(urlOf("a"), true), endpointOf(urlOf("b"), true)]),
  ]);
  const run = (minute: number, one: Outcome, other: Outcome = ok()) =>
    runRecord({
      atMs: T0 + minutes(minute),
      results: new Map([
        [urlOf("a"), resultOf(one)],
        [urlOf("b"), resultOf(other)],
      ]),
    });
  const after = (...runs: readonly ReturnType<typeof run>[]) =>
    runs.reduce((history, each) => fold(history, each, catalogue), EMPTY_HISTORY);

  test("is held until the next run, which has to find it once more", () => {
    const held = after(run(0, ok()), run(5, DOWN));
    expect(held.services.get("a")?.checkClass).toBe("up");
    expect(held.held.get("a")).toMatchObject({ cause: "lone", runs: 1 });
    expect(lastState(held.endpoints.get(urlOf("a")) ?? "")).toBe("suspect");
    const found = fold(held, run(10, DOWN), catalogue);
    expect(found.services.get("a")).toMatchObject({
      checkClass: "failing",
      sinceMs: T0 + minutes(5),
    });
    expect(fold(held, run(10, ok()), catalogue).services.get("a")?.checkClass).toBe("up");
  });

  test("is not held if its failure cannot pass, or its neighbour fails too", () => {
    const classOf = (history: History) => history.services.get("a")?.checkClass;
    expect(classOf(after(run(0, ok()), run(5, failed("cert-expired"))))).toBe("failing");
    expect(classOf(after(run(0, ok()), run(5, failed("body-works"))))).toBe("failing");
    expect(classOf(after(run(0, ok()), run(5, DOWN, DOWN)))).toBe("failing");
  });
});
