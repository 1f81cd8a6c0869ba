import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Starts the slowest files first, because a late one would run alone at the end.
 * @param names of files below `test/`, without `.test.ts`, slowest first.
 */
export function longestFirst(names: readonly string[]): typeof BaseSequencer {
  const rankOf = ({ moduleId }: TestSpecification): number => {
    const rank = names.findIndex((name) => moduleId.endsWith(`test/${name}.test.ts`));
    return rank === -1 ? names.length : rank;
  };
  return class extends BaseSequencer {
    override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return Promise.resolve(files.toSorted((a, b) => rankOf(a) - rankOf(b)));
    }
  };
}
