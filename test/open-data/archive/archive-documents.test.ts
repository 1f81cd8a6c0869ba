import { describe, expect, test } from "vitest";
import type { ArchiveState } from "../../../src/model/service/archive.ts";
import { DEFAULT_SITE_SETTINGS } from "../../../src/model/site-settings.ts";
import { buildOpenApi } from "../../../src/site/openapi/openapi.ts";
import { validatorsOf } from "../../site/schemas.ts";
import {
  archiveKeysOf,
  buildArchiveIndex,
  buildDatapackage,
  toArchiveDocument,
} from "../../../src/open-data/archive/archive-documents.ts";

const ADDRESS = {
  ...DEFAULT_SITE_SETTINGS,
  origin: "https://status.example.ru",
  root: "",
};

const file = (name: string) => ({ name, bytes: 9, sha256: "ab".repeat(32), rows: 3 });
const ARCHIVE: ArchiveState = {
  days: ["2026-11-29", "2026-11-30"].map((date) => ({
    date,
    method: "2026-11-24",
    files: [file("checks.parquet"), file("checks.ndjson.gz")],
  })),
  months: [
    { date: "2026-11", method: "2026-11-24", files: [file("changes.csv"), file("reports.csv")] },
  ],
  sealedDay: 20_787,
};

const read = ({ body }: { body: Uint8Array }) => JSON.parse(new TextDecoder().decode(body));

test.each([
  ["ArchiveIndex", buildArchiveIndex],
  ["DataPackage", buildDatapackage],
] as const)("the document fits its schema %s in openapi.json", (name, build) => {
  const validate = validatorsOf(JSON.parse(buildOpenApi(ADDRESS)))(name);
  const isValid = validate(read(build(ARCHIVE, "2026-11-24")));
  expect([isValid, validate.errors]).toEqual([true, null]);
});

test("the index has every file with its digest, the newest first", () => {
  const { days, months, licence } = read(buildArchiveIndex(ARCHIVE, "2026-11-24"));
  expect(licence).toBe("CC-BY-4.0");
  expect(days.map(({ date }: { date: string }) => date)).toEqual(["2026-11-30", "2026-11-29"]);
  expect(months[0].files[1]).toEqual({
    path: "2026-11/reports.csv",
    bytes: 9,
    rows: 3,
    sha256: "ab".repeat(32),
  });
});

describe("the data package", () => {
  const data = read(buildDatapackage(ARCHIVE, "2026-11-24"));

  /* The rules of the standard, version 2: https://datapackage.org/standard/data-resource/ and table-schema. */
  test("names each resource once, with a relative path, a digest and a licence", () => {
    expect(data.licenses[0]).toMatchObject({
      name: "CC-BY-4.0",
      path: expect.stringMatching(/^https:/u),
    });
    const names = data.resources.map(({ name }: { name: string }) => name);
    expect(names).toHaveLength(6);
    expect(new Set(names).size).toBe(6);
    for (const { name, path, hash, bytes } of data.resources) {
      expect(name).toMatch(/^[a-z0-9._/-]+$/u);
      expect(path).toMatch(/^(?!\/)(?!.*\.\.)[\w./-]+$/u);
      expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/u);
      expect(bytes).toBe(9);
    }
  });

  test("says what it is, file by file", async () => {
    const text = `${JSON.stringify(data, undefined, 1)}\n`;
    await expect(text).toMatchFileSnapshot("golden/datapackage.json.txt");
  });

  test("describes each field by a type of the standard", () => {
    const types = new Set(
      data.resources.flatMap((one: { schema: { fields: { type: string }[] } }) =>
        one.schema.fields.map(({ type }) => type),
      ),
    );
    expect(types).toEqual(new Set(["integer", "string", "boolean"]));
  });
});

test("files never change, and have types that no browser unpacks or runs", () => {
  const types = [...archiveKeysOf("2026-11-30"), ...archiveKeysOf("2026-11")].map((key) => {
    const [, , date = "", name = ""] = key.split("/");
    const { contentType, cacheControl } = toArchiveDocument(date, name, new Uint8Array());
    return [key, contentType, cacheControl];
  });
  const forEver = "public, max-age=31536000, immutable";
  const csv = "text/csv; charset=utf-8; header=present";
  expect(types).toEqual([
    ["archive/v1/2026-11-30/checks.parquet", "application/vnd.apache.parquet", forEver],
    ["archive/v1/2026-11-30/checks.ndjson.gz", "application/gzip", forEver],
    ["archive/v1/2026-11/changes.csv", csv, forEver],
    ["archive/v1/2026-11/reports.csv", csv, forEver],
  ]);
});
