import type { StoreError } from "../model/store.ts";
import { isStateFailure, type StateError } from "../state/state-file.ts";

/** A check of `doctor`. */
export interface Check extends CheckFinding {
  readonly name: string;
}

export interface CheckFinding {
  readonly result: "ok" | "warn" | "fail";
  /** What was seen, and for anything but `ok` what to fix. */
  readonly detail: string;
}

/** Nothing has to be done. */
export function ok(detail: string): CheckFinding {
  return { result: "ok", detail };
}

/** It works, but needs attention. */
export function warn(detail: string): CheckFinding {
  return { result: "warn", detail };
}

/** It does not work. */
export function fail(detail: string): CheckFinding {
  return { result: "fail", detail };
}

/** What `act` returns, or why a store or a state failed. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | StoreError | StateError> {
  try {
    return await act();
  } catch (error) {
    if (isStateFailure(error)) return error;
    throw error;
  }
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
