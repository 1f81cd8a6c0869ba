import { randomUUID } from "node:crypto";

const PATTERN = /^\d{13}-[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** A new name for an inbox object: 13 digits of milliseconds, so that names sort by age until the year 2286, and a UUID. */
export function createInboxId(nowMs: number): string {
  return `${String(Math.max(0, Math.floor(nowMs))).padStart(13, "0")}-${randomUUID()}`;
}

/** Whether the text is a name that `createInboxId` makes. */
export function isInboxId(text: string): boolean {
  return PATTERN.test(text);
}
