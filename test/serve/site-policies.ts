import { expect } from "vitest";
import type { SiteObject } from "./site-objects.ts";

/** What a front says an object may do in a browser, written apart from what says it. Source: docs/cdn.md, The website. */
const POLICIES: Readonly<Record<SiteObject["shows"], string | undefined>> = {
  page: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  svg: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  data: undefined,
};

/** Fails unless an answer carries the policies of what it shows, and no others. */
export function expectPolicies(
  header: (name: string) => string | undefined,
  shows: SiteObject["shows"],
): void {
  expect(header("content-security-policy")).toBe(POLICIES[shows]);
  expect(header("referrer-policy")).toBe(
    shows === "page" ? "strict-origin-when-cross-origin" : undefined,
  );
}
