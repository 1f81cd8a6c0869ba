import type { VerdictCode } from "../../contract/codes/verdict.ts";
import type { Signals } from "./signals.ts";

/** Holds if the signal has this value. */
export type Clause = {
  [S in keyof Signals]: { readonly signal: S; readonly is: Signals[S] };
}[keyof Signals];

/** When a verdict is `live`. */
export type LiveRule = "always" | "never" | "if-surging" | "if-surging-or-recent";

/** Fires if all clauses of at least one alternative hold. */
interface DecisionRow {
  /** Stable name, for evidence and documentation. */
  readonly id: string;
  readonly anyOf: readonly (readonly Clause[])[];
  readonly code: VerdictCode;
  readonly live: LiveRule;
}

/** An alternative without clauses always holds. */
interface UnconditionalRow extends DecisionRow {
  readonly anyOf: readonly [readonly []];
}

const STALE: Clause = { signal: "isFresh", is: false };
const FAILING: Clause = { signal: "checkClass", is: "failing" };
const PARTIAL: Clause = { signal: "checkClass", is: "partial" };
const SURGE: Clause = { signal: "isSurging", is: true };
const RECENT: Clause = { signal: "isOld", is: false };
const RESTRICTED: Clause = { signal: "access", is: "restricted" };
const FREE: Clause = { signal: "access", is: "none" };
const LIMITED: Clause = { signal: "access", is: "partial_ru" };
const SLOWED: Clause = { signal: "access", is: "slowed_ru" };
const BLOCKED: Clause = { signal: "isBlocked", is: true };
const PROVIDER: Clause = { signal: "hasProvider", is: true };
const SERVER_ERROR: Clause = { signal: "checkClass", is: "server-error" };
const DENIED: Clause = { signal: "checkClass", is: "provider-denied" };
const SLOW: Clause = { signal: "checkClass", is: "slow" };

/** The last row, so that all signals have a verdict. */
export const OTHERWISE = {
  id: "ok",
  anyOf: [[]],
  code: "ok",
  live: "never",
} as const satisfies UnconditionalRow;

/**
 * The first row that fires wins. A measured failure beats a surge, and a surge beats any milder annotation but never makes a colour
 * milder. The type requires the last row to be unconditional. Source: docs/services/verdicts.md, "Decision table".
 */
export const TABLE = [
  { id: "stale-surge", anyOf: [[STALE, SURGE]], code: "spike", live: "always" },
  { id: "stale", anyOf: [[STALE]], code: "none", live: "never" },
  {
    id: "failing-restricted",
    anyOf: [[FAILING, RESTRICTED]],
    code: "restricted_fail",
    live: "if-surging",
  },
  {
    id: "failing-blocked",
    anyOf: [[FAILING, BLOCKED]],
    code: "restricted_fail",
    live: "if-surging-or-recent",
  },
  { id: "failing-recent", anyOf: [[FAILING, RECENT]], code: "fail", live: "always" },
  { id: "failing-long", anyOf: [[FAILING]], code: "fail_long", live: "if-surging" },
  { id: "server-error", anyOf: [[SERVER_ERROR]], code: "err", live: "if-surging-or-recent" },
  { id: "denied", anyOf: [[DENIED]], code: "provider", live: "if-surging" },
  {
    id: "partial",
    anyOf: [
      [PARTIAL, FREE],
      [PARTIAL, LIMITED, RECENT],
      [PARTIAL, SLOWED, RECENT],
    ],
    code: "partial",
    live: "if-surging-or-recent",
  },
  { id: "restricted", anyOf: [[RESTRICTED]], code: "restricted", live: "if-surging" },
  { id: "surge", anyOf: [[SURGE]], code: "spike", live: "always" },
  { id: "partial-ru", anyOf: [[LIMITED]], code: "partial_ru", live: "never" },
  { id: "slowed-ru", anyOf: [[SLOWED]], code: "slowed_ru", live: "never" },
  { id: "slow", anyOf: [[SLOW]], code: "slow", live: "never" },
  { id: "provider", anyOf: [[PROVIDER]], code: "provider", live: "never" },
  OTHERWISE,
] as const satisfies readonly [...DecisionRow[], UnconditionalRow];

/** The first row that fires, with its number from 1 and the clauses of the first alternative that holds; the last row always fires. */
export function fire(signals: Signals) {
  for (const [index, row] of TABLE.entries()) {
    const alternatives: readonly (readonly Clause[])[] = row.anyOf;
    const met = alternatives.find((clauses) => clauses.every((clause) => holds(clause, signals)));
    if (met !== undefined) return { row, rowNumber: index + 1, met };
  }
  return { row: OTHERWISE, rowNumber: TABLE.length, met: [] };
}

export function holds(clause: Clause, signals: Signals): boolean {
  return signals[clause.signal] === clause.is;
}
