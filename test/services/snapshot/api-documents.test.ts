import fc from "fast-check";
import { expect, test } from "vitest";
import type { Snapshot } from "../../../src/model/service/snapshot.ts";
import { NO_REPORTS } from "../../../src/model/service/reports.ts";
import { buildDocuments } from "../../../src/services/snapshot/api-documents.ts";

const SNAPSHOT: Snapshot = {
  updatedAtMs: 1_800_000_000_999,
  services: [
    {
      slug: "sberbank",
      name: 'Сбербанк "Онлайн" <ё>',
      verdict: { code: "fail", color: "bad", live: true, sinceMs: 1_799_999_999_001 },
      reports: { hour: 3, day: 41, isSurging: false },
    },
    {
      slug: "a-1",
      name: "А1",
      verdict: { code: "none", color: "none", live: false, sinceMs: null },
      reports: NO_REPORTS,
    },
  ],
};

function textOf(body: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
}

test("the documents have these keys and bytes, the list last", () => {
  const written = buildDocuments(SNAPSHOT).map(({ key, body }) => `${key} ${textOf(body)}`);
  expect(written).toEqual([
    'api/v1/status/sberbank {"slug":"sberbank","name":"Сбербанк \\"Онлайн\\" <ё>","color":"bad","code":"fail","live":true,"since":1799999999,"reportsHour":3,"reportsDay":41}',
    'api/v1/status/a-1 {"slug":"a-1","name":"А1","color":"none","code":"none","live":false,"since":null,"reportsHour":0,"reportsDay":0}',
    'api/v1/status {"updated":1800000000,"services":[{"slug":"sberbank","name":"Сбербанк \\"Онлайн\\" <ё>","color":"bad","code":"fail","live":true},{"slug":"a-1","name":"А1","color":"none","code":"none","live":false}]}',
  ]);
});

test("each is JSON in UTF-8 that may be cached for a minute", () => {
  for (const { contentType, cacheControl } of buildDocuments(SNAPSHOT)) {
    expect(contentType).toBe("application/json; charset=utf-8");
    expect(cacheControl).toBe("max-age=60");
  }
});

test("Cyrillic is UTF-8, not escaped", () => {
  const body = buildDocuments(SNAPSHOT)[1]?.body ?? new Uint8Array();
  expect(Buffer.from(body).includes(Buffer.from([0xd0, 0x90, 0x31]))).toBe(true);
});

test("any name is preserved in the bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const services = SNAPSHOT.services.slice(0, 1).map((each) => ({ ...each, name }));
      const [detail] = buildDocuments({ ...SNAPSHOT, services });
      expect(JSON.parse(textOf(detail?.body ?? new Uint8Array()))).toMatchObject({ name });
    }),
  );
});
