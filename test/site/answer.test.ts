import { NO_OPERATOR_SUMS } from "../../src/model/service/reports.ts";
import { expect, test } from "vitest";
import type { AnnotationKind } from "../../src/model/service/catalogue.ts";
import { type ClaimBasis, type Scope, SCOPES } from "../../src/model/service/interference.ts";
import type { FailureCode } from "../../src/model/failures.ts";
import { VERDICT_CODES, type VerdictCode } from "../../src/contract/codes/verdict.ts";
import {
  type Answer,
  type AnsweredService,
  type BlockAnswer,
  composeAnswer,
  type DownAnswer,
  type Elsewhere,
} from "../../src/site/answer.ts";
import { describeAnswer } from "../../src/site/words/describe-answer.ts";
import { LANGUAGES } from "../../src/contract/codes/language.ts";
import { nameCountry } from "../../src/site/words/scope.ts";
import { placesOf } from "./places-fixture.ts";
import { endpointOf, failedAt, pairOf } from "./site-fixture.ts";

const SINCE = "2022-03-14";

/** What an answer depends on. */
interface AnswerFacts {
  readonly code: VerdictCode;
  readonly live: boolean;
  readonly scope: Scope;
  readonly isClaimed: boolean;
  readonly basis?: Pick<ClaimBasis, "by" | "networks">;
  readonly hasPlaces: boolean;
  readonly annotations: readonly { readonly kind: AnnotationKind; readonly since: string }[];
  readonly failures: readonly FailureCode[];
}

const FACTS: AnswerFacts = {
  code: "fail",
  live: true,
  scope: "unknown",
  isClaimed: false,
  hasPlaces: false,
  annotations: [],
  failures: [],
};

/** A service of which these facts hold. */
function serviceWith(facts: AnswerFacts): AnsweredService {
  const { code, live, scope, isClaimed, basis, hasPlaces } = facts;
  return {
    verdict: { ...pairOf(code), live, sinceMs: null },
    scope: {
      scope,
      isClaimed,
      ...(basis === undefined ? {} : { basis }),
      places: hasPlaces ? placesOf("opens") : [],
    },
    annotations: facts.annotations.map((each) => ({ ...each, reason: "" })),
    endpoints: facts.failures.map((failure) => endpointOf("a.ru", "site", failedAt(failure))),
    unknown: null,
    operators: NO_OPERATOR_SUMS,
  };
}

const FAILURES: readonly (readonly FailureCode[])[] = [
  [],
  ["tcp-timeout"],
  ["http-server-error"],
  ["http-block-page"],
  ["tcp-timeout", "dns-stub-address"],
  ["http-legal-refusal"],
];
const ANNOTATED: readonly (readonly AnnotationKind[])[] = [
  [],
  ["restricted"],
  ["slowed_ru"],
  ["partial_ru"],
  ["provider"],
  ["restricted", "provider"],
];

/** All combinations, those too that the decision table cannot make. */
function* combinations(): Generator<AnswerFacts> {
  for (const code of VERDICT_CODES)
    for (const scope of SCOPES)
      for (const kinds of ANNOTATED)
        for (const failures of FAILURES)
          for (const bits of [0, 1, 2, 3, 4, 5, 6, 7])
            yield {
              code,
              scope,
              failures,
              annotations: kinds.map((kind) => ({ kind, since: SINCE })),
              live: (bits & 1) > 0,
              isClaimed: (bits & 2) > 0,
              hasPlaces: (bits & 4) > 0,
            };
}

type Opinion = "yes" | "no" | "open";

/** What each answer comes to. */
const IS_DOWN: Readonly<Record<DownAnswer, Opinion>> = {
  opens: "no",
  seems: "yes",
  "seems-everywhere": "yes",
  "opens-abroad": "no",
  "opens-in-network": "no",
  "not-at-home": "no",
  "not-browsers": "no",
  "one-operator": "no",
  "for-some": "open",
  long: "open",
  errors: "yes",
  "cannot-tell": "open",
  "answers-probe": "no",
  slow: "no",
  partly: "open",
  reports: "open",
  no: "no",
  unknown: "open",
};
const IS_BLOCKED: Readonly<Record<BlockAnswer, Opinion>> = {
  annotated: "yes",
  "block-page": "yes",
  "stub-address": "yes",
  "legal-refusal": "yes",
  "other-name": "yes",
  "other-name-agreed": "yes",
  "home-lines": "yes",
  unnamed: "yes",
  "not-heard": "no",
  unconfirmed: "open",
  possible: "open",
  "fails-abroad": "no",
  reached: "no",
  reports: "open",
  slowed: "open",
  partly: "open",
  "by-owner": "yes",
  unknown: "open",
};
const OF_ITSELF: ReadonlySet<Elsewhere | undefined> = new Set(["everywhere", "everywhere-too"]);

/** Two statements of one answer that exclude each other. */
function contradictionsIn(answer: Answer, facts: AnswerFacts): readonly string[] {
  const { elsewhere, isMe, advice } = answer;
  const [down, blocked] = [IS_DOWN[answer.isDown], IS_BLOCKED[answer.isBlocked]];
  const faults: readonly (readonly [string, boolean])[] = [
    ["blocked, and we do not know", blocked === "yes" && elsewhere === "abroad-doubt"],
    ["not blocked, and claimed", blocked === "no" && elsewhere === "abroad-claimed"],
    ["claimed without a claim", elsewhere === "abroad-claimed" && !facts.isClaimed],
    ["named without the sign", answer.isBlocked === "other-name" && !facts.isClaimed],
    ["on record without a record", answer.isBlocked === "annotated" && !answer.restrictedSince],
    ["a record that is denied", answer.restrictedSince !== undefined && blocked !== "yes"],
    ["fails by itself, and is not down", OF_ITSELF.has(elsewhere) && down !== "yes"],
    ["opens abroad, and is down", elsewhere?.startsWith("abroad") === true && down === "yes"],
    ["our network, and not mine", elsewhere === "network" && isMe === "no"],
    ["not me, and another network", isMe === "no" && advice === "network"],
    ["one place, beside others", answer.isFromOnePlace && facts.hasPlaces],
    ["an error, and no answer", facts.code === "err" && elsewhere !== undefined],
  ];
  return faults.filter(([, isSo]) => isSo).map(([name]) => name);
}

test("no combination of verdict, scope, annotation and evidence contradicts itself", () => {
  const found = new Map<string, AnswerFacts>();
  let count = 0;
  for (const facts of combinations()) {
    count += 1;
    for (const fault of contradictionsIn(composeAnswer(serviceWith(facts)), facts))
      if (!found.has(fault)) found.set(fault, facts);
  }
  expect(Object.fromEntries(found)).toEqual({});
  expect(count).toBe(13 * SCOPES.length * ANNOTATED.length * FAILURES.length * 8);
});

const textOf = (facts: Partial<AnswerFacts>) =>
  describeAnswer(composeAnswer(serviceWith({ ...FACTS, ...facts })), placesOf("opens"), "ru");
const annotated = [{ kind: "restricted", since: SINCE }] as const;

test("a remark and calls answer none of the questions", () => {
  const remarks = (["remark", "calls"] as const).map((kind) => ({ kind, since: SINCE }));
  const changed = [...combinations()].filter((facts) => {
    const annotations = [...remarks, ...facts.annotations];
    const answer = composeAnswer(serviceWith({ ...facts, annotations }));
    return JSON.stringify(answer) !== JSON.stringify(composeAnswer(serviceWith(facts)));
  });
  expect(changed).toEqual([]);
});

test("a restricted service that opens nowhere is restricted and down", () => {
  expect(
    describeAnswer(
      composeAnswer(
        serviceWith({
          ...FACTS,
          code: "restricted_fail",
          scope: "everywhere",
          annotations: annotated,
        }),
      ),
      placesOf("fails"),
      "ru",
    ),
  ).toMatchObject({
    sentence: "Доступ к сервису в России ограничен, и из Москвы он не открывается.",
    elsewhere:
      "Сейчас не открывается и за границей (Германия, Финляндия): похоже ещё и на сбой самого сервиса.",
    isDown: "Похоже, да: не только в России",
    isBlocked: "Да, отмечено с 14 марта 2022",
    isMe: "Нет",
  });
});

test.each<[string, Partial<AnswerFacts>, string]>([
  ["a record", { annotations: annotated }, "Да, отмечено с 14 марта 2022"],
  ["a block page", { failures: ["http-block-page"] }, "Да: пришла страница блокировки"],
  ["a stub address", { failures: ["dns-stub-address"] }, "Да: DNS выдал адрес заглушки"],
  ["a 451", { failures: ["http-legal-refusal"] }, "Да: пришёл отказ по закону (451)"],
  ["the experiment", { isClaimed: true }, "Похоже: под другим именем отвечает"],
  [
    "the experiments of two networks",
    { isClaimed: true, basis: { by: "name", networks: 2 } },
    "Да: под другим именем отвечает",
  ],
  [
    "home lines",
    { isClaimed: true, scope: "access", basis: { by: "home", networks: 2 } },
    "Да: дома обрывают по имени",
  ],
  ["nothing that is known here", {}, "Похоже, да"],
])("blocking is said by its sign: %s", (_, facts, expected) => {
  expect(textOf({ code: "restricted_fail", ...facts }).isBlocked).toBe(expected);
});

test.each<[Scope, string | undefined]>([
  [
    "russia",
    "За границей открывается (Германия, Финляндия), из Москвы нет. Блокировка это или сбой по пути, мы не знаем.",
  ],
  [
    "path",
    "За границей открывается, но связь нашего узла с зарубежными сетями сейчас нарушена, поэтому причины мы не знаем.",
  ],
  ["unknown", undefined],
  ["none", undefined],
])("a failure with the scope %s has its sentence", (scope, expected) => {
  expect(textOf({ scope }).elsewhere).toBe(expected);
});

test.each<[Scope, string, string]>([
  [
    "access",
    "На домашних линиях в Москве не открывается.",
    "Нет, в дата-центрах Москвы открывается",
  ],
  ["client", "Браузеры из Москвы его не открывают.", "Нет, программам отвечает"],
])("where the runner's checks pass it is not said that they fail: %s", (scope, found, isDown) => {
  expect(textOf({ scope })).toMatchObject({ sentence: found, isDown });
});

test.each<[VerdictCode, Scope, boolean, Elsewhere]>([
  ["restricted_fail", "access", true, "access-claimed"],
  ["restricted_fail", "access", false, "access"],
  ["fail", "access", true, "access"],
  ["restricted_fail", "russia", true, "abroad-claimed"],
  ["fail", "russia", false, "abroad-doubt"],
  ["restricted_fail", "everywhere", false, "everywhere-too"],
  ["fail", "everywhere", false, "everywhere"],
  ["fail", "mixed", false, "mixed"],
  ["fail", "client", false, "client"],
  ["fail", "network", false, "network"],
  ["fail", "path", false, "path"],
])("%s with the scope %s, claimed %s, is %s elsewhere", (code, scope, isClaimed, elsewhere) => {
  const facts = { ...FACTS, code, scope, isClaimed };
  expect(composeAnswer(serviceWith(facts)).elsewhere).toBe(elsewhere);
});

test("one place is mentioned only where no other is known", () => {
  expect(textOf({}).advice).toContain("из одной точки");
  expect(textOf({ hasPlaces: true }).advice).not.toContain("из одной точки");
});

test("a surge of a service that is restricted does not leave it working for sure", () => {
  expect(textOf({ code: "restricted", live: false }).isDown).toBe("Нет: нашему узлу он отвечает");
  expect(textOf({ code: "restricted", live: true }).isDown).toContain("жалоб");
});

test.each(LANGUAGES)("each answer in %s has words, short enough for a phone", (language) => {
  const texts = new Set<string>();
  for (const facts of combinations()) {
    const answer = describeAnswer(composeAnswer(serviceWith(facts)), [], language);
    for (const key of ["isDown", "isBlocked", "isMe"] as const) texts.add(answer[key]);
  }
  expect(texts.size).toBeGreaterThan(10);
  expect([...texts].filter((text) => text === "" || text.length > 45)).toEqual([]);
});

test("a country without a name keeps its letters", () => {
  expect(nameCountry("DE", "ru")).toBe("Германия");
  expect(nameCountry("QX", "en")).toBe("QX");
});
