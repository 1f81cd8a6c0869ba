import { archiveKey } from "../../model/service/archive.ts";
/** Responses, programs and snippets that pages show, by placeholder. `base` is the address of the site, without a slash at its end. */

export const LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/";

/** On the page of the API. */
export function apiExamples(base: string) {
  return {
    "example:list": `{
  "updated": 1795250700,
  "services": [
    {"slug": "sberbank", "name": "Сбербанк Онлайн", "color": "ok", "code": "ok", "live": false},
    {"slug": "t-bank", "name": "Т-Банк", "color": "bad", "code": "fail", "live": true}
  ]
}`,
    "example:service": `{
  "slug": "t-bank",
  "name": "Т-Банк",
  "color": "bad",
  "code": "fail",
  "live": true,
  "since": 1795245000,
  "reportsHour": 240,
  "reportsDay": 1213
}`,
    "example:shell": `curl -s ${base}/api/v1/status |
  jq -r '.services[] | select(.color == "bad") | "\\(.name): \\(.code)"'

curl -s ${base}/api/v1/status/sberbank`,
    "example:script": `const answer = await fetch("${base}/api/v1/status");
if (!answer.ok) throw new Error("HTTP " + answer.status);
const { updated, services } = await answer.json();
console.log(new Date(updated * 1000));
for (const { name, code, color } of services) {
  if (color === "bad") console.log(name, code);
}`,
    "example:python": `import json
from urllib.request import urlopen

with urlopen("${base}/api/v1/status/sberbank", timeout=10) as answer:
    service = json.load(answer)
print(service["name"], service["code"], service["reportsHour"])`,
    "example:badge-shields": `https://img.shields.io/endpoint?url=${encodeURIComponent(`${base}/api/m/ID/badge.json`)}`,
  };
}

/** On the page of the open data. `day` is that of a file. */
export function dataExamples(base: string, day: string) {
  const { protocol, host, pathname } = new URL(base);
  const file = `${base}/${archiveKey(day, "checks")}`;
  return {
    "example:duckdb": `duckdb -c "
  SELECT service, count(*) FILTER (state = 'failed') AS failed
  FROM '${file}.parquet'
  GROUP BY service ORDER BY failed DESC"`,
    "example:pandas": `import pandas

checks = pandas.read_parquet("${file}.parquet")
print(checks.groupby(["service", "state"]).size())`,
    "example:ndjson": `curl -s ${file}.ndjson.gz |\n  gzip -d | head -n 3`,
    "example:history": `curl -s ${base}/history/v1/sberbank.json |\n  jq '.outages'`,
    "example:uptime": `curl -s ${base}/history/v1/index.json |\n  jq '.services[] | {slug, "30d": .uptime."30d"}'`,
    "example:changes": `curl -s ${base}/changes/v1.json |\n  jq '.next, (.changes[] | select(.seq >= 41))'`,
    "example:statuspage": `${base}/api/v2`,
    "example:statuspage-curl": `curl -s ${base}/api/v2/status.json |\n  jq -r .status.description`,
    // A minute is the time for which caches keep the document; Prometheus forgets a value after five.
    "example:prometheus": `scrape_configs:
  - job_name: status-snapshot
    scrape_interval: 1m
    scheme: ${protocol.replace(":", "")}
    metrics_path: ${pathname.replace(/\/$/u, "")}/metrics
    static_configs:
      - targets: ["${host}"]`,
  };
}
