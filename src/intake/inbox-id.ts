import { randomUUID } from "node:crypto";

const PATTERN = /^\d{13}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

const NUMBER_DIGITS = 12;

/** A new name for an inbox object: 13 digits of milliseconds, so that names sort by age until the year 2286, and a UUID. */
export function createInboxId(nowMs: number): string {
  return nameOf(nowMs, randomUUID());
}

/**
 * Gives such names one after the other. All but the last twelve digits of the UUID stay the same, and those are a number that
 * counts up: so whoever remembers what was counted remembers a range. Source: docs/publishing.md, The inbox.
 */
export function createInboxSeries(): (nowMs: number) => string {
  const series = randomUUID().slice(0, -NUMBER_DIGITS);
  let number = 0;
  return (nowMs) => {
    number += 1;
    return nameOf(nowMs, series + number.toString(16).padStart(NUMBER_DIGITS, "0"));
  };
}

function nameOf(nowMs: number, uuid: string): string {
  return `${String(Math.max(0, Math.floor(nowMs))).padStart(13, "0")}-${uuid}`;
}

/** Whether the text is a name that `createInboxId` makes. */
export function isInboxId(text: string): boolean {
  return PATTERN.test(text);
}
