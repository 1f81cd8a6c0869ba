import { expect, test } from "vitest";
import { rulesForOwners } from "../../../src/monitors/owner-api/create-owner-intake.ts";

const { refusalOfUrl } = rulesForOwners(
  { refusalOfUrl: ({ hostname }) => (hostname === "refused.example" ? "refused" : undefined) },
  "https://status.example.ru",
);

test.each([
  ["https://status.example.ru/", "is this service itself; it cannot watch itself"],
  ["http://status.example.ru/x", "is this service itself; it cannot watch itself"],
  ["https://co.uk/", "does not belong to one owner: others register names below it"],
  ["https://github.io/", "does not belong to one owner: others register names below it"],
  ["https://ru/", "does not belong to one owner: others register names below it"],
  ["https://refused.example/", "refused"],
  ["https://example.ru/", undefined],
  ["https://other.example.ru/", undefined],
  ["https://user.github.io/", undefined],
  ["https://192.0.2.1/", undefined],
  ["https://[2001:db8::1]/", undefined],
  ["http://localhost/", undefined],
])("an owner's %s: %s", (url, refusal) => {
  expect(refusalOfUrl(new URL(url))).toBe(refusal);
});
