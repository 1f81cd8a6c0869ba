import { describe, expect, test } from "vitest";
import { encodeState } from "../../src/history/codec.ts";
import { fold } from "../../src/history/fold.ts";
import { lastState } from "../../src/history/track.ts";
import type { ConnectivityState } from "../../src/model/connectivity.ts";
import { FINE } from "../../src/model/connectivity.ts";
import { EMPTY_HISTORY, type History } from "../../src/model/history.ts";
import type { Outcome, Trace } from "../../src/model/outcome.ts";
import { EMPTY_STATE } from "../../src/model/state.ts";
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
} from "../model/samples.ts";

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

function play(...runs: readonly ReturnType<typeof runAt>[]): History {
  return runs.reduce((history, run) => fold(history, run, CATALOGUE), EMPTY_HISTORY);
}

/** The classes of all services, and which of them are held. */
function seen(history: History): string {
  const classes = SLUGS.map((slug) => history.services.get(slug)?.checkClass);
  return `${classes.join(" ")}; ${[...history.held.keys()].join("")}`;
}

function stateOfA({ endpoints }: History) {
  return lastState(endpoints.get(urlOf("a")) ?? "");
}

const before = [runAt(0, ""), runAt(5, "")];

describe("failures that begin together", () => {
  test("are held: what was found before stays and is not checked anew", () => {
    const history = play(...before, runAt(10, "abcd"));
    expect(seen(history)).toBe("up up up up; abcd");
    expect(history.services.get("a")).toMatchObject({ checkedAtMs: T0 + minutes(5), strip: "uu." });
    expect(history.held.get("a")).toMatchObject({ cause: "common-cause", failingTogether: 4 });
  });

  test("are asked again with all their confirmations", () => {
    expect(stateOfA(play(...before, runAt(10, "abcd")))).toBe("healthy");
  });

  test("are believed at once where a whole group accepts connections", () => {
    const reset = failed("tls-reset");
    const history = play(...before, runAt(10, "abc", "fine", reset));
    expect(seen(history)).toBe("failing failing failing up; ");
    expect(history.services.get("a")?.sharedCause).toBe("Selectel");
    const twice = { outcome: reset, isFlaky: false, attempts: [DOWN, reset] };
    const mixed = runAt(10, "abc", "fine", reset);
    const results = new Map([...mixed.results, [urlOf("c"), twice]]);
    expect(seen(play(...before, { ...mixed, results }))).toBe("up up up up; abc");
  });

  test("are forgotten when they were the way's", () => {
    const history = play(...before, runAt(10, "abcd"), runAt(15, ""));
    expect(seen(history)).toBe("up up up up; ");
    expect(history.services.get("a")).toMatchObject({ sinceMs: T0, strip: "uu.u" });
  });

  test("are believed as a group in the second run, with the beginning of the first, and others in the third", () => {
    const second = play(...before, runAt(10, "abcd"), runAt(15, "abcd"));
    expect(seen(second)).toBe("failing failing failing up; d");
    expect(second.services.get("a")).toMatchObject({
      sinceMs: T0 + minutes(10),
      isSinceExact: true,
      sharedCause: "Selectel",
    });
    // What is believed has to fit the state.
    expect(() => encodeState({ ...EMPTY_STATE, history: second })).not.toThrow();
    const third = fold(second, runAt(20, "abcd"), CATALOGUE);
    expect(third.services.get("d")).toMatchObject({
      checkClass: "failing",
      sinceMs: T0 + minutes(10),
      sharedCause: null,
    });
  });

  test("keep what they share for the outage, and not beyond", () => {
    const down = play(...before, runAt(10, "abc"), runAt(15, "abc"), runAt(20, "abc"));
    expect(down.services.get("a")?.sharedCause).toBe("Selectel");
    const up = fold(down, runAt(25, ""), CATALOGUE);
    expect(up.services.get("a")?.sharedCause).toBeNull();
  });

  test("that answer themselves are believed at once", () => {
    const storm = runAt(10, "abcd", "fine", failed("http-server-error", { httpStatus: 502 }));
    expect(play(...before, storm).services.get("a")?.checkClass).toBe("server-error");
    const page = (changes: Partial<Trace>) =>
      play(...before, runAt(10, "abcd", "fine", failed("body-works", changes)));
    expect(seen(page({ tlsVerified: true }))).toBe("failing failing failing failing; ");
    expect(seen(page({ tlsVerified: null }))).toBe("failing failing failing up; d");
  });

  test("of the first run of all are no beginning", () => {
    expect(seen(play(runAt(0, "abcd")))).toBe("failing failing failing failing; ");
  });
});

describe("a failure on a way in trouble", () => {
  test("is held for as long as half of the way is gone, and believed afterwards", () => {
    const half = play(...before, runAt(10, "a", "half"), runAt(15, "a", "half"));
    expect(seen(half)).toBe("up up up up; a");
    expect(half.held.get("a")).toMatchObject({ runs: 2, sinceMs: T0 + minutes(10) });
    expect(stateOfA(half)).toBe("healthy");
    const after = fold(half, runAt(20, "a"), CATALOGUE);
    expect(after.services.get("a")).toMatchObject({
      checkClass: "failing",
      sinceMs: T0 + minutes(10),
    });
  });

  test("says nothing of a service that was never seen", () => {
    const history = play(runAt(0, "a", "half"));
    expect(history.services.has("a")).toBe(false);
    expect(history.held.has("a")).toBe(true);
  });

  test("does not undo what was known before: an outage goes on", () => {
    const history = play(...before, runAt(10, "a"), runAt(15, "a", "half"));
    expect(seen(history)).toBe("failing up up up; ");
  });

  test("is forgotten when no run has found it for a quarter of an hour", () => {
    const old = play(...before, runAt(10, "a", "half"), runAt(40, "a"));
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

  test("ends as the same run in one", () => {
    const whole = play(...before, runAt(10, "c"));
    const parts = play(...before, ...(first && rest ? [first, rest] : []));
    expect(parts).toEqual(whole);
  });

  test("says after its first part what it knows by then", () => {
    const history = play(...before, ...(first ? [first] : []));
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

  test("is whole although some of it come later", () => {
    const [early] = parts(15, "abcd", "abc");
    if (early === undefined) throw new Error("no first part");
    const results = new Map(
      [...group(early).results].filter(([url]) => !["d", "g", "h"].some((s) => url === urlOf(s))),
    );
    expect(classes(settle([...held, { ...group(early), results }]))).toBe("fffuffuu");
  });

  test("is not whole when those that answered came first", () => {
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

test("what was down before speaks neither for nor against a group", () => {
  const inOne = (run: ReturnType<typeof runAt>) => {
    return { ...run, networks: new Map(SLUGS.map((slug) => [urlOf(slug), "Selectel"])) };
  };
  const reset = failed("tls-reset");
  const runs = [...before, runAt(10, "d"), runAt(15, "abcd", "fine", reset)].map(inOne);
  expect(seen(play(...runs))).toBe("failing failing failing failing; ");
});

describe("a network of two services", () => {
  const two = catalogueOf(
    ["a", "b"].map((slug) => serviceOf(slug, [endpointOf(urlOf(slug), true)])),
  );
  const settle = (...runs: readonly ReturnType<typeof runAt>[]): string =>
    seen(runs.reduce((history, run) => fold(history, run, two), EMPTY_HISTORY));

  test("that falls silent is held for a run", () => {
    expect(settle(...before, runAt(10, "ab"))).toBe("up up  ; ab");
  });

  test("of which one has long been dead says nothing of the other", () => {
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

  test("counts with the others when none does", () => {
    expect(classAfter(run(0, [ok(), DOWN]), run(5, [DOWN, DOWN]))).toBe("failing");
  });

  test("counts once it has answered", () => {
    expect(classAfter(run(0, [ok(), DOWN]), run(5, [ok(), ok()]), run(10, [ok(), DOWN]))).toBe(
      "failing",
    );
  });

  test("leaves its service to those that answer, where it is the critical one", () => {
    const minor = catalogueOf([
      serviceOf("a", [endpointOf("https://old.a.ru/", true), endpointOf(urlOf("a"), false)]),
    ]);
    const history = fold(EMPTY_HISTORY, run(0, [ok(), DOWN]), minor);
    expect(history.services.get("a")?.checkClass).toBe("up");
  });
});
