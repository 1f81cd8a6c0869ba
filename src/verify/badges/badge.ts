import { type BadgeReading, readBadge, type Size, type Svg } from "./read-badge.ts";
import { BADGE_NAMES, type BadgeName, badgePath } from "../api/addresses.ts";
import type { CheckId } from "../checks.ts";
import {
  about,
  type CheckFinding,
  settle,
  type Settling,
  skip,
  toFinding,
  unless,
} from "../finding.ts";
import {
  type Client,
  type Exchange,
  findStatusProblems,
  hasStatus,
  headerOf,
  ORIGIN,
  type ReceivedAnswer,
} from "../http/client.ts";
import { checkHeaders } from "../http/headers.ts";
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
      return [name, await Promise.all([client.get(target), client.get(target, ORIGIN)])] as const;
    }),
  );
  const all = readings.flatMap(([, exchanges]) => exchanges);
  const badges = badgesIn(readings);
  const [main, ...others] = readings.map(([, exchanges]) => findStatusProblems(exchanges, [200]));
  const reachable = toFinding("badge.reachable", main ?? [], badgePath(id, BADGE_NAMES[0]));
  // Without any badge, all other checks would repeat the same problem.
  if (badges.size === 0) return [reachable];
  const there = ONE_OF_EACH.filter((name) => badges.has(name));
  return [
    reachable,
    toFinding("badge.kinds", others.flat(), BADGE_NAMES.slice(1).join(", ")),
    ...checkBadgeBodies([...badges.values()]),
    ...(await Promise.all([
      checkOthers(client, id),
      checkBadgeAgreement(client, id, badges, settling),
      checkVariant(client, "badge.head", checkHead, id, there),
      checkVariant(client, "badge.conditional", checkConditional, id, there),
    ])),
    ...checkHeaders("badge", all),
  ];
}

/** What `checkOne` finds of any of some badges. It is skipped only if all of them are. */
async function checkVariant(
  client: Client,
  check: CheckId,
  checkOne: typeof checkHead,
  id: string,
  names: readonly BadgeName[],
): Promise<CheckFinding> {
  const findings = await Promise.all(
    names.map(async (name) => ({ name, ...(await checkOne(client, check, badgePath(id, name))) })),
  );
  const done = findings.filter(({ result }) => result !== "skip");
  if (done.length === 0) return skip(check, findings[0]?.seen ?? "");
  const problems = done.flatMap(({ name, problems: all }) => about(name, all));
  return toFinding(check, problems, done.map(({ name }) => name).join(", "));
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
  const exchanges = await client.getAll(targets);
  return toFinding("badge.others", findStatusProblems(exchanges, [404]), targets.join(" "));
}

interface Badge extends BadgeReading {
  readonly name: BadgeName;
  readonly answer: ReceivedAnswer;
}

type Badges = ReadonlyMap<BadgeName, Badge>;

/** The badges that were 200, by name: of each the first such response. */
function badgesIn(readings: readonly (readonly [BadgeName, readonly Exchange[]])[]): Badges {
  return new Map(
    readings.flatMap(([name, exchanges]): [BadgeName, Badge][] => {
      const answer = exchanges.find((exchange) => hasStatus(exchange, 200));
      if (answer === undefined) return [];
      return [[name, { name, answer, ...readBadge(name, answer.body) }]];
    }),
  );
}

/** Checks the content of each badge. A badge that cannot be parsed fails the check of its format and no other. */
function checkBadgeBodies(badges: readonly Badge[]): readonly CheckFinding[] {
  const ofType = (extension: string): readonly Badge[] =>
    badges.filter(({ name }) => name.endsWith(extension));
  return [
    checkAll("badge.svg", ofType(".svg"), ({ problems }) => problems),
    checkAll("badge.policy", ofType(".svg"), ({ answer }) => findPolicyProblems(answer)),
    checkAll("badge.title", ofType(".svg").filter(isRead), ({ svg }) => findTitleProblems(svg)),
    checkAll("badge.json", ofType(".json"), ({ problems }) => problems),
    checkAll("badge.png", ofType(".png"), ({ problems }) => problems),
    checkAll("badge.value", badges.filter(isRead), findValueProblems),
  ];
}

function isRead({ svg, shield }: Badge): boolean {
  return svg !== undefined || shield !== undefined;
}

function checkAll(
  id: CheckId,
  badges: readonly Badge[],
  find: (badge: Badge) => readonly string[],
): CheckFinding {
  if (badges.length === 0) return skip(id, "no badge of this type could be read");
  const problems = badges.flatMap((badge) => about(badge.name, find(badge)));
  return toFinding(id, problems, badges.map(({ name }) => name).join(", "));
}

/** Screen readers and tooltips need texts, because the letters of a badge may be outlines. */
function findTitleProblems({ role, ariaLabel, title = "" }: Partial<Svg> = {}): readonly string[] {
  const shown = JSON.stringify(ariaLabel ?? "absent");
  return [
    ...unless(role === "img", `the role is ${JSON.stringify(role ?? "absent")}, not img`),
    ...unless(title.trim() !== "", "the root has no <title>"),
    ...unless(ariaLabel === title, `aria-label is ${shown}, the title ${JSON.stringify(title)}`),
  ];
}

/**
 * `100%`, two decimals, or "no data" in either language. `100.00%` does not match: 100% means that no check failed. Source: docs/verify.md.
 */
const VALUE = /^(?:100%|\d{1,2}\.\d{2}%|нет данных|no data)$/u;

/** The value is the message of the JSON, and the part of a title after the label. */
function findValueProblems({ svg, shield }: BadgeReading): readonly string[] {
  const value = shield?.message ?? svg?.title?.split(": ").at(-1);
  return unless(value === undefined || VALUE.test(value), `it says ${JSON.stringify(value)}`);
}

/**
 * Scripts are forbidden by `script-src 'none'`, by `default-src 'none'` without a `script-src`, or by a sandbox without
 * `allow-scripts`. Source: CSP Level 3.
 */
function findPolicyProblems(answer: ReceivedAnswer): readonly string[] {
  const shown = headerOf(answer, "content-security-policy");
  if (shown === undefined) return ["no Content-Security-Policy"];
  const parts = shown.toLowerCase().split(/[;,]/u);
  const directives = new Map(
    parts.map((part): [string, string] => {
      const [name = "", ...values] = part.trim().split(/\s+/u);
      return [name, values.join(" ")];
    }),
  );
  const scripts = directives.get("script-src") ?? directives.get("default-src");
  const sandbox = directives.get("sandbox") ?? "allow-scripts";
  const isSafe = scripts === "'none'" || !sandbox.includes("allow-scripts");
  return unless(isSafe, `Content-Security-Policy is ${shown}`);
}

/** The badges that show the same window. */
const SAME_WINDOW: readonly BadgeName[] = ["badge.svg", "badge.json", "badge.png"];

/** Checks that `badge.svg`, `badge.json` and `badge.png` show the same. */
async function checkBadgeAgreement(
  client: Client,
  id: string,
  first: Badges,
  settling: Settling,
): Promise<CheckFinding> {
  const problems = findDisagreements(first);
  if (problems === undefined)
    return skip("badge.agrees", "badge.svg or the others could not be read");
  return settle("badge.agrees", SAME_WINDOW.join(", "), settling, problems, async () => {
    const again = SAME_WINDOW.map(
      async (name) => [name, [await client.get(badgePath(id, name))]] as const,
    );
    return findDisagreements(badgesIn(await Promise.all(again)));
  });
}

/** Undefined if no two badges could be read and compared. */
function findDisagreements(badges: Badges): readonly string[] | undefined {
  const [picture, words, raster] = SAME_WINDOW.map((name) => badges.get(name));
  const { title, size } = picture?.svg ?? {};
  const isTold = title !== undefined && words?.shield !== undefined;
  const isSized = size !== undefined && raster?.pngSize !== undefined;
  if (!isTold && !isSized) return undefined;
  return [
    ...(isTold ? findWordProblems(title, words.shield) : []),
    ...(isSized ? findSizeProblems(size, raster.pngSize) : []),
  ];
}

/** The title has label and message. Shields omits an empty label. */
function findWordProblems(
  title: string,
  { label, message }: { readonly label: string; readonly message: string },
): readonly string[] {
  const expected = label === "" ? message : `${label}: ${message}`;
  const [shown, told] = [JSON.stringify(title), JSON.stringify(expected)];
  return unless(title === expected, `the title of badge.svg is ${shown}, badge.json says ${told}`);
}

/** A fractional width may be rounded up before or after it is doubled. */
const ROUNDING_PX = 2;

function findSizeProblems(svg: Size, png: Size): readonly string[] {
  const isDouble = svg.every((side, index) => Math.abs((png[index] ?? 0) - 2 * side) < ROUNDING_PX);
  return unless(isDouble, `badge.png has ${png.join(" × ")} pixels, badge.svg ${svg.join(" × ")}`);
}
