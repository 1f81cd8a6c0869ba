import type { ToldWith } from "../../model/service/verdict-change.ts";
import type { Language } from "../../contract/codes/language.ts";
import { describeOperators } from "./operators.ts";
import { describePast } from "./past-outages.ts";

/** What is told with a change of a verdict, a sentence each: whose subscribers complain, how long past outages lasted. */
export function describeTold({ past, operators }: ToldWith, language: Language): readonly string[] {
  return [
    ...(operators === undefined ? [] : [describeOperators(operators, language)]),
    ...(past === undefined ? [] : [describePast(past, language)]),
  ];
}
