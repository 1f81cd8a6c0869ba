import { expect, test } from "vitest";
import { accessOf, ANNOTATION_KINDS, isRemark } from "../../src/model/service/catalogue.ts";
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

test("only remarks and notes about calls move no verdict", () => {
  expect(ANNOTATION_KINDS.filter(isRemark)).toEqual(["remark", "calls"]);
  expect(accessOf(serviceOf("a", [], ["remark", "calls"]))).toBe("none");
});
