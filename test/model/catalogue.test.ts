import { expect, test } from "vitest";
import { accessOf } from "../../src/model/service/catalogue.ts";
import { serviceOf } from "./samples.ts";

test("a service without annotations, or with only a provider limit, has free access", () => {
  expect(accessOf(serviceOf("a", []))).toBe("none");
  expect(accessOf(serviceOf("a", [], ["provider"]))).toBe("none");
});

test.each(["restricted", "slowed_ru", "partial_ru"] as const)(
  "%s is found with a provider limit, in either order",
  (kind) => {
    expect(accessOf(serviceOf("a", [], [kind, "provider"]))).toBe(kind);
    expect(accessOf(serviceOf("a", [], ["provider", kind]))).toBe(kind);
  },
);
