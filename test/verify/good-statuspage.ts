import { createHash } from "node:crypto";

/** An entry of the list. */
export interface GoodEntry {
  readonly slug: string;
  readonly name: string;
  readonly color: string;
  readonly code: string;
  readonly live: boolean;
}

/** The names by slug that are others in English. */
export const ENGLISH_NAMES: Readonly<Record<string, string>> = { telegram: "Telegram" };

const EPOCH = "2026-01-01T00:00:00.000Z";
const PAGE_ID = idOf("");

const STATUSES: readonly (readonly [status: string, impact: string, codes: string])[] = [
  ["operational", "none", "ok provider none"],
  ["degraded_performance", "minor", "slow slowed_ru partial_ru spike restricted"],
  ["partial_outage", "major", "partial"],
  ["major_outage", "critical", "fail err fail_long restricted_fail"],
];

/** The documents in the format of Statuspage, by key, written independently of the publisher. */
export function drawStatuspage(
  services: readonly GoodEntry[],
  nowS: number,
): Readonly<Record<string, string>> {
  const at = new Date(nowS * 1_000).toISOString();
  const page = {
    id: PAGE_ID,
    name: "Service status",
    url: "",
    time_zone: "Etc/UTC",
    updated_at: at,
  };
  const components = services.map((service, index) => drawComponent(service, index + 1, at));
  const incidents = services.flatMap((service, index) =>
    service.live ? [drawIncident(service, components[index], at)] : [],
  );
  const share = incidents.length / services.length;
  const indicator =
    share >= 0.3 ? "critical" : share >= 0.05 ? "major" : share > 0 ? "minor" : "none";
  const status = { indicator, description: "In words" };
  const none = { scheduled_maintenances: [] };
  return Object.fromEntries(
    Object.entries({
      summary: { components, incidents, ...none, status },
      status: { status },
      components: { components },
      incidents: { incidents },
      "incidents/unresolved": { incidents },
      "scheduled-maintenances": none,
      "scheduled-maintenances/active": none,
      "scheduled-maintenances/upcoming": none,
    }).map(([name, content]) => [`api/v2/${name}.json`, JSON.stringify({ page, ...content })]),
  );
}

function statusOf(code: string): readonly [status: string, impact: string] {
  const [status = "", impact = ""] =
    STATUSES.find(([, , codes]) => codes.split(" ").includes(code)) ?? [];
  return [status, impact];
}

function drawComponent({ slug, name, code }: GoodEntry, position: number, at: string) {
  const [status] = statusOf(code);
  return {
    id: idOf(slug),
    name: ENGLISH_NAMES[slug] ?? name,
    status,
    created_at: EPOCH,
    updated_at: at,
    position,
    description: code === "ok" ? null : "In words",
    showcase: true,
    start_date: null,
    group_id: null,
    page_id: PAGE_ID,
    group: false,
    only_show_if_degraded: false,
  };
}

function drawIncident({ slug, name, code }: GoodEntry, component: unknown, at: string) {
  const id = idOf(`${slug}.${at}`);
  const [status, impact] = statusOf(code);
  const affected = { code: idOf(slug), name, old_status: "operational", new_status: status };
  return {
    id,
    name: `${name}: does not work`,
    status: "investigating",
    created_at: at,
    updated_at: at,
    monitoring_at: null,
    resolved_at: null,
    impact,
    shortlink: "",
    started_at: at,
    page_id: PAGE_ID,
    incident_updates: [
      {
        id: idOf(`${slug}.${at}.${code}`),
        status: "investigating",
        body: "In words",
        incident_id: id,
        created_at: at,
        updated_at: at,
        display_at: at,
        affected_components: [affected],
        deliver_notifications: false,
        custom_tweet: null,
        tweet_id: null,
      },
    ],
    components: [component],
  };
}

/** 12 letters of base32, five bits each, most significant first. */
function idOf(text: string): string {
  let id = "";
  let [bits, held] = [0, 0];
  for (const byte of createHash("sha256").update(text).digest().subarray(0, 8)) {
    bits = ((bits & 31) << 8) | byte;
    for (held += 8; held >= 5; held -= 5)
      id += "abcdefghijklmnopqrstuvwxyz234567".charAt((bits >> (held - 5)) & 31);
  }
  return id.slice(0, 12);
}
