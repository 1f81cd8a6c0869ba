import { describe, expect, test } from "vitest";
import { toComponents } from "../../src/contract/components.ts";
import { STATUS_SCHEMAS } from "../../src/contract/status.ts";
import type { Document } from "../../src/model/service/snapshot.ts";
import { buildDocuments } from "../../src/services/snapshot/api-documents.ts";

/** A literal copy of the public contract: the fields of the documents, in their order. */
const LIST_FIELDS = ["updated", "services"];
const SUMMARY_FIELDS = ["slug", "name", "color", "code", "live"];
const DETAIL_FIELDS = [...SUMMARY_FIELDS, "since", "reportsHour", "reportsDay"];

const FAILING = {
  slug: "vtb",
  name: "ВТБ",
  verdict: { code: "fail", color: "bad", live: true, sinceMs: 1_795_000_000_999 },
  reports: { hour: 3, day: 41, isSurging: false },
} as const;

function contentOf({ body }: Document) {
  return JSON.parse(new TextDecoder().decode(body));
}

const [DETAIL, LIST] = buildDocuments({
  updatedAtMs: 1_795_000_000_999,
  services: [FAILING],
}).map(contentOf);

describe("the list and the detail", () => {
  test("are published with the fields of the public contract", () => {
    const summary = { slug: "vtb", name: "ВТБ", color: "bad", code: "fail", live: true };
    const detail = { ...summary, since: 1_795_000_000, reportsHour: 3, reportsDay: 41 };
    expect(LIST).toEqual({ updated: 1_795_000_000, services: [summary] });
    expect(DETAIL).toEqual(detail);
    expect(Object.keys(LIST)).toEqual(LIST_FIELDS);
    expect(Object.keys(LIST.services[0])).toEqual(SUMMARY_FIELDS);
    expect(Object.keys(DETAIL)).toEqual(DETAIL_FIELDS);
  });

  test("have schemas with exactly these fields, all required", () => {
    const components = toComponents(STATUS_SCHEMAS);
    for (const [name, fields] of [
      ["StatusList", LIST_FIELDS],
      ["StatusSummary", SUMMARY_FIELDS],
      ["StatusDetail", DETAIL_FIELDS],
    ] as const) {
      const required = [...fields];
      const properties = Object.fromEntries(required.map((field) => [field, expect.anything()]));
      expect(components[name]).toEqual(
        expect.objectContaining({ properties, required, additionalProperties: false }),
      );
    }
  });

  test("conform to their schemas, which allow no other pair of code and colour", () => {
    const { StatusList, StatusDetail } = STATUS_SCHEMAS;
    expect([StatusList.safeParse(LIST).success, StatusDetail.safeParse(DETAIL).success]).toEqual([
      true,
      true,
    ]);
    expect(StatusDetail.safeParse({ ...DETAIL, color: "warn" }).success).toBe(false);
    expect(StatusDetail.safeParse({ ...DETAIL, category: "banks" }).success).toBe(false);
    const services = [{ ...LIST.services[0], color: "ok" }];
    expect(StatusList.safeParse({ ...LIST, services }).success).toBe(false);
  });
});
