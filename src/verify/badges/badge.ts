import { checkBadgeAgreement } from "./badge-agreement.ts";
import { checkBadgeBodies } from "./badge-bodies.ts";
import type { Client } from "../http/client.ts";
import { checkConditional } from "../http/conditional.ts";
import {
  type ReceivedAnswer,
  type Exchange,
  findStatusProblems,
  hasStatus,
  ORIGIN,
} from "../http/http-exchange.ts";
import { type CheckFinding, toFinding, mergeFindings } from "../finding.ts";
import { checkHeaders } from "../http/headers.ts";
import { checkHead } from "../http/methods.ts";
import type { CheckId } from "../api/checks.ts";
import type { Settling } from "../http/settle.ts";
import { BADGE_NAMES, type BadgeName, badgePath } from "../api/specification.ts";

/** One badge of each type, because a front may treat types differently. */
const ONE_OF_EACH: ReadonlySet<BadgeName> = new Set(["badge.svg", "badge.png", "badge.json"]);

/** Names that a wrong mapping may serve as well. `badge-30d.svg` is not published, because it would equal `badge.svg`. */
const NO_BADGES = ["badge-30d.svg", "badge-24h.png", "badge-24h.json", "badge"] as const;

/** Checks the badges of a public monitor. */
export async function checkBadges(
  client: Client,
  id: string,
  settling: Settling,
): Promise<readonly CheckFinding[]> {
  const read = (name: BadgeName): Promise<Exchange> =>
    client.send({ method: "GET", target: badgePath(id, name) });
  const readings = await Promise.all(
    BADGE_NAMES.map(async (name): Promise<Reading> => {
      const target = badgePath(id, name);
      const withOrigin = client.send({ method: "GET", target, headers: ORIGIN });
      return { name, exchanges: await Promise.all([read(name), withOrigin]) };
    }),
  );
  const answers = readings.flatMap(({ name, exchanges }): [BadgeName, ReceivedAnswer][] => {
    const answer = exchanges.find((exchange) => hasStatus(exchange, 200));
    return hasStatus(answer, 200) ? [[name, answer]] : [];
  });
  const [main, ...others] = readings.map(({ exchanges }) => findStatusProblems(exchanges, [200]));
  const reachable = toFinding("badge.reachable", main ?? [], badgePath(id, BADGE_NAMES[0]));
  // Without any badge, all other checks would repeat the same problem.
  if (answers.length === 0) return [reachable];
  return [
    reachable,
    toFinding("badge.kinds", others.flat(), BADGE_NAMES.slice(1).join(", ")),
    ...checkBadgeBodies(new Map(answers)),
    ...(await Promise.all([
      checkOthers(client, id),
      checkBadgeAgreement(read, new Map(answers), settling),
      checkEach("badge.head", (target) => checkHead(client, "badge.head", target), id, answers),
      checkEach(
        "badge.conditional",
        (target) => checkConditional(client, "badge.conditional", target),
        id,
        answers,
      ),
    ])),
    ...checkHeaders(
      "badge",
      readings.flatMap(({ exchanges }) => exchanges),
    ),
  ];
}

interface Reading {
  readonly name: BadgeName;
  /** Without `Origin`, and with it. */
  readonly exchanges: readonly Exchange[];
}

async function checkEach(
  check: CheckId,
  checkOne: (target: string) => Promise<CheckFinding>,
  id: string,
  answers: readonly (readonly [BadgeName, ReceivedAnswer])[],
): Promise<CheckFinding> {
  const names = answers.map(([name]) => name).filter((name) => ONE_OF_EACH.has(name));
  return mergeFindings(
    check,
    await Promise.all(
      names.map(async (name): Promise<[string, CheckFinding]> => [
        name,
        await checkOne(badgePath(id, name)),
      ]),
    ),
  );
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
  const exchanges = await Promise.all(
    targets.map((target) => client.send({ method: "GET", target })),
  );
  return toFinding("badge.others", findStatusProblems(exchanges, [404]), targets.join(" "));
}
