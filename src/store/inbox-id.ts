import { randomUUID } from "node:crypto";

const NUMBER_DIGITS = 12;

/** A new id of an inbox object: 13 digits of milliseconds, so that ids sort by age until the year 2286, and a UUID. */
export function createInboxId(nowMs: number): string {
  return formatId(nowMs, randomUUID());
}

/**
 * UUIDs that differ only in the last digits, which count up: the state keeps counted ids as ranges.
 * Source: docs/publish/protocol.md, The inbox.
 */
export function createInboxSeries(): (nowMs: number) => string {
  const series = randomUUID().slice(0, -NUMBER_DIGITS);
  let number = 0;
  return (nowMs) => {
    number += 1;
    return formatId(nowMs, series + number.toString(16).padStart(NUMBER_DIGITS, "0"));
  };
}

function formatId(nowMs: number, uuid: string): string {
  return `${String(Math.max(0, Math.floor(nowMs))).padStart(13, "0")}-${uuid}`;
}
