import { createHash } from "node:crypto";
import type { StatuspageStatus } from "./statuspage.ts";

/** An id as Statuspage has them: the first 12 letters of base32 (RFC 4648, lower case) of SHA-256. That of a component is of its slug. */
export function statuspageIdOf(text: string): string {
  const bits = BigInt(`0x${createHash("sha256").update(text).digest("hex").slice(0, 15)}`);
  const letters = Array.from({ length: 12 }, (_, place) => (bits >> BigInt(55 - 5 * place)) & 31n);
  return letters.map((letter) => "abcdefghijklmnopqrstuvwxyz234567"[Number(letter)]).join("");
}

/** From how many per cent of the services with an open incident on the page has an indicator. Source: docs/open-data.md, "Statuspage". */
const MAJOR_PERCENT = 5;
const CRITICAL_PERCENT = 30;

/** The indicator of a page with so many open incidents of so many services. */
export function indicatorOf(open: number, services: number): StatuspageStatus["indicator"] {
  if (open === 0) return "none";
  if (open * 100 >= CRITICAL_PERCENT * services) return "critical";
  return open * 100 >= MAJOR_PERCENT * services ? "major" : "minor";
}
