import { describe, expect, test } from "vitest";
import type { BrowserView, EndpointResult } from "../../../src/model/probe-outcome.ts";
import type { BrowserOpinion } from "../../../src/probe/browser/browser-opinion.ts";
import {
  askForOpinion,
  isContradicted,
  isOpinionDue,
  type Question,
  standingView,
} from "../../../src/probe/browser/second-opinion.ts";
import { failed, minutes, resultOf, T0, traceOf } from "../../model/samples.ts";
import { NEVER, rulesOf } from "../harness.ts";

const URL_A = "https://a.example/";
const ADDRESS = "192.0.2.1";
const AT = { address: ADDRESS, url: URL_A };
const WORKS = resultOf({ kind: "ok", trace: { ...traceOf(10), ...AT } });
const FAILS = resultOf(failed("tls-reset", AT));
const OPEN: BrowserView = { isOpen: true, atMs: T0 - minutes(5) };
const SHUT: BrowserView = { isOpen: false, stage: "tls", atMs: T0 - minutes(5) };

const question = (
  result: EndpointResult,
  earlier: EndpointResult | undefined,
  changes: Partial<Question> = {},
): Question => ({
  service: { isAbroad: true },
  endpoint: { url: URL_A, isCritical: true },
  result,
  earlier,
  ...changes,
});

/** In which of the next three runs it is asked. */
const dueIn = (one: Question): readonly boolean[] =>
  [0, 5, 10].map((minute) => isOpinionDue(one, T0 + minutes(minute)));

describe("a browser is asked", () => {
  test("in one run of three about what does not change", () => {
    const quiet = question(WORKS, { ...WORKS, browser: OPEN });
    expect(dueIn(quiet).filter((isDue) => isDue)).toHaveLength(1);
  });

  test.each<[string, EndpointResult, EndpointResult | undefined]>([
    ["never asked about", WORKS, undefined],
    ["has recovered", WORKS, { ...FAILS, browser: SHUT }],
    ["fails", FAILS, { ...FAILS, browser: SHUT }],
    ["does not open for browsers", WORKS, { ...WORKS, browser: SHUT }],
  ])("in each run about what was or is so: %s", (_, result, earlier) => {
    expect(dueIn(question(result, earlier))).toEqual([true, true, true]);
  });

  test.each<[string, Question]>([
    ["a domestic service", question(FAILS, undefined, { service: { isAbroad: false } })],
    ["a side address", question(FAILS, undefined, { endpoint: { url: URL_A, isCritical: false } })],
    ["a name without an address", question(resultOf(failed("dns-nxdomain")), undefined)],
    ["HTTP", question(resultOf(failed("tcp-timeout", { ...AT, url: "http://a/" })), undefined)],
    ["what was not probed", question(resultOf({ kind: "skipped", reason: "deadline" }), WORKS)],
  ])("never about %s", (_, one) => {
    expect(dueIn(one)).toEqual([false, false, false]);
  });
});

test("an opinion stands while the probe finds the same, for twenty minutes", () => {
  const earlier = { ...WORKS, browser: OPEN };
  expect(standingView(WORKS, earlier, T0)).toBe(OPEN);
  expect(standingView(WORKS, earlier, T0 + minutes(15))).toBe(OPEN);
  expect(standingView(WORKS, earlier, T0 + minutes(16))).toBeUndefined();
  expect(standingView(FAILS, earlier, T0)).toBeUndefined();
  expect(standingView(WORKS, WORKS, T0)).toBeUndefined();
  // A clock that was set back.
  expect(standingView(WORKS, earlier, T0 - minutes(25))).toBe(OPEN);
  expect(standingView(WORKS, earlier, T0 - minutes(26))).toBeUndefined();
});

test("the turns of many endpoints are spread over the runs", () => {
  const counts = [0, 5, 10].map((minute) => {
    const due = Array.from({ length: 90 }, (_, index) => {
      const endpoint = { url: `https://h${index}.example/`, isCritical: true };
      const one = question(WORKS, { ...WORKS, browser: OPEN }, { endpoint });
      return isOpinionDue(one, T0 + minutes(minute));
    });
    return due.filter(Boolean).length;
  });
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(90);
  expect(Math.min(...counts)).toBeGreaterThan(20);
});

test.each<[string, EndpointResult, BrowserView | undefined, boolean]>([
  ["opens as well", WORKS, OPEN, false],
  ["gets nothing", WORKS, SHUT, true],
  ["breaks in HTTP, which may be its own fault", WORKS, { ...SHUT, stage: "http" }, false],
  ["is not accepted, whatever its ClientHello", WORKS, { ...SHUT, stage: "tcp" }, false],
  ["fails as well", FAILS, SHUT, false],
  ["opens what the probe does not", FAILS, OPEN, true],
  ["was not asked", FAILS, undefined, false],
  ["opens a foreign certificate", resultOf(failed("cert-unknown-issuer", AT)), OPEN, false],
  ["opens an address that accepts no other", resultOf(failed("tcp-timeout", AT)), OPEN, false],
  ["opens an error of the server", resultOf(failed("http-server-error", AT)), OPEN, false],
  ["opens a page that froze", resultOf(failed("body-stall", AT)), OPEN, true],
])("a browser that %s contradicts the probe: %s", (_, result, view, expected) => {
  expect(isContradicted(result, view)).toBe(expected);
});

describe("an opinion", () => {
  const OPENS: BrowserOpinion = { kind: "opens", status: 200, bytes: 70_000 };
  const NOTHING: BrowserOpinion = { kind: "fails", stage: "tls", bytes: 0 };

  /** The view of a browser that answers so in turn, with the waits between. */
  async function viewOf(
    one: Question,
    answers: readonly (BrowserOpinion | undefined)[],
    confirmMs: number | undefined = 20_000,
  ) {
    const waits: number[] = [];
    const targets: string[] = [];
    const view = await askForOpinion(one, {
      ask: async ({ url, address, port }) => {
        targets.push(`${url.href} ${address}:${port}`);
        return answers[targets.length - 1];
      },
      connectTo: rulesOf(["a.example:443::8443"]),
      startMs: T0,
      confirmMs,
      wait: async (ms) => void waits.push(ms),
      signal: NEVER,
    });
    return { view, waits, targets };
  }

  test("is asked at the address and port of the probe, once if they agree", async () => {
    expect(await viewOf(question(WORKS, undefined), [OPENS])).toEqual({
      view: { isOpen: true, atMs: T0 },
      waits: [],
      targets: [`${URL_A} ${ADDRESS}:8443`],
    });
  });

  test.each<[string, Question, readonly (BrowserOpinion | undefined)[], boolean | undefined]>([
    ["twice shut", question(WORKS, undefined), [NOTHING, NOTHING], false],
    ["shut, then open", question(WORKS, undefined), [NOTHING, OPENS], true],
    ["shut, then not to be asked", question(WORKS, undefined), [NOTHING, undefined], undefined],
    ["open twice where the probe fails", question(FAILS, undefined), [OPENS, OPENS], true],
    ["open once where the probe fails", question(FAILS, undefined), [OPENS, NOTHING], false],
    [
      "open, then an error",
      question(FAILS, undefined),
      [OPENS, { ...OPENS, status: 503 }],
      undefined,
    ],
  ])("that contradicts is asked twice: %s", async (_, one, answers, isOpen) => {
    const { view, waits } = await viewOf(one, answers);
    expect([view?.isOpen, waits]).toEqual([isOpen, [20_000]]);
  });

  test("with an error says nothing where the probe got no answer", async () => {
    const error = { ...OPENS, status: 503 };
    expect((await viewOf(question(FAILS, undefined), [error])).view).toBeUndefined();
    expect((await viewOf(question(WORKS, undefined), [error])).view?.isOpen).toBe(true);
  });

  test("of a redirect counts, of a refusal not, where the probe got no answer", async () => {
    const isOpen = async (status: number) => {
      const opens = { ...OPENS, status };
      return (await viewOf(question(FAILS, undefined), [opens, opens])).view?.isOpen;
    };
    expect([await isOpen(399), await isOpen(400)]).toEqual([true, undefined]);
  });

  test("of an endpoint without an address is not asked for", async () => {
    const { view, targets } = await viewOf(
      question(resultOf(failed("dns-nxdomain")), undefined),
      [],
    );
    expect([view, targets]).toEqual([undefined, []]);
  });

  test("that has contradicted before is asked once", async () => {
    const { view, waits } = await viewOf(question(WORKS, { ...WORKS, browser: SHUT }), [NOTHING]);
    expect([view?.isOpen, waits]).toEqual([false, []]);
  });
});
