import { type Document, type Snapshot, toDocument } from "../../model/service/snapshot.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { isFailingCode, VERDICT_CODES } from "../../contract/codes/verdict.ts";

/**
 * The verdicts in the format of OpenMetrics, without times of the samples: what scrapes it adds its own. A service without recent data
 * has no `status_snapshot_up`. One that is restricted is up unless it fails beyond that, or an alert for it would never end. The verdict
 * is a gauge for each code, because programs that read the older text format of Prometheus do not know the type `stateset`. Source:
 * https://prometheus.io/docs/specs/om/open_metrics_spec/
 */
export function buildMetrics({ services, updatedAtMs }: Snapshot): Document {
  const known = services.filter(({ verdict }) => verdict.color !== "none");
  const lines = [
    ...family(
      "up",
      "Whether the service is not down, apart from a lasting restriction; absent without recent data.",
    ),
    ...known.map((one) => sample("up", one.slug, isFailingCode(one.verdict.code) ? 0 : 1)),
    ...family("verdict", "1 for the code of the verdict, 0 for every other code."),
    ...services.flatMap(({ slug, verdict }) =>
      VERDICT_CODES.map((code) =>
        sample("verdict", slug, code === verdict.code ? 1 : 0, `,code="${code}"`),
      ),
    ),
    ...family("reports_hour", "Reports of users in the last hour."),
    ...services.map(({ slug, reports }) => sample("reports_hour", slug, reports.hour)),
    ...family("updated_timestamp_seconds", "Time of the last run of checks.", "seconds"),
    `${PREFIX}updated_timestamp_seconds ${toUnixSeconds(updatedAtMs)}`,
    "# EOF",
  ];
  return toDocument("metrics", `${lines.join("\n")}\n`);
}

const PREFIX = "status_snapshot_";

function family(name: string, help: string, unit?: string): readonly string[] {
  const metric = PREFIX + name;
  return [
    `# TYPE ${metric} gauge`,
    ...(unit === undefined ? [] : [`# UNIT ${metric} ${unit}`]),
    `# HELP ${metric} ${help}`,
  ];
}

/** Slugs and codes need no escapes. */
function sample(name: string, slug: string, value: number, further = ""): string {
  return `${PREFIX}${name}{service="${slug}"${further}} ${value}`;
}
