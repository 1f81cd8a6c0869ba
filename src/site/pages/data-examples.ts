/** Commands on the page of the open data. `base` is the address of the site, without a slash at its end; `day` that of a file. */

export const LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/";

export function duckdbExample(base: string, day: string): string {
  return [
    'duckdb -c "',
    "  SELECT service, count(*) FILTER (state = 'failed') AS failed",
    `  FROM '${base}/archive/v1/${day}/checks.parquet'`,
    '  GROUP BY service ORDER BY failed DESC"',
  ].join("\n");
}

export function pandasExample(base: string, day: string): string {
  return [
    "import pandas",
    "",
    `checks = pandas.read_parquet("${base}/archive/v1/${day}/checks.parquet")`,
    'print(checks.groupby(["service", "state"]).size())',
  ].join("\n");
}

export function ndjsonExample(base: string, day: string): string {
  return `curl -s ${base}/archive/v1/${day}/checks.ndjson.gz |\n  gzip -d | head -n 3`;
}

export function historyExample(base: string): string {
  return `curl -s ${base}/history/v1/sberbank.json |\n  jq '.outages'`;
}

export function uptimeExample(base: string): string {
  return `curl -s ${base}/history/v1/index.json |\n  jq '.services[] | {slug, "30d": .uptime."30d"}'`;
}

export function changesExample(base: string): string {
  return `curl -s ${base}/changes/v1.json |\n  jq '.next, (.changes[] | select(.seq >= 41))'`;
}

export function statuspageAddress(base: string): string {
  return `${base}/api/v2`;
}

export function statuspageExample(base: string): string {
  return `curl -s ${statuspageAddress(base)}/status.json |\n  jq -r .status.description`;
}

/** A minute is the time for which caches keep the document; Prometheus forgets a value after five. */
export function prometheusExample(base: string): string {
  const { protocol, host, pathname } = new URL(base);
  return [
    "scrape_configs:",
    "  - job_name: status-snapshot",
    "    scrape_interval: 1m",
    `    scheme: ${protocol.replace(":", "")}`,
    `    metrics_path: ${pathname.replace(/\/$/u, "")}/metrics`,
    "    static_configs:",
    `      - targets: ["${host}"]`,
  ].join("\n");
}

export function attributionExample(page: string, siteName: string): string {
  return `<a href="${page}">${siteName}</a>, <a href="${LICENCE_URL}">CC BY 4.0</a>`;
}
