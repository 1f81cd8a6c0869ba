import {
  indicatorOf,
  type StatuspageComponent,
  statuspageIdOf,
  type StatuspageIncident,
  type StatuspagePage,
  type StatuspageUpdate,
} from "../../contract/statuspage.ts";
import type { Incident, Incidents, VerdictLog } from "../../model/service/verdict-change.ts";
import {
  type Document,
  type ServiceSnapshot,
  toJsonDocument,
} from "../../model/service/snapshot.ts";
import { VERDICTS } from "../../contract/codes/verdict.ts";
import { FRAME_WORDS } from "../../site/words/pages/frame.ts";
import { STATUSPAGE_WORDS } from "../../site/words/feed.ts";

type ComponentStatus = StatuspageComponent["status"];

/** The impact of an incident with such a component, the mildest first. */
const IMPACTS = [
  ["operational", "none"],
  ["degraded_performance", "minor"],
  ["partial_outage", "major"],
  ["major_outage", "critical"],
] as const satisfies readonly (readonly [ComponentStatus, StatuspageIncident["impact"]])[];

/** In place of times without a record: 1 January 2026, before the first check. It must not change with the runs. */
const BEFORE_MS = 1_767_225_600_000;

/** What the documents are built from. */
export interface StatuspageInput {
  /** In catalogue order. */
  readonly services: readonly ServiceSnapshot[];
  /** English names by slug, as the format is English; a service without one has its Russian name. */
  readonly englishNames: ReadonlyMap<string, string>;
  readonly log: VerdictLog;
  readonly incidents: Incidents;
  /** URL of the website without a slash at its end; undefined: it has none. */
  readonly siteUrl: string | undefined;
}

/** The state of all services as Statuspage publishes it. The documents change only with a verdict or its liveness. */
export function buildStatuspage(input: StatuspageInput): readonly Document[] {
  const { services, incidents, siteUrl } = input;
  const page: StatuspagePage = {
    id: PAGE_ID,
    name: FRAME_WORDS.en.siteName,
    url: siteUrl === undefined ? "" : `${siteUrl}/en/`,
    time_zone: "Etc/UTC",
    updated_at: toTime(incidents.changedAtMs ?? BEFORE_MS),
  };
  const changedAt = new Map(input.log.changes.map(({ slug, atMs }) => [slug, atMs]));
  const components = services.map((service, place) => {
    const name = input.englishNames.get(service.slug) ?? service.name;
    return toComponent({ ...service, name }, place + 1, changedAt.get(service.slug));
  });
  const byId = new Map(components.map((component) => [component.id, component]));
  const present = (incident: Incident, isOpen: boolean) =>
    toIncident(incident, isOpen, byId.get(statuspageIdOf(incident.slug)), siteUrl);
  const open = incidents.open.map((incident) => present(incident, true)).toReversed();
  const past = incidents.past.map((incident) => present(incident, false)).toReversed();
  const indicator = indicatorOf(open.length, services.length);
  const status = { indicator, description: STATUSPAGE_WORDS.indicators[indicator] };
  const publish = (name: string, content: object): Document =>
    toJsonDocument(`api/v2/${name}.json`, { page, ...content });
  const maintenances = { scheduled_maintenances: [] };
  return [
    publish("summary", { components, incidents: open, ...maintenances, status }),
    publish("status", { status }),
    publish("components", { components }),
    publish("incidents", {
      incidents: [...open, ...past].slice(0, Math.max(open.length, MAX_INCIDENTS)),
    }),
    publish("incidents/unresolved", { incidents: open }),
    publish("scheduled-maintenances", maintenances),
    publish("scheduled-maintenances/active", maintenances),
    publish("scheduled-maintenances/upcoming", maintenances),
  ];
}

/** As many as Statuspage shows, or all that are open. */
const MAX_INCIDENTS = 50;

const PAGE_ID = statuspageIdOf("");

function toComponent(
  { slug, name, verdict: { code } }: ServiceSnapshot,
  position: number,
  changedAtMs: number = BEFORE_MS,
): StatuspageComponent {
  return {
    id: statuspageIdOf(slug),
    name,
    status: VERDICTS[code].component,
    created_at: toTime(BEFORE_MS),
    updated_at: toTime(changedAtMs),
    position,
    description: code === "ok" ? null : STATUSPAGE_WORDS.labelOf(code),
    showcase: true,
    start_date: null,
    group_id: null,
    page_id: PAGE_ID,
    group: false,
    only_show_if_degraded: false,
  };
}

function toIncident(
  { slug, steps }: Incident,
  isOpen: boolean,
  component: StatuspageComponent | undefined,
  siteUrl: string | undefined,
): StatuspageIncident {
  const [first] = steps;
  const last = steps.at(-1);
  const startedAt = toTime(first?.atMs ?? BEFORE_MS);
  const id = statuspageIdOf(`${slug}.${startedAt}`);
  const name = component?.name ?? slug;
  const end = toTime(last?.atMs ?? BEFORE_MS);
  const isMonitoring = isOpen && last?.code === "none";
  // A service that left the catalogue has no page of its own.
  const path = component === undefined ? "/en/" : `/en/status/${slug}`;
  return {
    id,
    name: `${name}: ${STATUSPAGE_WORDS.labelOf(first?.code ?? "none")}`,
    status: !isOpen ? "resolved" : isMonitoring ? "monitoring" : "investigating",
    created_at: startedAt,
    updated_at: end,
    monitoring_at: isMonitoring ? end : null,
    resolved_at: isOpen ? null : end,
    impact: impactOf(steps),
    shortlink: siteUrl === undefined ? "" : `${siteUrl}${path}`,
    started_at: startedAt,
    page_id: PAGE_ID,
    incident_updates: toUpdates({ slug, steps }, id, isOpen, name),
    components: component === undefined ? [] : [component],
  };
}

/** A code that ends an incident is milder than one that began it. */
function impactOf(steps: Incident["steps"]): StatuspageIncident["impact"] {
  const statuses: ReadonlySet<ComponentStatus> = new Set(
    steps.map(({ code }) => VERDICTS[code].component),
  );
  return IMPACTS.findLast(([status]) => statuses.has(status))?.[1] ?? "none";
}

/** The newest first. */
function toUpdates(
  { slug, steps }: Incident,
  incidentId: string,
  isOpen: boolean,
  name: string,
): readonly StatuspageUpdate[] {
  return steps
    .map(({ atMs, code }, place): StatuspageUpdate => {
      const at = toTime(atMs);
      const old_status = VERDICTS[steps[place - 1]?.code ?? "ok"].component;
      const new_status = VERDICTS[code].component;
      const isEnd = !isOpen && place === steps.length - 1;
      return {
        id: statuspageIdOf(`${slug}.${at}.${code}`),
        status: isEnd ? "resolved" : code === "none" ? "monitoring" : "investigating",
        body:
          isEnd && code === "none"
            ? STATUSPAGE_WORDS.gone
            : `${STATUSPAGE_WORDS.labelOf(code)}. ${STATUSPAGE_WORDS.explain(code)}`,
        incident_id: incidentId,
        created_at: at,
        updated_at: at,
        display_at: at,
        affected_components: [{ code: statuspageIdOf(slug), name, old_status, new_status }],
        deliver_notifications: false,
        custom_tweet: null,
        tweet_id: null,
      };
    })
    .toReversed();
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
