import type { ProblemCollector } from "../parse-options.ts";
import { COMMAND_OPTIONS } from "./command-options.ts";
import { suggestWord } from "../../yaml/suggest.ts";
import {
  attributeOf,
  ENV_PREFIX,
  type Given,
  type OptionGroup,
  type OptionRow,
} from "./option-row.ts";
import { SHARED_OPTIONS } from "./shared-options.ts";

/* Every option of every command. What names an option follows from its row: commander's options, help, values, variables, reference. */

const OPTIONS = { ...SHARED_OPTIONS, ...COMMAND_OPTIONS };

export type GroupName = keyof typeof OPTIONS;

/** The groups by name. */
export const GROUPS: Readonly<Record<GroupName, OptionGroup<Readonly<Record<string, OptionRow>>>>> =
  OPTIONS;

const groups = <const Names extends readonly GroupName[]>(...names: Names): Names => names;

/** Options of every command that publishes. */
export const PUBLISH = groups(
  "settings",
  "catalogue",
  "truth",
  "registry",
  "store",
  "state",
  "cell",
  "website",
  "publish",
  "private",
  "ports",
  "log",
);

/** Options of every command that probes. */
export const PROBE = groups("probe", "private", "ports");

/** What a runner is set up with. */
const RUNNER = groups("run", "exchange", "probe", ...PUBLISH, "engine", "enginePlaces");

/** Options of `run` and `watch`. */
export const RUN = groups("only", ...RUNNER);

/** Options of `intake`, and of `serve` with another port. */
export const INTAKE = groups("probe", "listen", "intake", ...PUBLISH);

/** Options of `vantage` and `vantage watch`. */
export const VANTAGE = groups("vantage", "anchors", ...PROBE, "log");

/** Options of `notify` and `notify watch`. */
export const NOTIFY = groups("channels", "named", "state", "ledger", "notify", ...PROBE, "log");

/** Options of `doctor`: those of what it checks. */
export const DOCTOR = groups("channels", "ledger", ...RUNNER, "doctor", "doctorJson");

type ValuesOf<Rows> = {
  readonly [Key in keyof Rows]: Rows[Key] extends OptionRow<infer T> ? T : never;
};

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;

/** The rows of some groups. */
export function rowsOf(names: readonly GroupName[]): readonly OptionRow[] {
  return [...new Set(names)].flatMap((name) => Object.values(GROUPS[name].rows));
}

/** The rows of all groups. */
export const ALL_ROWS: readonly OptionRow[] = rowsOf(Object.keys(OPTIONS) as GroupName[]);

/** The values of the options of some groups, by the keys of their rows. */
export type Flags<Name extends GroupName> = Together<
  { [One in Name]: ValuesOf<(typeof OPTIONS)[One]["rows"]> }[Name]
>;

export type PublishFlags = Flags<(typeof PUBLISH)[number]> & Partial<Flags<"at">>;
export type ProbeFlags = Flags<(typeof PROBE)[number]> & Partial<Flags<"website">>;
export type MonitorRulesFlags = Flags<"private" | "ports">;
export type RunFlags = Flags<(typeof RUN)[number]> & Partial<Flags<"at">>;
export type IntakeFlags = Flags<(typeof INTAKE)[number]>;
export type VantageFlags = Flags<(typeof VANTAGE)[number]>;
export type NotifyFlags = Flags<(typeof NOTIFY)[number]>;

/**
 * The values of the options of some groups. A wrong text is added to the problems, and the default stands for it, so that the caller can
 * check the rest before it throws all problems.
 *
 * @param given by the names that commander gives to options.
 */
export function readFlags<const Name extends GroupName>(
  names: readonly Name[],
  given: Readonly<Record<string, Given>>,
  { addProblem }: Pick<ProblemCollector, "addProblem">,
): Flags<Name> {
  const values = names.flatMap((name) =>
    Object.entries(GROUPS[name].rows).map(([key, row]) => [
      key,
      row.read(given[attributeOf(row)], addProblem),
    ]),
  );
  // Each key of `Flags` is that of a row whose `read` returns its type.
  return Object.fromEntries(values) as Flags<Name>;
}

/** Of a unit beside the program, which reads the same file of settings: deploy/systemd/status-snapshot-alarm@.service. */
const OF_UNITS = ["ALARM_URL"];

/** A variable that no option has is a typing mistake, which would change nothing and be seen by no one. One sentence each. */
export function findUnknown(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...new Set([...ALL_ROWS.flatMap(({ variable }) => variable ?? []), ...OF_UNITS])];
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(ENV_PREFIX) && value !== "")
    .map(([name]) => name.slice(ENV_PREFIX.length))
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = findMeant(name, known).map((one) => ENV_PREFIX + one);
      const hint = meant.length === 0 ? "remove it." : `did you mean ${meant.join(" or ")}?`;
      return `${ENV_PREFIX}${name}: no option has this variable; ${hint}`;
    });
}

/** The nearest name; otherwise those that have a group in front of it. */
function findMeant(name: string, known: readonly string[]): readonly string[] {
  const near = suggestWord(name, known, known.length);
  return near === undefined ? known.filter((one) => one.endsWith(`_${name}`)) : [near];
}
