/** Settings or files that the user has to fix: exit code 2, with every problem listed and nothing probed. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  /** One sentence each. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    // Two parts that read one option find the same problem.
    this.problems = [...new Set(problems.flatMap((problem) => problem.split("\n")))];
  }
}

/** Recognised by name, so that their modules need not be loaded. */
const EXPECTED: ReadonlySet<string> = new Set([
  "StoreError",
  "StateError",
  "ListenError",
  "JournalError",
  "LedgerError",
  "WebsiteError",
  "EngineError",
]);

/** Whether a disk, a port or a state file failed, and the message says what to fix. Any other error is a defect. */
export function isExpectedFailure(error: unknown): error is Error {
  return error instanceof Error && EXPECTED.has(error.name);
}
