import { become, when } from "./corrupt.ts";
import { METRICS, isAt, replace } from "./data-edits.ts";
import { at } from "./front-rows.ts";
import type { Row } from "../rows.ts";

const VERDICT = 'status_snapshot_verdict{service="sberbank",code="ok"} 1';
const UP = 'status_snapshot_up{service="sberbank"} 1';

/** Each row has one fault of the metrics. */
export const METRICS_ROWS: readonly Row[] = [
  ["metrics without an end", replace(METRICS, "# EOF\n", ""), "data.metrics"],
  [
    "metrics that go on after their end",
    when(isAt(METRICS), (a) => (a.body += "x 1\n")),
    "data.metrics",
  ],
  ["metrics with an end in the middle", replace(METRICS, UP, `# EOF\n${UP}`), "data.metrics"],
  ["metrics with an empty line", replace(METRICS, UP, `\n${UP}`), "data.metrics"],
  ["metrics that are a page", at(METRICS, become(200, "<html>")), "data.metrics"],
  [
    "metrics in another encoding",
    when(isAt(METRICS), (a) =>
      Object.assign(a, { body: a.body.replace("Time.", "\u00e9"), encoding: "latin1" }),
    ),
    "data.metrics",
  ],
  ["metrics of three megabytes", replace(METRICS, "Time.", "T".repeat(3_000_000)), "data.metrics"],
  ["a value that is NaN", replace(METRICS, UP, UP.replace("} 1", "} NaN")), "data.metrics"],
  ["a value that is infinite", replace(METRICS, UP, UP.replace("} 1", "} 1e999")), "data.metrics"],
  ["a value with a time", replace(METRICS, UP, `${UP} 1795546159`), "data.metrics"],
  ["a label without quotes", replace(METRICS, UP, UP.replaceAll('"', "")), "data.metrics"],
  ["a label twice", replace(METRICS, UP, UP.replace("}", ',service="x"}')), "data.metrics"],
  ["a value twice", replace(METRICS, UP, `${UP}\n${UP}`), "data.metrics"],
  [
    "a metric in two places",
    replace(METRICS, "# EOF", `${UP.replace("sberbank", "x")}\n# EOF`),
    "data.metrics",
  ],
  [
    "a metric without its type",
    replace(METRICS, "# TYPE status_snapshot_up gauge\n", ""),
    "data.metrics",
  ],
  ["a metric of another type", replace(METRICS, "up gauge", "up counter"), "data.metrics"],
  [
    "a service named __proto__",
    replace(METRICS, UP, UP.replace("sberbank", "__proto__")),
    "data.metrics",
  ],
  ["a metric with another label", replace(METRICS, UP, UP.replace("}", ',x="y"}')), "data.metrics"],
  ["an up of 2", replace(METRICS, UP, UP.replace("} 1", "} 2")), "data.metrics"],
  [
    "a service with two verdicts",
    replace(METRICS, 'sberbank",code="slow"} 0', 'sberbank",code="slow"} 1'),
    "data.metrics",
  ],
  [
    "a service without a verdict",
    replace(METRICS, VERDICT, VERDICT.replace("} 1", "} 0")),
    "data.metrics",
  ],
  [
    "a service without one of the codes",
    replace(METRICS, 'status_snapshot_verdict{service="sberbank",code="slow"} 0\n', ""),
    "data.metrics",
  ],
  [
    "a fraction of reports in the metrics",
    replace(METRICS, 'reports_hour{service="sberbank"} 2', 'reports_hour{service="sberbank"} 0.5'),
    "data.metrics",
  ],
  [
    "a service without its reports",
    replace(METRICS, /status_snapshot_reports_hour\{service="sberbank"\} 2\n/u, ""),
    "data.metrics",
  ],
  [
    "metrics without a verdict",
    replace(METRICS, /status_snapshot_verdict\{.*\n/gu, ""),
    "data.metrics",
  ],
  [
    "metrics without their time",
    replace(METRICS, /\nstatus_snapshot_updated.*\n/u, "\n"),
    "data.metrics",
  ],
  [
    "another verdict in the metrics",
    replace(METRICS, /(sberbank",code="ok"\}) 1([^]*sberbank",code="slow"\}) 0/u, "$1 0$2 1"),
    "data.agrees",
  ],
  [
    "a service that is down only in the metrics",
    replace(METRICS, UP, UP.replace("} 1", "} 0")),
    "data.agrees",
  ],
  ["a service without data only in the metrics", replace(METRICS, `${UP}\n`, ""), "data.agrees"],
  ["a service that the list has not", replace(METRICS, /"telegram"/gu, '"viber"'), "data.agrees"],
  [
    "metrics of another run",
    replace(METRICS, /(timestamp_seconds) 1\d+\n/u, "$1 1795546159\n"),
    "data.agrees",
  ],
];
