import { checkBadgeAgreement, checkBadgeBodies, thereOf } from "./badge-bodies.ts";
import { BADGE_NAMES, type BadgeName, badgePath } from "../api/addresses.ts";
import { type CheckFinding, mergeFindings, type Settling, toFinding } from "../finding.ts";
import type { Client } from "../http/client.ts";
import { checkHeaders } from "../http/headers.ts";
import { findStatusProblems, hasStatus, ORIGIN } from "../http/http-exchange.ts";
import { checkConditional, checkHead } from "../http/variants.ts";

/** One badge of each type, because a front may treat types differently. */
const ONE_OF_EACH: readonly BadgeName[] = ["badge.svg", "badge.png", "badge.json"];

/** Names that a wrong mapping may serve as well. `badge-30d.svg` is not published, because it would equal `badge.svg`. */
const NO_BADGES = ["badge-30d.svg", "badge-24h.png", "badge-24h.json", "badge"] as const;

/** Checks the badges of a public monitor. */
export async function checkBadges(
  client: Client,
  id: string,
  settling: Settling,
): Promise<readonly CheckFinding[]> {
  const readings = await Promise.all(
    BADGE_NAMES.map(async (name) => {
      const target = badgePath(id, name);
      // Without `Origin`, and with it.
      return {
        name,
        exchanges: await Promise.all([client.get(target), client.get(target, ORIGIN)]),
      };
    }),
  );
  const answers = thereOf(
    readings.flatMap(({ name, exchanges }) => {
      const answer = exchanges.find((exchange) => hasStatus(exchange, 200));
      return answer === undefined ? [] : [[name, answer] as const];
    }),
  );
  const [main, ...others] = readings.map(({ exchanges }) => findStatusProblems(exchanges, [200]));
  const reachable = toFinding("badge.reachable", main ?? [], badgePath(id, BADGE_NAMES[0]));
  // Without any badge, all other checks would repeat the same problem.
  if (answers.size === 0) return [reachable];
  const there = ONE_OF_EACH.filter((name) => answers.has(name));
  const checkEach = async (
    check: "badge.head" | "badge.conditional",
    checkOne: typeof checkHead,
  ): Promise<CheckFinding> => {
    const parts = there.map(
      async (name) => [name, await checkOne(client, check, badgePath(id, name))] as const,
    );
    return mergeFindings(check, await Promise.all(parts));
  };
  return [
    reachable,
    toFinding("badge.kinds", others.flat(), BADGE_NAMES.slice(1).join(", ")),
    ...checkBadgeBodies(answers),
    ...(await Promise.all([
      checkOthers(client, id),
      checkBadgeAgreement(client, id, answers, settling),
      checkEach("badge.head", checkHead),
      checkEach("badge.conditional", checkConditional),
    ])),
    ...checkHeaders(
      "badge",
      readings.flatMap(({ exchanges }) => exchanges),
    ),
  ];
}

/** Ids are unique regardless of case, so no monitor has the same id in the other case. An id of digits has no other case. */
async function checkOthers(client: Client, id: string): Promise<CheckFinding> {
  const swapped = id.replaceAll(/[a-z]/giu, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  const targets = [
    ...NO_BADGES.map((name) => badgePath(id, name)),
    ...(swapped === id ? [] : [badgePath(swapped, BADGE_NAMES[0])]),
  ];
  const exchanges = await Promise.all(targets.map((target) => client.get(target)));
  return toFinding("badge.others", findStatusProblems(exchanges, [404]), targets.join(" "));
}
