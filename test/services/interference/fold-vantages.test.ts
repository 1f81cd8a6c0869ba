import { describe, expect, test } from "vitest";
import { HOUR_MS } from "../../../src/model/time.ts";
import {
  type HeardResult,
  NO_VANTAGES,
  type Vantage,
  type VantagesState,
} from "../../../src/model/service/vantage.ts";
import {
  citeAnswers,
  foldVantages,
  type VantageAnswer,
} from "../../../src/services/interference/fold-vantages.ts";
import { PLACE, T0 } from "../../model/samples.ts";

function answerOf(vantage: string, askId: string): VantageAnswer {
  // Nothing else of an answer decides whether it is cited.
  return { evidence: { vantage, askId }, signed: {}, urls: [askId] } as unknown as VantageAnswer;
}

describe("the published answer of a place", () => {
  const first = citeAnswers(NO_VANTAGES, [answerOf("a", "1")], false, T0);
  const askAt = (afterMs: number, isScopeChanged: boolean, askId = "2") => {
    const { cited } = citeAnswers(first, [answerOf("a", askId)], isScopeChanged, T0 + afterMs);
    return [cited.get("a")?.askId, (cited.get("a")?.atMs ?? 0) - T0];
  };

  test("is its first one", () => {
    expect(first.cited).toEqual(
      new Map([["a", { askId: "1", atMs: T0, urls: ["1"], signed: {} }]]),
    );
  });

  test("stays for an hour, unless a scope has changed", () => {
    expect(askAt(HOUR_MS - 1, false)).toEqual(["1", 0]);
    expect(askAt(HOUR_MS, false)).toEqual(["2", HOUR_MS]);
    expect(askAt(1, true)).toEqual(["2", 1]);
  });

  test("stays if it is the same one", () => {
    expect(askAt(2 * HOUR_MS, true, "1")).toEqual(["1", 0]);
  });

  test("does not replace that of another place", () => {
    const { cited } = citeAnswers(first, [answerOf("b", "2")], false, T0 + 1);
    expect([...cited].map(([id, { askId }]) => [id, askId])).toEqual([
      ["a", "1"],
      ["b", "2"],
    ]);
  });
});

/** Every endpoint counts, and none answers the runner now. */
const ALL = { counts: () => true, statuses: new Map(), isListed: () => true };

test("the last two asks are remembered, and one that is made again is the last", () => {
  const ask = (id: string) => ({ id, atMs: T0, urls: "", failing: new Map() });
  const after = (...ids: readonly string[]): readonly string[] =>
    ids
      .reduce(
        (known, id) => foldVantages(known, { vantages: [], answers: [], ask: ask(id) }, ALL, T0),
        NO_VANTAGES,
      )
      .asks.map(({ id }) => id);
  expect(after("1")).toEqual(["1"]);
  expect(after("1", "2")).toEqual(["1", "2"]);
  expect(after("1", "2", "3")).toEqual(["2", "3"]);
  expect(after("1", "2", "1")).toEqual(["2", "1"]);
});

describe("an answer of a run", () => {
  const URLS = ["https://a.example/", "https://b.example/"] as const;
  const [A, B] = URLS;
  const GONE = "https://gone.example/";
  const ask = { id: "1", atMs: T0, urls: "", failing: new Map([[A, "192.0.2.1"]]) };
  const answer: VantageAnswer = {
    evidence: {
      vantage: "ams",
      askId: "1",
      urls: "",
      atMs: T0,
      connectivity: "fine",
      isWhiteList: false,
      results: [
        { code: "ok", ms: 12, address: "192.0.2.1", sameAddress: "works" },
        { code: "tcp-timeout", ms: 9, address: "192.0.2.2" },
      ],
    },
    signed: { payload: "p", protected: "h", signature: "s" },
    urls: URLS,
  };
  const before: VantagesState = { ...NO_VANTAGES, vantages: [PLACE] };
  const fold = (changes: Partial<VantageAnswer["evidence"]> = {}, known = before) =>
    foldVantages(
      known,
      {
        vantages: [PLACE],
        answers: [{ ...answer, evidence: { ...answer.evidence, ...changes } }],
        ask,
      },
      {
        counts: (url) => url === A,
        statuses: new Map([[A, 200]]),
        isListed: (url) => url !== GONE,
      },
      T0,
    );

  test("is heard, with addresses of what fails for the runner alone", () => {
    expect(fold().heard.get("ams")).toEqual({
      askId: "1",
      heardAtMs: T0,
      connectivity: "fine",
      isWhiteList: false,
      results: new Map<string, HeardResult>([
        [A, { code: "ok", address: "192.0.2.1", sameAddress: "works" }],
        [B, { code: "tcp-timeout" }],
      ]),
    });
  });

  test("counts once towards calibration, where the runner was answered", () => {
    const once = fold();
    const days = once.tallies.get("ams");
    expect(days?.get(A)).toMatchObject([{ healthy: 1, failed: 0 }]);
    expect(days?.get(B)).toEqual([]);
    expect(fold({}, once).tallies).toEqual(once.tallies);
    const twice = fold({ askId: "2" }, { ...once, asks: [ask, { ...ask, id: "2" }] });
    expect(twice.tallies.get("ams")?.get(A)).toMatchObject([{ healthy: 2, failed: 0 }]);
  });

  test("counts only with the status that the runner gets", () => {
    const seen = (status: number) =>
      fold({ results: [{ code: "ok", ms: 1, seen: { status } }] })
        .tallies.get("ams")
        ?.get(A);
    expect(seen(200)).toMatchObject([{ healthy: 1 }]);
    expect(seen(403)).toEqual([]);
  });

  test("keeps the usual status of an endpoint while the catalogue has it", () => {
    const known = {
      ...before,
      usual: new Map([
        [B, 401],
        [GONE, 200],
      ]),
    };
    expect([...fold({}, known).usual]).toEqual([
      [B, 401],
      [A, 200],
    ]);
  });

  test.each<readonly [Partial<VantageAnswer["evidence"]>]>([
    [{ connectivity: "offline" }],
    [{ connectivity: "half" }],
    [{ isWhiteList: true }],
  ])("does not count towards calibration with %j", (changes) => {
    const { heard, tallies } = fold(changes);
    expect(heard.has("ams")).toBe(true);
    expect(tallies.size).toBe(0);
  });

  test("is forgotten with its place, and under another key", () => {
    const known = citeAnswers(fold(), [answer], true, T0);
    const next = (vantages: readonly Vantage[]) =>
      foldVantages(known, { vantages, answers: [] }, ALL, T0);
    const sizes = ({ heard, tallies, cited }: ReturnType<typeof next>) =>
      [heard, tallies, cited].map(({ size }) => size);
    expect(sizes(next([PLACE]))).toEqual([1, 1, 1]);
    expect(sizes(next([]))).toEqual([0, 0, 0]);
    expect(sizes(next([{ ...PLACE, publicKey: "other" }]))).toEqual([0, 0, 0]);
  });
});
