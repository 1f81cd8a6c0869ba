/** A check of `doctor`. */
export interface Check {
  readonly name: string;
  /** `warn`: works, but needs attention. */
  readonly result: "ok" | "warn" | "fail";
  /** What was seen, and for anything but `ok` what to fix. */
  readonly detail: string;
}

/** One line per check, and a summary. Ends without a line break. */
export function renderChecks(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const lines = checks.map(
    ({ name, result, detail }) => `${result.padEnd(4)}  ${name.padEnd(width)}  ${detail}`,
  );
  const count = (wanted: Check["result"]): number =>
    checks.filter(({ result }) => result === wanted).length;
  const summary =
    count("fail") > 0
      ? `${count("fail")} of ${checks.length} checks failed. Fix what they say before going to production.`
      : `All ${checks.length} checks passed${count("warn") > 0 ? `, ${count("warn")} with a warning` : ""}.`;
  return `${lines.join("\n")}\n\n${summary}`;
}
