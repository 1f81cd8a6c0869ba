import type { Answer } from "../answer.ts";
import type { PlaceStatus, PlaceView } from "../view.ts";
import { ANSWER_WORDS } from "./answer.ts";
import type { ByLanguage } from "./by-language.ts";
import type { Language } from "./language.ts";
import { nameCountry } from "./scope.ts";
import { formatDay } from "./time.ts";
import { VERDICT_EXPLANATIONS } from "../../contract/codes/verdict-words.ts";

/** An answer in a language. */
export interface AnswerText {
  /** What the checks found, in one sentence. */
  readonly sentence: string;
  /** What other places say. */
  readonly elsewhere?: string;
  readonly isDown: string;
  readonly isBlocked: string;
  readonly isMe: string;
  readonly advice: string;
  /** Follows where reports are taken. */
  readonly report?: string;
}

/** The three questions of a visitor. */
export const QUESTIONS: ByLanguage<Readonly<Record<"isDown" | "isBlocked" | "isMe", string>>> = {
  ru: { isDown: "Сломался?", isBlocked: "Ограничен?", isMe: "Дело во мне?" },
  en: { isDown: "Is it down?", isBlocked: "Is it blocked?", isMe: "Is it me?" },
};

/** The sentence of a verdict: why a restricted service does not open, or when the verdict occurs. */
export function describeVerdict(
  { code, sign }: Pick<Answer, "code" | "sign">,
  language: Language,
): string {
  return code === "restricted_fail"
    ? ANSWER_WORDS[language].signs[sign]
    : VERDICT_EXPLANATIONS[language][code];
}

/** An answer as people read it. `places` are those beside the runner. */
export function describeAnswer(
  answer: Answer,
  places: readonly PlaceView[],
  language: Language,
): AnswerText {
  const words = ANSWER_WORDS[language];
  const { code, elsewhere, isBlocked, isFromOnePlace, restrictedSince = "" } = answer;
  const controls = places.filter(({ kind }) => kind === "control");
  const [works, fails] = [
    countriesOf(controls, "opens", language),
    countriesOf(controls, "fails", language),
  ];
  const advice = words.advice[answer.advice];
  const report = words.report[code];
  return {
    sentence:
      answer.unknown === null ? describeVerdict(answer, language) : words.unknown[answer.unknown],
    ...(elsewhere === undefined ? {} : { elsewhere: words.elsewhere[elsewhere](works, fails) }),
    isDown: words.isDown[answer.isDown],
    isBlocked:
      isBlocked === "annotated"
        ? words.annotated(formatDay(restrictedSince, language))
        : words.isBlocked[isBlocked],
    isMe: words.isMe[answer.isMe],
    advice: isFromOnePlace ? `${advice} ${words.onePlace}` : advice,
    ...(report === undefined ? {} : { report }),
  };
}

function countriesOf(
  places: readonly PlaceView[],
  status: PlaceStatus,
  language: Language,
): string {
  const names = places
    .filter((place) => place.status === status)
    .map(({ country }) => nameCountry(country, language));
  return names.length === 0 ? "" : ` (${[...new Set(names)].join(", ")})`;
}
