import { type ReceivedAnswer, headerOf } from "../http/http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "../finding.ts";
import { readPng } from "./png.ts";
import type { CheckId } from "../api/checks.ts";
import { readShields } from "./shields.ts";
import { BADGE_VALUE, type BadgeName } from "../api/specification.ts";
import { readSvg, type Svg } from "./svg.ts";

/** Badges, each with a value of the same type. */
type Each<T> = readonly (readonly [name: BadgeName, value: T])[];

/** Checks the content of each badge. A badge that cannot be parsed fails the check of its format and no other. */
export function checkBadgeBodies(
  answers: ReadonlyMap<BadgeName, ReceivedAnswer>,
): readonly CheckFinding[] {
  const pictures = [...answers].filter(([name]) => name.endsWith(".svg"));
  const json = [...answers].filter(([name]) => name.endsWith(".json"));
  const png = [...answers].filter(([name]) => name.endsWith(".png"));
  const svgs = pictures.flatMap(([name, { body }]): [BadgeName, Svg][] => {
    const reading = readSvg(body);
    return reading.kind === "svg" ? [[name, reading]] : [];
  });
  return [
    checkAllBodies("badge.svg", pictures, findPictureProblems),
    checkAllBodies("badge.policy", pictures, findPolicyProblems),
    checkAllBodies("badge.title", svgs, findTitleProblems),
    checkAllBodies("badge.json", json, findShieldsProblems),
    checkAllBodies("badge.png", png, findPngProblems),
    checkAllBodies(
      "badge.value",
      [...findTitleValues(svgs), ...findMessages(json)],
      findValueProblems,
    ),
  ];
}

function checkAllBodies<T>(
  check: CheckId,
  badges: Each<T>,
  findProblems: (badge: T) => readonly string[],
): CheckFinding {
  if (badges.length === 0) return skip(check, "no badge of this type could be read");
  const problems = badges.flatMap(([name, badge]) =>
    findProblems(badge).map((problem) => `${name}: ${problem}`),
  );
  return toFinding(check, problems, badges.map(([name]) => name).join(", "));
}

function findPictureProblems({ body }: ReceivedAnswer): readonly string[] {
  const reading = readSvg(body);
  return reading.kind === "svg" ? reading.problems : [reading.reason];
}

/** Screen readers and tooltips need texts, because the letters of a badge may be outlines. */
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

function findShieldsProblems({ body }: ReceivedAnswer): readonly string[] {
  const reading = readShields(body);
  return reading.kind === "badge" ? [] : reading.problems;
}

function findPngProblems({ body }: ReceivedAnswer): readonly string[] {
  const reading = readPng(body);
  return reading.kind === "png" ? [] : [reading.reason];
}

/** The part of each title after the label. */
function findTitleValues(svgs: Each<Svg>): Each<string> {
  return svgs.flatMap(([name, { title }]): [BadgeName, string][] =>
    title === undefined ? [] : [[name, title.split(": ").at(-1) ?? ""]],
  );
}

function findMessages(json: Each<ReceivedAnswer>): Each<string> {
  return json.flatMap(([name, { body }]): [BadgeName, string][] => {
    const reading = readShields(body);
    return reading.kind === "badge" ? [[name, reading.message]] : [];
  });
}

function findValueProblems(value: string): readonly string[] {
  return BADGE_VALUE.test(value) ? [] : [`it says ${JSON.stringify(value)}`];
}

/**
 * Scripts are forbidden by `script-src 'none'`, by `default-src 'none'` without a `script-src`, or by a sandbox without
 * `allow-scripts`. Source: CSP Level 3.
 */
function findPolicyProblems(answer: ReceivedAnswer): readonly string[] {
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
