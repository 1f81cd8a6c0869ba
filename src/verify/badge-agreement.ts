import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { type Exchange, hasStatus } from "./http-exchange.ts";
import { type CheckFinding, toFinding, skip } from "./finding.ts";
import { readPng } from "./png.ts";
import { readShields } from "./shields.ts";
import type { BadgeName } from "./specification.ts";
import { readSvg } from "./svg.ts";

/** Responses by object of a monitor. */
export type BadgeExchanges = ReadonlyMap<BadgeName, Exchange>;

/** When to read again badges that disagree. */
export interface BadgeSettling {
  readonly settleWaitsMs: readonly number[];
  readonly signal: AbortSignal;
}

/** The badges that show the same window. */
const SAME_WINDOW: readonly BadgeName[] = ["badge.svg", "badge.json", "badge.png"];

/**
 * Checks that `badge.svg`, `badge.json` and `badge.png` show the same. A publish or a cache may come between the reads, so badges
 * that disagree are read again after each wait before the disagreement counts.
 */
export async function checkBadgeAgreement(
  read: (name: BadgeName) => ReturnType<Client["send"]>,
  first: BadgeExchanges,
  { settleWaitsMs, signal }: BadgeSettling,
): Promise<CheckFinding> {
  let problems = findDisagreements(first);
  if (problems === undefined)
    return skip("badge.agrees", "badge.svg or the others could not be read");
  let rereads = 0;
  for (const waitMs of settleWaitsMs) {
    if (problems.length === 0) break;
    try {
      await sleep(waitMs, undefined, { signal });
    } catch {
      break;
    }
    const again = await Promise.all(
      SAME_WINDOW.map(async (name): Promise<[BadgeName, Exchange]> => [name, await read(name)]),
    );
    // Badges that can no longer be read prove nothing, so the last problems stay.
    problems = findDisagreements(new Map(again)) ?? problems;
    rereads += 1;
  }
  const warnings =
    problems.length === 0 && rereads > 0 ? ["they agreed only when they were read again"] : [];
  return toFinding("badge.agrees", problems, SAME_WINDOW.join(", "), warnings);
}

/** Undefined if no two badges could be read and compared. */
function findDisagreements(exchanges: BadgeExchanges): readonly string[] | undefined {
  const [svg, json, png] = SAME_WINDOW.map((name) => bodyOf(exchanges.get(name)));
  const picture = svg && readSvg(svg);
  if (picture?.kind !== "svg") return undefined;
  const words = json && readShields(json);
  const raster = png && readPng(png);
  const isTold = picture.title !== undefined && words?.kind === "badge";
  const isSized = picture.width !== undefined && picture.height !== undefined;
  if (!isTold && !(isSized && raster?.kind === "png")) return undefined;
  return [
    ...(isTold ? findWordProblems(picture.title, toTitle(words.label, words.message)) : []),
    ...(isSized && raster?.kind === "png"
      ? findSizeProblems([picture.width, picture.height], [raster.width, raster.height])
      : []),
  ];
}

function bodyOf(exchange: Exchange | undefined): Uint8Array | undefined {
  return hasStatus(exchange, 200) ? exchange.body : undefined;
}

/** Label and message of a badge. Shields omits an empty label. */
function toTitle(label: string, message: string): string {
  return label === "" ? message : `${label}: ${message}`;
}

function findWordProblems(title: string, expected: string): readonly string[] {
  if (title === expected) return [];
  return [
    `the title of badge.svg is ${JSON.stringify(title)}, badge.json says ${JSON.stringify(expected)}`,
  ];
}

type Size = readonly [width: number, height: number];

/** A fractional width may be rounded up before or after it is doubled. */
const ROUNDING_PX = 2;

function findSizeProblems(svg: Size, png: Size): readonly string[] {
  const isDouble = svg.every((side, index) => Math.abs((png[index] ?? 0) - 2 * side) < ROUNDING_PX);
  return isDouble ? [] : [`badge.png has ${png.join(" × ")} pixels, badge.svg ${svg.join(" × ")}`];
}
