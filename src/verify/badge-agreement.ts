import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "./client.ts";
import { type Exchange, hasStatus } from "./exchange.ts";
import { type Finding, judge, skip } from "./finding.ts";
import { readPng } from "./png.ts";
import { readShields } from "./shields.ts";
import type { BadgeName } from "./specification.ts";
import { readSvg } from "./svg.ts";

/** What was answered for each object of a monitor. */
export type BadgeExchanges = ReadonlyMap<BadgeName, Exchange>;

/** How long a disagreement may take to end. */
export interface BadgeSettling {
  readonly settleWaitsMs: readonly number[];
  readonly signal: AbortSignal;
}

/** Those that show the same window. */
const SAME_WINDOW: readonly BadgeName[] = ["badge.svg", "badge.json", "badge.png"];

/**
 * Judges whether picture, text and PNG show the same. As with list and details, a publish or a cache may come between the
 * reads, so what disagrees is read again after each of the waits before it counts.
 */
export async function judgeBadgeAgreement(
  read: (name: BadgeName) => ReturnType<Client["send"]>,
  first: BadgeExchanges,
  { settleWaitsMs, signal }: BadgeSettling,
): Promise<Finding> {
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
    // Badges that cannot be read any more prove nothing.
    problems = findDisagreements(new Map(again)) ?? problems;
    rereads += 1;
  }
  const warnings =
    problems.length === 0 && rereads > 0 ? ["they agreed only when they were read again"] : [];
  return judge("badge.agrees", problems, SAME_WINDOW.join(", "), warnings);
}

/** Undefined when there are no two that could be compared. */
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

/** Both halves of a badge in words. Shields omits the left one when it is empty. */
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

/** A width with a fraction may be rounded up before or after it is doubled. */
const ROUNDING_PX = 2;

function findSizeProblems(svg: Size, png: Size): readonly string[] {
  const isDouble = svg.every((side, index) => Math.abs((png[index] ?? 0) - 2 * side) < ROUNDING_PX);
  return isDouble ? [] : [`badge.png has ${png.join(" × ")} pixels, badge.svg ${svg.join(" × ")}`];
}
