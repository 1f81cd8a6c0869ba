import { describe, expect, test } from "vitest";
import type { FailedOutcome, Outcome, SkipReason } from "../../src/model/probe-outcome.ts";
import { measureEndpoint, type Baseline, type Doubt } from "../../src/probe/confirm-change.ts";
import { wordFor } from "./harness.ts";

const DELAYS_MS = [20_000, 60_000, 100_000];
const FAST: Baseline = { lastState: "healthy", slowMs: 2_000 };
const FAILING: Baseline = { ...FAST, lastState: "failing" };
const UNKNOWN: Baseline = { ...FAST, lastState: "unknown" };

function ok(totalMs = 100): Outcome {
  return { kind: "ok", trace: traceTaking(totalMs) };
}

function traceTaking(totalMs: number): Extract<Outcome, { kind: "ok" }>["trace"] {
  const counts = { redirects: 0, bodyBytes: 0, rawBytes: 0 };
  return { url: "https://a.test/", ...counts, tlsVerified: true, timings: { totalMs } };
}

const denied: Outcome = { kind: "denied", trace: traceTaking(100) };
const reset: FailedOutcome = {
  kind: "failed",
  stage: "tls",
  code: "tls-reset",
  trace: traceTaking(100),
};
const silent: FailedOutcome = { ...reset, code: "tls-timeout" };

function skipped(reason: SkipReason): Outcome {
  return { kind: "skipped", reason };
}

interface Played {
  readonly outcome: Outcome;
  readonly word: string;
  readonly isFlaky: boolean;
  readonly attempts: readonly string[];
  /** Start of each probe, on a clock that only probes and waits advance. */
  readonly startsMs: readonly number[];
  readonly numbers: readonly number[];
  readonly waits: readonly (readonly [attempt: number, waitMs: number])[];
  readonly mayBeRefused: boolean | undefined;
}

/** Plays a script of outcomes; each probe takes `probeMs`. Throws on a probe beyond the script. */
async function play(
  background: Baseline,
  script: readonly Outcome[],
  delaysMs: readonly number[] = DELAYS_MS,
  probeMs = 5_000,
  doubt?: Doubt,
): Promise<Played> {
  let nowMs = 1_000;
  const startsMs: number[] = [];
  const numbers: number[] = [];
  const waits: [number, number][] = [];
  const result = await measureEndpoint(background, {
    probe: async (attempt) => {
      const outcome = script[startsMs.length];
      if (outcome === undefined) throw new Error(`no script for attempt ${attempt}`);
      startsMs.push(nowMs - 1_000);
      numbers.push(attempt);
      nowMs += probeMs;
      return outcome;
    },
    sleep: async (ms) => void (nowMs += ms),
    now: () => nowMs,
    delaysMs,
    ...(doubt === undefined ? {} : { doubt }),
    onWait: (attempt, waitMs) => waits.push([attempt, waitMs]),
  });
  const { outcome, isFlaky, mayBeRefused } = result;
  const attempts = result.attempts.map(wordFor);
  const word = wordFor(outcome);
  return { outcome, word, isFlaky, attempts, startsMs, numbers, waits, mayBeRefused };
}

describe("an endpoint that was healthy", () => {
  test("and is healthy needs one probe", async () => {
    expect(await play(FAST, [ok()])).toMatchObject({ word: "ok", attempts: ["ok"], waits: [] });
  });

  test("that denies the region needs one probe", async () => {
    expect(await play(FAST, [denied])).toMatchObject({ word: "denied", attempts: ["denied"] });
  });

  test("fails only after four probes, at +20, +60 and +100 s", async () => {
    expect(await play(FAST, [reset, reset, reset, silent])).toMatchObject({
      word: "tls-timeout",
      isFlaky: false,
      attempts: ["tls-reset", "tls-reset", "tls-reset", "tls-timeout"],
      startsMs: [0, 25_000, 65_000, 105_000],
      numbers: [0, 1, 2, 3],
      waits: [
        [1, 20_000],
        [2, 35_000],
        [3, 35_000],
      ],
    });
  });

  test.for([1, 2, 3])("is healthy but flaky if probe %d succeeds after failures", async (at) => {
    const script = [...Array.from({ length: at }, () => reset), ok()];
    const played = await play(FAST, script);
    expect(played).toMatchObject({ word: "ok", isFlaky: true });
    expect(played.attempts).toHaveLength(at + 1);
  });

  test("does not wait if probes took longer than the delay", async () => {
    const played = await play(FAST, [reset, reset, reset, reset], [1_000, 2_000, 3_000], 20_000);
    expect(played.startsMs).toEqual([0, 21_000, 41_000, 61_000]);
    expect(played.waits.map(([, waitMs]) => waitMs)).toEqual([1_000, 0, 0]);
  });

  test("fails at once without confirmation delays", async () => {
    expect(await play(FAST, [reset], [])).toMatchObject({ word: "tls-reset", isFlaky: false });
  });

  test("is undecided if the time ends before confirmation", async () => {
    expect(await play(FAST, [reset, reset, skipped("deadline")])).toMatchObject({
      word: "unconfirmed",
      attempts: ["tls-reset", "tls-reset", "deadline"],
    });
  });
});

test("an unknown endpoint is treated as healthy", async () => {
  const script = [reset, reset, reset, reset];
  expect((await play(UNKNOWN, script)).attempts).toHaveLength(4);
  expect((await play(UNKNOWN, [ok()])).attempts).toEqual(["ok"]);
});

describe("a failing endpoint", () => {
  test("that still fails needs one probe", async () => {
    expect(await play(FAILING, [reset])).toMatchObject({ word: "tls-reset", waits: [] });
  });

  test("recovers after a second success 20 s later", async () => {
    expect(await play(FAILING, [ok(), ok()])).toMatchObject({
      word: "ok",
      isFlaky: false,
      startsMs: [0, 25_000],
    });
  });

  test("that answers once and then fails is still failing", async () => {
    expect(await play(FAILING, [ok(), reset])).toMatchObject({
      word: "tls-reset",
      attempts: ["ok", "tls-reset"],
    });
  });

  test("needs a second success also for a denial", async () => {
    expect((await play(FAILING, [denied, denied])).attempts).toHaveLength(2);
  });

  test("is undecided if the second probe was skipped", async () => {
    expect((await play(FAILING, [ok(), skipped("deadline")])).word).toBe("unconfirmed");
  });

  test("recovers at once without confirmation delays", async () => {
    expect((await play(FAILING, [ok()], [])).word).toBe("ok");
  });
});

describe("a slow answer", () => {
  test("is measured again at once, and the faster one counts", async () => {
    const played = await play(FAST, [ok(2_500), ok(300)]);
    expect(played).toMatchObject({ outcome: ok(300), isFlaky: false, waits: [] });
    expect(await play(FAST, [ok(2_500), ok(2_600)])).toMatchObject({ outcome: ok(2_500) });
  });

  test("that denies the region is not measured again", async () => {
    const slowly: Outcome = { kind: "denied", trace: traceTaking(2_500) };
    expect((await play(FAST, [slowly])).attempts).toEqual(["denied"]);
  });

  test("exactly at the threshold is not slow", async () => {
    expect((await play(FAST, [ok(2_000)])).attempts).toHaveLength(1);
  });

  test("remains healthy if the second probe fails", async () => {
    const played = await play(FAST, [ok(2_500), reset]);
    expect(played).toMatchObject({ outcome: ok(2_500), attempts: ["ok", "tls-reset"] });
  });
});

test.for(["deadline", "ipv6-unavailable", "aborted"] as const)(
  "a probe skipped for %s decides nothing and is not repeated",
  async (reason) => {
    for (const background of [FAST, FAILING, UNKNOWN])
      expect(await play(background, [skipped(reason)])).toMatchObject({ word: reason, waits: [] });
  },
);

describe("a failure in doubt", () => {
  const refused: Outcome = { ...reset, stage: "tcp", code: "tcp-refused" };
  const playDoubt = (script: readonly Outcome[], isAlone: boolean, background = FAST) =>
    play(background, script, DELAYS_MS, 5_000, { delayMs: 160_000, isAlone: () => isAlone });

  test("gets one more attempt at +160 s if stages differ", async () => {
    const script = [reset, refused, reset, reset, silent];
    expect(await playDoubt(script, false)).toMatchObject({
      word: "tls-timeout",
      isFlaky: false,
      startsMs: [0, 25_000, 65_000, 105_000, 165_000],
      waits: expect.arrayContaining([[4, 55_000]]),
    });
  });

  test("gets it if the endpoint alone decides", async () => {
    expect((await playDoubt([reset, reset, reset, reset, reset], true)).numbers).toHaveLength(5);
    expect((await playDoubt([reset, reset, silent, reset], false)).numbers).toHaveLength(4);
  });

  test("gets it if nothing answered any connection", async () => {
    const unanswered: Outcome = { ...reset, stage: "tcp", code: "tcp-timeout" };
    const unreachable: Outcome = { ...unanswered, code: "tcp-unreachable" };
    const script = [unanswered, unreachable, unanswered, unanswered, unanswered];
    expect((await playDoubt(script, false)).numbers).toHaveLength(5);
    // A refusal proves that the host is reachable.
    expect((await playDoubt([refused, refused, refused, refused], false)).numbers).toHaveLength(4);
  });

  test("is not confirmed if the last attempt is answered or skipped", async () => {
    const others = [reset, reset, reset, reset];
    expect(await playDoubt([...others, ok()], true)).toMatchObject({ word: "ok", isFlaky: true });
    expect(await playDoubt([...others, skipped("deadline")], true)).toMatchObject({
      word: "unconfirmed",
    });
  });

  test("needs no further attempt if the endpoint was failing or answers", async () => {
    expect((await playDoubt([reset], true, FAILING)).numbers).toEqual([0]);
    expect((await playDoubt([reset, ok()], true)).numbers).toEqual([0, 1]);
  });
});

describe("an experiment", () => {
  type Steps = NonNullable<Awaited<ReturnType<typeof measureEndpoint>>["experiment"]>;
  const STEPS: Steps = [{ kind: "neutral-name", answer: "answered" }];

  /** When experiments begin, about what, and what the result has. Probes take 5 s. */
  async function playExperiments(
    background: Baseline,
    script: readonly Outcome[],
    delaysMs: readonly number[] = DELAYS_MS,
  ) {
    let nowMs = 0;
    const begun: (readonly [string, number])[] = [];
    const result = await measureEndpoint(background, {
      probe: async (attempt) => {
        nowMs += 5_000;
        return script[attempt] ?? reset;
      },
      experiment: async (failure) => {
        begun.push([failure.code, nowMs]);
        return STEPS;
      },
      sleep: async (ms) => void (nowMs += ms),
      now: () => nowMs,
      delaysMs,
      onWait: () => undefined,
    });
    return { begun, experiment: result.experiment, word: wordFor(result.outcome) };
  }

  const expired: Outcome = { ...reset, code: "cert-expired" };
  const unknownHost = { ...silent, code: "tls-timeout" } as const;

  test("is made in the wait for the last attempt, and belongs to the confirmed failure", async () => {
    expect(await playExperiments(FAST, [reset, reset, silent, silent])).toEqual({
      // After the third attempt, which began at +60 s of the end of the first.
      begun: [["tls-timeout", 70_000]],
      experiment: STEPS,
      word: "tls-timeout",
    });
  });

  test("of an endpoint that recovers is forgotten", async () => {
    const played = await playExperiments(FAST, [reset, reset, reset, ok()]);
    expect(played).toMatchObject({ word: "ok", begun: [["tls-reset", 70_000]] });
    expect(played.experiment).toBeUndefined();
  });

  test("of an endpoint that failed in the last run is made before its probe", async () => {
    const failing: Baseline = { ...FAILING, failure: unknownHost };
    expect(await playExperiments(failing, [reset])).toEqual({
      begun: [["tls-timeout", 0]],
      experiment: STEPS,
      word: "tls-reset",
    });
  });

  test("of an endpoint whose silence is vague is made once, after an answer", async () => {
    const vague: Baseline = { ...FAILING, failure: unknownHost, isSilenceVague: true };
    expect((await playExperiments(vague, [])).begun).toEqual([]);
    const alert: FailedOutcome = { ...reset, code: "tls-alert" };
    const script = [reset, ...Array.from({ length: 4 }, () => alert)];
    expect((await playExperiments(vague, script)).begun).toHaveLength(1);
  });

  test("follows the probe where nothing is known of the last failure, or without delays", async () => {
    expect((await playExperiments(FAILING, [reset])).begun).toEqual([["tls-reset", 5_000]]);
    expect((await playExperiments(FAST, [reset], [])).begun).toEqual([["tls-reset", 5_000]]);
  });

  test("is not made about what no box causes, nor about a healthy endpoint", async () => {
    const fourTimes = [expired, expired, expired, expired];
    expect(await playExperiments(FAST, fourTimes)).toMatchObject({
      begun: [],
      word: "cert-expired",
    });
    expect((await playExperiments(FAST, [ok()])).begun).toEqual([]);
    expect((await playExperiments(FAILING, [ok(), ok()])).begun).toEqual([]);
  });
});

describe("an endpoint whose silence is vague", () => {
  const VAGUE: Baseline = { ...FAST, isSilenceVague: true };
  const error: FailedOutcome = { ...reset, stage: "http", code: "http-server-error" };

  test("is asked five times within ten seconds, whatever its state was", async () => {
    for (const baseline of [VAGUE, { ...VAGUE, lastState: "failing" } as const])
      expect(
        await play(baseline, [reset, reset, silent, reset, reset, reset], DELAYS_MS, 0),
      ).toMatchObject({
        startsMs: [0, 2_000, 4_000, 6_000, 8_000, 10_000],
        word: "tls-reset",
      });
    expect(await play(VAGUE, [reset, reset, ok()])).toMatchObject({ word: "ok", isFlaky: true });
  });

  test("that answers an error is confirmed, each time until it answers", async () => {
    const script = [reset, error, reset, reset, error, error, reset, error];
    expect(await play(VAGUE, script, DELAYS_MS, 0)).toMatchObject({
      startsMs: [0, 2_000, 20_000, 20_000, 20_000, 60_000, 100_000, 100_000],
      word: "http-server-error",
    });
  });

  test("is asked up to five times at each confirmation of an error", async () => {
    const script = [error, ...Array.from({ length: 15 }, () => reset)];
    const played = await play(VAGUE, script, DELAYS_MS, 0);
    const times = [0, 20_000, 60_000, 100_000].map((ms) => Array(ms === 0 ? 1 : 5).fill(ms));
    expect(played).toMatchObject({ startsMs: times.flat(), word: "tls-reset", mayBeRefused: true });
  });

  test("may be refused if an attempt was silent, and only then", async () => {
    const errors = await play(VAGUE, [error, error, error, error]);
    expect([errors.word, errors.mayBeRefused]).toEqual(["http-server-error", undefined]);
    expect((await play(VAGUE, [reset, ok()])).mayBeRefused).toBe(true);
    expect((await play(FAST, [reset, ok()])).mayBeRefused).toBeUndefined();
  });

  test("that has failed and answers an error needs one probe", async () => {
    const failing: Baseline = { ...VAGUE, lastState: "failing" };
    expect((await play(failing, [error])).attempts).toEqual(["http-server-error"]);
  });

  test("is undecided if the time ends while it is asked", async () => {
    expect(await play(VAGUE, [reset, reset, skipped("deadline")])).toMatchObject({
      word: "unconfirmed",
      isFlaky: false,
      attempts: ["tls-reset", "tls-reset", "deadline"],
    });
  });

  test("is not asked again without confirmations", async () => {
    expect(await play(VAGUE, [reset], [])).toMatchObject({ attempts: ["tls-reset"] });
  });
});

test("a suspect of the last run needs one more failure, 20 s later", async () => {
  const suspect: Baseline = { ...FAST, lastState: "suspect" };
  const doubt: Doubt = { delayMs: 160_000, isAlone: () => true };
  expect(await play(suspect, [reset, reset], DELAYS_MS, 0, doubt)).toMatchObject({
    startsMs: [0, 20_000],
    word: "tls-reset",
  });
});

test("an outage of a day needs three answers to end", async () => {
  const long: Baseline = { ...FAILING, isLongFailing: true };
  expect(await play(long, [ok(), ok(), ok()], DELAYS_MS, 0)).toMatchObject({
    startsMs: [0, 20_000, 60_000],
    word: "ok",
  });
  expect(await play(long, [ok(), ok(), reset])).toMatchObject({ word: "tls-reset" });
  expect(await play(long, [ok(), reset])).toMatchObject({ word: "tls-reset", isFlaky: false });
  expect(await play(long, [ok(), skipped("deadline")])).toMatchObject({ word: "unconfirmed" });
});
