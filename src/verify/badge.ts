import { type BadgeSettling, judgeBadgeAgreement } from "./badge-agreement.ts";
import { judgeBadgeBodies } from "./badge-bodies.ts";
import type { Client } from "./client.ts";
import { judgeConditional } from "./conditional.ts";
import { type Answer, type Exchange, findStatusProblems, hasStatus, ORIGIN } from "./exchange.ts";
import { type Finding, judge, mergeFindings } from "./finding.ts";
import { judgeHeaders } from "./headers.ts";
import { judgeHead } from "./methods.ts";
import type { PointId } from "./points.ts";
import { BADGE_NAMES, type BadgeName, badgePath } from "./specification.ts";

/** One of each type, for what a front does by type. */
const ONE_OF_EACH: ReadonlySet<BadgeName> = new Set(["badge.svg", "badge.png", "badge.json"]);

/** Names that a careless front or store would answer as well. The window of `badge.svg` has no second name. */
const NO_BADGES = ["badge-30d.svg", "badge-24h.png", "badge-24h.json", "badge"] as const;

/** Judges the badges of a monitor whose page is public. */
export async function judgeBadges(
  client: Client,
  id: string,
  settling: BadgeSettling,
): Promise<readonly Finding[]> {
  const read = (name: BadgeName): Promise<Exchange> =>
    client.send({ method: "GET", target: badgePath(id, name) });
  const readings = await Promise.all(
    BADGE_NAMES.map(async (name): Promise<Reading> => {
      const target = badgePath(id, name);
      const withOrigin = client.send({ method: "GET", target, headers: ORIGIN });
      return { name, exchanges: await Promise.all([read(name), withOrigin]) };
    }),
  );
  const answers = readings.flatMap(({ name, exchanges }): [BadgeName, Answer][] => {
    const answer = exchanges.find((exchange) => hasStatus(exchange, 200));
    return hasStatus(answer, 200) ? [[name, answer]] : [];
  });
  const [main, ...others] = readings.map(({ exchanges }) => findStatusProblems(exchanges, [200]));
  const reachable = judge("badge.reachable", main ?? [], badgePath(id, BADGE_NAMES[0]));
  // Whatever else is missing of badges that are not there would only repeat that.
  if (answers.length === 0) return [reachable];
  return [
    reachable,
    judge("badge.kinds", others.flat(), BADGE_NAMES.slice(1).join(", ")),
    ...judgeBadgeBodies(new Map(answers)),
    ...(await Promise.all([
      judgeOthers(client, id),
      judgeBadgeAgreement(read, new Map(answers), settling),
      judgeEach("badge.head", (target) => judgeHead(client, "badge.head", target), id, answers),
      judgeEach(
        "badge.conditional",
        (target) => judgeConditional(client, "badge.conditional", target),
        id,
        answers,
      ),
    ])),
    ...judgeHeaders(
      "badge",
      readings.flatMap(({ exchanges }) => exchanges),
    ),
  ];
}

interface Reading {
  readonly name: BadgeName;
  /** Without and with an Origin. */
  readonly exchanges: readonly Exchange[];
}

async function judgeEach(
  point: PointId,
  judgeOne: (target: string) => Promise<Finding>,
  id: string,
  answers: readonly (readonly [BadgeName, Answer])[],
): Promise<Finding> {
  const names = answers.map(([name]) => name).filter((name) => ONE_OF_EACH.has(name));
  return mergeFindings(
    point,
    await Promise.all(
      names.map(async (name): Promise<[string, Finding]> => [
        name,
        await judgeOne(badgePath(id, name)),
      ]),
    ),
  );
}

/** Ids are unique without regard to case, so the same letters in other case are nobody's. Digits alone have no case. */
async function judgeOthers(client: Client, id: string): Promise<Finding> {
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
  return judge("badge.others", findStatusProblems(exchanges, [404]), targets.join(" "));
}
