import { expect } from "vitest";
import type { SiteObject } from "./site-objects.ts";

/** The expected browser policies of an object, independent of the implementation. Source: docs/publish/fronts.md, The website. */
const POLICIES: Readonly<Record<SiteObject["shows"], string | undefined>> = {
  page: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; manifest-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  svg: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  data: undefined,
};

/** Fails unless a response has exactly the policies of its object. */
export function expectPolicies(
  header: (name: string) => string | undefined,
  shows: SiteObject["shows"],
): void {
  expect(header("content-security-policy")).toBe(POLICIES[shows]);
  expect(header("referrer-policy")).toBe(
    shows === "page" ? "strict-origin-when-cross-origin" : undefined,
  );
}
