import { expect, test } from "vitest";
import { VERDICT_CODES } from "../../../src/contract/codes/verdict.ts";
import { buildMetrics } from "../../../src/open-data/documents/metrics.ts";
import { T0 } from "../../model/samples.ts";
import { snapshotOf } from "../../services/snapshot/snapshot-of.ts";
import { textOf } from "./read.ts";

const DOCUMENT = buildMetrics(snapshotOf({ a: "ok", b: "fail", c: "restricted", d: "none" }));
const LINES = textOf(DOCUMENT).split("\n");

function samplesOf(metric: string): readonly string[] {
  return LINES.filter((line) => line.startsWith(`status_snapshot_${metric}{`));
}

test("a service is up unless it is down; without data it is neither", () => {
  expect(samplesOf("up")).toEqual([
    'status_snapshot_up{service="a"} 1',
    'status_snapshot_up{service="b"} 0',
    'status_snapshot_up{service="c"} 1',
  ]);
});

test("each service has each code, and exactly one of them is 1", () => {
  const verdicts = samplesOf("verdict");
  expect(verdicts).toHaveLength(4 * VERDICT_CODES.length);
  expect(verdicts.filter((line) => line.endsWith(" 1"))).toEqual([
    'status_snapshot_verdict{service="a",code="ok"} 1',
    'status_snapshot_verdict{service="b",code="fail"} 1',
    'status_snapshot_verdict{service="c",code="restricted"} 1',
    'status_snapshot_verdict{service="d",code="none"} 1',
  ]);
});

test("families are described before their samples, and the text has an end", () => {
  const families = LINES.filter((line) => line.startsWith("# TYPE ")).map((line) => line.slice(7));
  expect(families).toEqual([
    "status_snapshot_up gauge",
    "status_snapshot_verdict gauge",
    "status_snapshot_reports_hour gauge",
    "status_snapshot_updated_timestamp_seconds gauge",
  ]);
  expect(LINES).toContain("# UNIT status_snapshot_updated_timestamp_seconds seconds");
  expect(LINES.slice(-3)).toEqual([
    `status_snapshot_updated_timestamp_seconds ${Math.floor(T0 / 1_000)}`,
    "# EOF",
    "",
  ]);
  expect(DOCUMENT).toMatchObject({
    key: "metrics",
    contentType: "application/openmetrics-text; version=1.0.0; charset=utf-8",
  });
});

test("each family says what it is", () => {
  expect(LINES.filter((line) => line.startsWith("# HELP "))).toEqual([
    "# HELP status_snapshot_up Whether the service is not down, apart from a lasting restriction; absent without recent data.",
    "# HELP status_snapshot_verdict 1 for the code of the verdict, 0 for every other code.",
    "# HELP status_snapshot_reports_hour Reports of users in the last hour.",
    "# HELP status_snapshot_updated_timestamp_seconds Time of the last run of checks.",
  ]);
  expect(samplesOf("reports_hour")).toHaveLength(4);
});
