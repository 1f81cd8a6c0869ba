import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { operatorOf } from "../../../src/contract/codes/operator.ts";
import { parseAddress } from "../../../src/http-server/network-key.ts";
import {
  compileOperators,
  OPERATOR_NETWORKS_FILE,
  type OperatorOf,
} from "../../../src/reports/operators/operator-table.ts";

function nameOf(find: OperatorOf, text: string): string {
  const address = parseAddress(text);
  if (address === undefined) throw new TypeError(text);
  return operatorOf(find(address));
}

describe("networks of operators", () => {
  const find = compileOperators(
    [
      "# comment",
      "10.2.0.0/15 mts;",
      "10.0.0.0/24 beeline;",
      "2a00:1::/40 t2;",
      "2a00:2::/48 an-operator-of-tomorrow;",
      "",
    ].join("\n"),
  );

  test.each([
    ["10.0.0.7", "beeline"],
    ["10.0.1.0", "other"],
    ["10.1.255.255", "other"],
    ["10.2.0.0", "mts"],
    ["10.3.255.255", "mts"],
    ["10.4.0.0", "other"],
    ["0.0.0.0", "other"],
    ["255.255.255.255", "other"],
    ["::ffff:10.2.3.4", "mts"],
    ["2a00:1::", "t2"],
    ["2a00:1:ff::1", "t2"],
    ["2a00:1:100::1", "other"],
    ["2a00:2::1", "other"],
    ["::", "other"],
  ])("%s belongs to %s", (address, operator) => {
    expect(nameOf(find, address)).toBe(operator);
  });

  test.each(["10.0.0.0/24", "10.0.0.0 mts;", "10.0.0/24 mts;", "10.0.0.0/25 mts;", "::/49 mts;"])(
    "the broken line %s is named",
    (line) => {
      expect(() => compileOperators(`# head\n${line}`)).toThrow(
        "Networks of operators: line 2 is not a network and an operator",
      );
    },
  );
});

// Well-known networks of each: the file is replaced every month, and must not lose what most people are in.
test.each([
  ["213.87.1.1", "mts"],
  ["83.220.236.1", "beeline"],
  ["31.173.80.1", "megafon"],
  ["176.59.40.1", "t2"],
  ["178.66.1.1", "rostelecom"],
  ["5.3.1.1", "domru"],
  ["109.252.1.1", "mgts"],
  ["77.88.8.8", "other"],
  ["127.0.0.1", "other"],
  ["192.168.1.1", "other"],
])("in the shipped table %s belongs to %s", (address, operator) => {
  const shipped = compileOperators(readFileSync(OPERATOR_NETWORKS_FILE, "utf8"));
  expect(nameOf(shipped, address)).toBe(operator);
});
