import { UsageError } from "./errors.ts";

/** A value, or a sentence on what to fix. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

type Settled<All> = {
  readonly [Key in keyof All]: Extract<All[Key], { readonly value: unknown }>["value"];
};

/** Collects the problems of several settings, so that a user sees all of them at once. */
export type ProblemCollector = ReturnType<typeof collectProblems>;

/** Whether a problem is of the option of this name. */
export function startsWithName(problem: string, name: string): boolean {
  return problem.startsWith(name) && /^(?![\w-])/u.test(problem.slice(name.length));
}

export function collectProblems() {
  const problems: string[] = [];
  const addProblem = (problem: string): void => void problems.push(problem);
  const isWrong = (option: string): boolean =>
    problems.some((problem) => startsWithName(problem, option));
  const throwIfAny = (): void => {
    if (problems.length > 0) throw new UsageError(problems);
  };
  return {
    /** The value; undefined if there is a problem, which is added. */
    unwrap: <T>(parsed: Parsed<T>): T | undefined => {
      if ("value" in parsed) return parsed.value;
      addProblem(parsed.problem);
      return undefined;
    },
    addProblem,
    /** Whether there is a problem with an option. */
    isWrong,
    /** Adds that an option is missing, unless it was given and is wrong. */
    need: (option: string, value: unknown, what: string): void => {
      if (value === undefined && !isWrong(option))
        addProblem(`${option} is missing: give ${what}.`);
    },
    /** Throws one `UsageError` with every problem; returns if there is none. */
    throwIfAny,
    /** The values of all settings. Throws one `UsageError` with their problems and all earlier ones. */
    settle: <All extends Readonly<Record<string, Parsed<unknown>>>>(
      settings: All,
    ): Settled<All> => {
      const values = Object.entries(settings).flatMap(([key, parsed]) => {
        if ("value" in parsed) return [[key, parsed.value]];
        addProblem(parsed.problem);
        return [];
      });
      throwIfAny();
      // Without a problem, each setting has its value.
      return Object.fromEntries(values) as Settled<All>;
    },
  };
}
