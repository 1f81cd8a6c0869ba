import { describe, expect, test } from "vitest";
import { type Scope, SCOPES } from "../../src/model/interference.ts";
import { VERDICT_CODES } from "../../src/model/verdict.ts";
import type { ScopeView } from "../../src/site/view.ts";
import { LANGUAGES } from "../../src/site/words/language.ts";
import { ADVICE } from "../../src/site/words/advice.ts";
import { adviceFor, describeScopeOf } from "../../src/site/words/scope-advice.ts";
import { describeScope, nameCountry } from "../../src/site/words/scope.ts";
import { NO_SCOPE, placesOf } from "./site-fixture.ts";

const OPENS = placesOf("opens");

test.each<[string, ScopeView, string, string]>([
  [
    "a claim",
    { scope: "russia", isClaimed: true, places: OPENS },
    "За границей открывается (Германия, Финляндия), из Москвы нет. Похоже на блокировку: тот же сервер отвечает, если назвать ему другое имя.",
    "It opens abroad (Germany, Finland), but not from Moscow. This looks like blocking: the same server answers under another name.",
  ],
  [
    "asymmetry alone, which claims nothing",
    { scope: "russia", isClaimed: false, places: OPENS },
    "За границей открывается (Германия, Финляндия), из Москвы нет. Блокировка это или сбой по пути, мы не знаем.",
    "It opens abroad (Germany, Finland), but not from Moscow. Whether it is blocked or the route is broken, we do not know.",
  ],
  [
    "a claim whose controls are silent now",
    { scope: "russia", isClaimed: true, places: [] },
    "За границей открывается, из Москвы нет. Похоже на блокировку: тот же сервер отвечает, если назвать ему другое имя.",
    "It opens abroad, but not from Moscow. This looks like blocking: the same server answers under another name.",
  ],
  [
    "a failure everywhere",
    { scope: "everywhere", isClaimed: false, places: placesOf("fails") },
    "За границей тоже не открывается (Германия, Финляндия). Похоже на сбой самого сервиса.",
    "It does not open abroad either (Germany, Finland). This looks like a failure of the service itself.",
  ],
  [
    "a failure in some places",
    { scope: "mixed", isClaimed: false, places: placesOf("fails", "opens") },
    "За границей открывается не везде: где-то да (Финляндия), где-то нет (Германия).",
    "Abroad it opens in some places (Finland) and not in others (Germany).",
  ],
])("%s in words", (_, view, ru, en) => {
  expect(describeScope(view, "ru")).toBe(ru);
  expect(describeScope(view, "en")).toBe(en);
});

describe.each(LANGUAGES)("in %s", (language) => {
  test("what is not known, and what works, has no sentence", () => {
    expect(describeScope(NO_SCOPE, language)).toBeUndefined();
    expect(describeScope({ ...NO_SCOPE, scope: "unknown" }, language)).toBeUndefined();
  });

  test("only a claim and a server that is down elsewhere say what it looks like", () => {
    const prophets = SCOPES.filter((scope) =>
      /похоже|looks like/iu.test(
        describeScope({ scope, isClaimed: false, places: OPENS }, language) ?? "",
      ),
    );
    expect(prophets).toEqual(["everywhere"]);
  });
});

test("a country without a name keeps its letters", () => {
  expect(nameCountry("DE", "ru")).toBe("Германия");
  expect(nameCountry("QX", "en")).toBe("QX");
});

describe("the answers to a visitor", () => {
  const scoped = (scope: Scope): ScopeView => ({ scope, isClaimed: false, places: OPENS });

  test.each(LANGUAGES)("in %s change with what other places know", (language) => {
    for (const scope of ["russia", "everywhere", "network", "mixed"] as const)
      for (const code of ["fail", "fail_long"] as const)
        expect(adviceFor(code, scoped(scope), language)).not.toEqual(ADVICE[language][code]);
  });

  test.each(["none", "unknown", "path"] as const)("stay as they are while it is %s", (scope) => {
    for (const code of VERDICT_CODES)
      expect(adviceFor(code, scoped(scope), "ru")).toBe(ADVICE.ru[code]);
  });

  test("a claim of blocking keeps its answers, and knows that it opens abroad", () => {
    const { isDown, ...others } = adviceFor("restricted_fail", scoped("russia"), "ru");
    expect(isDown).toBe("Нет, за границей открывается");
    expect(ADVICE.ru.restricted_fail).toMatchObject(others);
  });

  test("what works keeps its answers, wherever single addresses fail", () => {
    for (const scope of SCOPES) expect(adviceFor("ok", scoped(scope), "ru")).toBe(ADVICE.ru.ok);
  });
});

describe("a restricted service that fails", () => {
  const scoped = (scope: Scope): ScopeView => ({ scope, isClaimed: false, places: OPENS });

  test("leaves no doubt about blocking where it opens abroad", () => {
    expect(describeScopeOf("restricted_fail", scoped("russia"), "ru")).toBe(
      "За границей открывается (Германия, Финляндия), из Москвы нет.",
    );
  });

  test("seems to be down where it opens nowhere, and stays restricted", () => {
    const { isDown, isBlocked } = adviceFor("restricted_fail", scoped("everywhere"), "ru");
    expect(isDown).toBe("Похоже, да");
    expect(isBlocked).toBe(ADVICE.ru.restricted_fail.isBlocked);
  });

  test("may be a matter of the network where another one opens it", () => {
    expect(adviceFor("restricted_fail", scoped("network"), "ru").isMe).not.toBe("Нет");
  });
});

test("a verdict with a cause of its own has no sentence of other places", () => {
  for (const code of VERDICT_CODES.filter(
    (one) => !/^(?:fail|fail_long|restricted_fail)$/u.test(one),
  ))
    for (const scope of SCOPES)
      expect(
        describeScopeOf(code, { scope, isClaimed: false, places: OPENS }, "ru"),
      ).toBeUndefined();
});
