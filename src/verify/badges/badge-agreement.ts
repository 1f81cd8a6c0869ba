import type { Client } from "../http/client.ts";
import { type Exchange, hasStatus } from "../http/http-exchange.ts";
import { type CheckFinding, skip } from "../finding.ts";
import { readPng } from "./png.ts";
import { settle, type Settling } from "../http/settle.ts";
import { readShields } from "./shields.ts";
import type { BadgeName } from "../api/specification.ts";
import { readSvg } from "./svg.ts";

/** Responses by object of a monitor. */
export type BadgeExchanges = ReadonlyMap<BadgeName, Exchange>;

/** The badges that show the same window. */
const SAME_WINDOW: readonly BadgeName[] = ["badge.svg", "badge.json", "badge.png"];

/** Checks that `badge.svg`, `badge.json` and `badge.png` show the same. */
export async function checkBadgeAgreement(
  read: (name: BadgeName) => ReturnType<Client["send"]>,
  first: BadgeExchanges,
  settling: Settling,
): Promise<CheckFinding> {
  const problems = findDisagreements(first);
  if (problems === undefined)
    return skip("badge.agrees", "badge.svg or the others could not be read");
  const readAgain = async (): Promise<readonly string[] | undefined> => {
    const again = SAME_WINDOW.map(async (name) => [name, await read(name)] as const);
    return findDisagreements(new Map(await Promise.all(again)));
  };
  return settle("badge.agrees", SAME_WINDOW.join(", "), problems, readAgain, settling);
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
