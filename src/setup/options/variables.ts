import { suggestWord } from "../../yaml/suggest.ts";
import { ENV_PREFIX } from "./option-row.ts";
import { ALL_ROWS } from "./options.ts";

/** Of a unit beside the program, which reads the same file of settings: deploy/systemd/status-snapshot-alarm@.service. */
const OF_UNITS = ["ALARM_URL"];

/** A variable that no option has is a typing mistake, which would change nothing and be seen by no one. One sentence each. */
export function findUnknown(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = [...new Set([...ALL_ROWS.flatMap(({ variable }) => variable ?? []), ...OF_UNITS])];
  return Object.entries(env)
    .filter(([name, value]) => name.startsWith(ENV_PREFIX) && value !== "")
    .map(([name]) => name)
    .map((name) => name.slice(ENV_PREFIX.length))
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
