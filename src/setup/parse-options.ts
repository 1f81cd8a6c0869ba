import { UsageError } from "./errors.ts";

/** A value, or a sentence on what to fix. */
export type Parsed<T> = { readonly value: T } | { readonly problem: string };

/** What is read by means of a setting, such as the file that it names; its problem if it has one. */
export async function readBy<T, U>(
  setting: Parsed<T>,
  read: (value: T) => Promise<Parsed<U>>,
): Promise<Parsed<U>> {
  return "value" in setting ? read(setting.value) : setting;
}

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
  const addProblem = (problem: string): void => {
    if (!problems.includes(problem)) problems.push(problem);
  };
  const problemWith = (option: string): { readonly problem: string } | undefined => {
    const problem = problems.find((one) => startsWithName(one, option));
    return problem === undefined ? undefined : { problem };
  };
  const throwIfAny = (): void => {
    if (problems.length > 0) throw new UsageError(problems);
  };
  /** The value; undefined if there is a problem, which is added. */
  const unwrap = <T>(parsed: Parsed<T>): T | undefined => {
    if ("value" in parsed) return parsed.value;
    addProblem(parsed.problem);
    return undefined;
  };
  return {
    unwrap,
    addProblem,
    /** The first problem with an option; undefined if there is none. */
    problemWith,
    isWrong: (option: string): boolean => problemWith(option) !== undefined,
    /** The value of an option that has to be given. An option that was given and is wrong is not missing as well. */
    need: <T>(option: string, value: T | undefined, what: string): Parsed<T> => {
      if (value !== undefined) return { value };
      return problemWith(option) ?? { problem: `${option} is missing: give ${what}.` };
    },
    /** Throws one `UsageError` with every problem; returns if there is none. */
    throwIfAny,
    /** The values of all settings. Throws one `UsageError` with their problems and all earlier ones. */
    settle: <All extends Readonly<Record<string, Parsed<unknown>>>>(
      settings: All,
    ): Settled<All> => {
      const values = Object.entries(settings).map(([key, parsed]) => [key, unwrap(parsed)]);
      throwIfAny();
      // Without a problem, each setting has its value.
      return Object.fromEntries(values) as Settled<All>;
    },
  };
}
