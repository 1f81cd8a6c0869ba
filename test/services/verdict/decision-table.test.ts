import { expect, test } from "vitest";
import { TABLE } from "../../../src/services/verdict/decision-table.ts";

test("row names are unique", () => {
  expect(new Set(TABLE.map(({ id }) => id)).size).toBe(TABLE.length);
});

test("the rows have the documented order and codes", () => {
  expect(TABLE.map(({ id, code, live }) => `${id}: ${code}, ${live}`)).toMatchInlineSnapshot(`
    [
      "stale-surge: spike, always",
      "stale: none, never",
      "failing-restricted: restricted_fail, if-surging",
      "failing-blocked: restricted_fail, if-surging-or-recent",
      "failing-recent: fail, always",
      "failing-long: fail_long, if-surging",
      "server-error: err, if-surging-or-recent",
      "denied: provider, if-surging",
      "partial: partial, if-surging-or-recent",
      "restricted: restricted, if-surging",
      "surge: spike, always",
      "partial-ru: partial_ru, never",
      "slowed-ru: slowed_ru, never",
      "slow: slow, never",
      "provider: provider, never",
      "ok: ok, never",
    ]
  `);
});
