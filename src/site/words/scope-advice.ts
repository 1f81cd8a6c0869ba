import type { Scope } from "../../model/interference.ts";
import type { VerdictCode } from "../../model/verdict.ts";
import type { ScopeView } from "../view.ts";
import { type Advice, ADVICE } from "./advice.ts";
import type { ByLanguage } from "./by-language.ts";
import type { Language } from "./language.ts";
import { describeScope } from "./scope.ts";

/** The scopes that change what a visitor is told. */
type KnownScope = Extract<Scope, "russia" | "everywhere" | "network" | "mixed">;

/** Answers while other places are known: without them, one place cannot tell. */
const SCOPE_ADVICE: ByLanguage<Readonly<Record<KnownScope, Advice>>> = {
  ru: {
    russia: {
      isDown: "Нет, за границей открывается",
      isBlocked: "Возможно, но подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Причина на пути к сервису или у него самого.",
    },
    everywhere: {
      isDown: "Похоже, да",
      isBlocked: "Не похоже: за границей тоже не открывается",
      isMe: "Нет",
      advice:
        "Перезагружать роутер и переустанавливать приложение незачем. Подождите и попробуйте позже.",
    },
    network: {
      isDown: "Вряд ли: из другой сети открывается",
      isBlocked: "Подтверждений нет",
      isMe: "Возможно, дело в вашем провайдере",
      advice:
        "В одних сетях открывается, в других нет. Попробуйте другую сеть: мобильный интернет вместо Wi-Fi или наоборот.",
    },
    mixed: {
      isDown: "Похоже, для части людей",
      isBlocked: "Подтверждений нет",
      isMe: "Вряд ли",
      advice:
        "Перезагружать роутер и переустанавливать приложение незачем: из Москвы не открывается и у нас. Подождите и попробуйте позже.",
    },
  },
  en: {
    russia: {
      isDown: "No, it opens abroad",
      isBlocked: "Possibly, but nothing confirms it",
      isMe: "Unlikely",
      advice:
        "No need to restart the router or reinstall the app: it does not open from Moscow for us either. The cause is on the way to the service, or the service itself.",
    },
    everywhere: {
      isDown: "It looks like it",
      isBlocked: "It does not look like it: it does not open abroad either",
      isMe: "No",
      advice: "No need to restart the router or reinstall the app. Wait, and try again later.",
    },
    network: {
      isDown: "Unlikely: it opens from another network",
      isBlocked: "Nothing confirms it",
      isMe: "It may be your provider",
      advice:
        "It opens in some networks and not in others. Try another one: mobile data instead of Wi-Fi, or the other way round.",
    },
    mixed: {
      isDown: "It looks like it, for some people",
      isBlocked: "Nothing confirms it",
      isMe: "Unlikely",
      advice:
        "No need to restart the router or reinstall the app: it does not open from Moscow for us either. Wait, and try again later.",
    },
  },
};

/** Verdicts of which one place alone cannot tell the cause. */
const OPEN_CODES: ReadonlySet<VerdictCode> = new Set(["fail", "fail_long"]);

/** The answers for a verdict, as far as other places are known. A restricted service keeps its own, with what other places add. */
export function adviceFor(code: VerdictCode, view: ScopeView, language: Language): Advice {
  const usual = ADVICE[language][code];
  const { scope } = view;
  if (scope === "none" || scope === "unknown" || scope === "path") return usual;
  const known = SCOPE_ADVICE[language][scope];
  if (OPEN_CODES.has(code)) return known;
  if (code !== "restricted_fail") return usual;
  const { isDown, isMe, advice } = known;
  return scope === "network" ? { ...usual, isDown, isMe, advice } : { ...usual, isDown };
}

/**
 * Where a service fails, in one sentence, for the verdicts whose cause it can tell. Others have their own: an answer with an error says
 * that the service can be reached, and a known restriction leaves no doubt about blocking.
 */
export function describeScopeOf(
  code: VerdictCode,
  view: ScopeView,
  language: Language,
): string | undefined {
  const isRestricted = code === "restricted_fail";
  if (!isRestricted && !OPEN_CODES.has(code)) return undefined;
  return describeScope(view, language, isRestricted);
}
