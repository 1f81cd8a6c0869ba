/** The user has to mend something before anything can be done: exit code 2, every problem listed, nothing probed. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** One sentence each, in the order in which the user meets them. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    // Two readers of one option meet the same problem.
    this.problems = [...new Set(problems.flatMap((problem) => problem.split("\n")))];
  }
}

/** Told by name, so that the shell need not load what throws them. */
const EXPECTED: ReadonlySet<string> = new Set([
  "StoreError",
  "StateError",
  "ListenError",
  "JournalError",
]);

/** Whether the world around us failed (a disk, a port, a state file), and its message says what to mend. Anything else is a defect. */
export function isExpectedFailure(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.name);
}
