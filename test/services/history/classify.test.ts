import fc from "fast-check";
import { expect, test } from "vitest";
import {
  classify,
  currentState,
  type EndpointHistoryView,
} from "../../../src/services/history/views.ts";
import { minutes, runMark, T0 } from "../../model/samples.ts";

/** A state with marks: `!` critical, `~` flapping, `&` slow, `@` carried over. */
function view(word: string): EndpointHistoryView {
  const [, state, marks = ""] = /^([a-z-]+)(.*)$/.exec(word) ?? [];
  const states = ["healthy", "failing", "server-error", "blocked", "denied"] as const;
  return {
    isCritical: marks.includes("!"),
    state: states.find((each) => each === state),
    isDecidedNow: !marks.includes("@") && state !== "unknown",
    isFlapping: marks.includes("~"),
    isFlakyNow: false,
    isSlow: marks.includes("&"),
  };
}

test.each([
  ["healthy! healthy", "up"],
  ["healthy!", "up"],
  ["healthy! failing", "partial"],
  ["healthy! server-error", "partial"],
  ["healthy! failing!", "failing"],
  ["healthy!~", "partial"],
  ["healthy! healthy~", "partial"],
  ["healthy!& failing", "partial"],
  ["healthy!&", "slow"],
  ["healthy! healthy!&", "slow"],
  ["failing! healthy", "failing"],
  ["blocked! healthy", "failing"],
  ["failing!~", "failing"],
  ["server-error! healthy", "server-error"],
  ["server-error! failing!", "failing"],
  ["server-error! healthy!", "server-error"],
  ["server-error! server-error!", "server-error"],
  ["failing! server-error", "failing"],
  ["denied! healthy", "provider-denied"],
  ["denied! failing", "provider-denied"],
  ["denied! failing!", "failing"],
  ["denied! server-error!", "server-error"],
  ["denied! healthy!", "up"],
  ["healthy! denied", "up"],
  ["unknown! healthy!", "up"],
  ["unknown! failing!", "failing"],
  ["healthy!@ failing!", "failing"],
  ["failing!@ healthy!", "failing"],
  ["failing!@ denied!", "failing"],
])("%s makes the service %s", (words, expected) => {
  expect(classify(words.split(" ").map(view))).toBe(expected);
});

test.each([
  "unknown! healthy",
  "healthy!@",
  "healthy!@ healthy",
  "failing!@ healthy",
  "healthy!@ failing",
  "unknown! unknown",
  "",
])("%j says nothing about the service", (words) => {
  expect(classify(words.split(" ").map(view))).toBeUndefined();
});

test("the order of endpoints does not matter", () => {
  const words = ["healthy", "failing", "server-error", "blocked", "denied", "unknown"];
  const word = fc.tuple(fc.constantFrom(...words), fc.constantFrom("", "!", "!&", "~", "@"));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), (pairs) => {
      const views = pairs.map(([state, marks]) => view(state + marks));
      expect(classify(views.toReversed())).toBe(classify(views));
    }),
  );
});

test("a skipped endpoint keeps its last decided state for exactly 15 minutes", () => {
  const runs = [0, 5, 20].map((at) => runMark({ atMs: T0 + minutes(at) }));
  expect(currentState("a!?", runs)).toBe("failing");
  expect(currentState("a??", runs)).toBeUndefined();
  expect(currentState("!.a", runs)).toBe("healthy");
});
