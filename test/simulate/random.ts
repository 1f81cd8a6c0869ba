import { createRandom, type Random } from "../random.ts";
import { drawNormal } from "../reports/counting/simulation.ts";

export { createRandom, type Random };

/**
 * A number in [0, 1) that depends only on its arguments, so that events do not depend on the number of probes: two versions
 * of the program meet the same events.
 */
export function chanceAt(seed: number, one: number, atMs: number, salt: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ one ^ (mixed >>> 15), 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (atMs % 4_294_967_296) ^ (mixed >>> 13), 0x27d4eb2f);
  mixed = Math.imul(mixed ^ Math.floor(atMs / 4_294_967_296) ^ (mixed >>> 16), 0x165667b1);
  mixed = Math.imul(mixed ^ salt ^ (mixed >>> 15), 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 4_294_967_296;
}

/** Log-normal around its median, truncated to [least, most]; all in the same unit. */
export interface Lengths {
  readonly median: number;
  /** Standard deviation of the logarithm. */
  readonly sigma: number;
  readonly least: number;
  readonly most: number;
}

/** Redraws lengths outside the bounds, because clamping would pile them up at the bounds. */
export function drawLength({ median, sigma, least, most }: Lengths, random: Random): number {
  for (let tries = 0; tries < 100; tries += 1) {
    const length = median * Math.exp(sigma * drawNormal(random));
    if (length >= least && length <= most) return length;
  }
  return median;
}

/** Uniform between two values. */
export function drawBetween(low: number, high: number, random: Random): number {
  return low + (high - low) * random();
}

/** Throws RangeError for an empty list. */
export function drawOne<T>(list: readonly T[], random: Random): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new RangeError("nothing to draw from");
  return found;
}

/** Times of a Poisson process in [0, lengthMs), ascending. */
export function drawTimes(perMs: number, lengthMs: number, random: Random): readonly number[] {
  const times: number[] = [];
  if (perMs <= 0) return times;
  for (let at = step(perMs, random); at < lengthMs; at += step(perMs, random)) times.push(at);
  return times;
}

function step(perMs: number, random: Random): number {
  return -Math.log(1 - random()) / perMs;
}
