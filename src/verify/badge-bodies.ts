import { type Answer, headerOf } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import { readPng } from "./png.ts";
import type { PointId } from "./points.ts";
import { readShields } from "./shields.ts";
import { BADGE_VALUE, type BadgeName } from "./specification.ts";
import { readSvg, type Svg } from "./svg.ts";

/** Something of each badge. */
type Each<T> = readonly (readonly [name: BadgeName, value: T])[];

/** Judges what each badge is by itself. What could not be read as its kind fails there, and is left out everywhere else. */
export function judgeBadgeBodies(answers: ReadonlyMap<BadgeName, Answer>): readonly Finding[] {
  const pictures = [...answers].filter(([name]) => name.endsWith(".svg"));
  const json = [...answers].filter(([name]) => name.endsWith(".json"));
  const png = [...answers].filter(([name]) => name.endsWith(".png"));
  const svgs = pictures.flatMap(([name, { body }]): [BadgeName, Svg][] => {
    const reading = readSvg(body);
    return reading.kind === "svg" ? [[name, reading]] : [];
  });
  return [
    judgeAll("badge.svg", pictures, findPictureProblems),
    judgeAll("badge.policy", pictures, findPolicyProblems),
    judgeAll("badge.title", svgs, findTitleProblems),
    judgeAll("badge.json", json, findShieldsProblems),
    judgeAll("badge.png", png, findPngProblems),
    judgeAll("badge.value", [...findTitleValues(svgs), ...findMessages(json)], findValueProblems),
  ];
}

function judgeAll<T>(
  point: PointId,
  badges: Each<T>,
  findProblems: (badge: T) => readonly string[],
): Finding {
  if (badges.length === 0) return skip(point, "nothing of that kind could be read");
  const problems = badges.flatMap(([name, badge]) =>
    findProblems(badge).map((problem) => `${name}: ${problem}`),
  );
  return judge(point, problems, badges.map(([name]) => name).join(", "));
}

function findPictureProblems({ body }: Answer): readonly string[] {
  const reading = readSvg(body);
  return reading.kind === "svg" ? reading.problems : [reading.reason];
}

/** What screen readers and tooltips are given instead of the outlines of letters. */
function findTitleProblems({ role, ariaLabel, title = "" }: Svg): readonly string[] {
  return [
    ...(role === "img" ? [] : [`the role is ${JSON.stringify(role ?? "absent")}, not img`]),
    ...(title.trim() === "" ? ["there is no <title> in the root"] : []),
    ...(ariaLabel === title
      ? []
      : [
          `aria-label is ${JSON.stringify(ariaLabel ?? "absent")}, the title ${JSON.stringify(title)}`,
        ]),
  ];
}

function findShieldsProblems({ body }: Answer): readonly string[] {
  const reading = readShields(body);
  return reading.kind === "badge" ? [] : reading.problems;
}

function findPngProblems({ body }: Answer): readonly string[] {
  const reading = readPng(body);
  return reading.kind === "png" ? [] : [reading.reason];
}

/** What stands after the label. */
function findTitleValues(svgs: Each<Svg>): Each<string> {
  return svgs.flatMap(([name, { title }]): [BadgeName, string][] =>
    title === undefined ? [] : [[name, title.split(": ").at(-1) ?? ""]],
  );
}

function findMessages(json: Each<Answer>): Each<string> {
  return json.flatMap(([name, { body }]): [BadgeName, string][] => {
    const reading = readShields(body);
    return reading.kind === "badge" ? [[name, reading.message]] : [];
  });
}

function findValueProblems(value: string): readonly string[] {
  return BADGE_VALUE.test(value) ? [] : [`it says ${JSON.stringify(value)}`];
}

/** Scripts are forbidden by `script-src` (or `default-src` in its place) 'none', or by a sandbox without scripts. Source: CSP Level 3. */
function findPolicyProblems(answer: Answer): readonly string[] {
  const shown = headerOf(answer, "content-security-policy");
  if (shown === undefined) return ["no Content-Security-Policy"];
  const directives = new Map(
    shown
      .toLowerCase()
      .split(/[;,]/u)
      .map((part): [string, string] => {
        const [name = "", ...values] = part.trim().split(/\s+/u);
        return [name, values.join(" ")];
      }),
  );
  const scripts = directives.get("script-src") ?? directives.get("default-src");
  const sandbox = directives.get("sandbox");
  if (scripts === "'none'") return [];
  if (sandbox !== undefined && !sandbox.includes("allow-scripts")) return [];
  return [`Content-Security-Policy is ${shown}`];
}
