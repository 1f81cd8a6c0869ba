import type { Answer } from "../answer.ts";
import type { PlaceStatus, PlaceView } from "../view.ts";
import { ANSWER_WORDS } from "./answer.ts";
import { inLanguages, type Language } from "../../contract/codes/language.ts";
import { nameCountry } from "./scope.ts";
import { formatDay } from "./time.ts";
import { VERDICT_EXPLANATIONS } from "../../contract/codes/verdict-words.ts";

/** The three questions of a visitor. */
export const QUESTIONS = inLanguages({
  isDown: ["Сломался?", "Is it down?"],
  isBlocked: ["Ограничен?", "Is it blocked?"],
  isMe: ["Дело во мне?", "Is it me?"],
});

/** The sentence of a verdict: why a restricted service does not open, or when the verdict occurs. */
export function describeVerdict(
  { code, sign, found }: Pick<Answer, "code" | "sign"> & Partial<Pick<Answer, "found">>,
  language: Language,
): string {
  if (found !== undefined) return ANSWER_WORDS[language].found[found];
  return code === "restricted_fail"
    ? ANSWER_WORDS[language].signs[sign]
    : VERDICT_EXPLANATIONS[language][code];
}

/**
 * An answer as people read it: what the checks found, in one sentence, what other places say, the answers to the three questions, and
 * advice, which `report` follows where reports are taken. `places` are those beside the runner.
 */
export function describeAnswer(answer: Answer, places: readonly PlaceView[], language: Language) {
  const words = ANSWER_WORDS[language];
  const { code, elsewhere, isBlocked, isDown, isFromOnePlace, isMe, restrictedSince = "" } = answer;
  const countries = (status: PlaceStatus): string => {
    const names = places
      .filter((place) => place.kind === "control" && place.status === status)
      .map(({ country }) => nameCountry(country, language));
    return names.length === 0 ? "" : ` (${[...new Set(names)].join(", ")})`;
  };
  const advice = words.advice[answer.advice];
  return {
    sentence:
      answer.unknown === null ? describeVerdict(answer, language) : words.unknown[answer.unknown],
    elsewhere:
      elsewhere &&
      words.elsewhere[elsewhere]
        .replace("{works}", countries("opens"))
        .replace("{fails}", countries("fails")),
    isDown: words.isDown[isDown],
    isBlocked:
      isBlocked === "annotated"
        ? words.annotated.replace("{day}", formatDay(restrictedSince, language))
        : words.isBlocked[isBlocked],
    isMe: words.isMe[isMe],
    advice: isFromOnePlace ? `${advice} ${words.onePlace}` : advice,
    report: code === "ok" || code === "none" ? words.report[code] : undefined,
  };
}
