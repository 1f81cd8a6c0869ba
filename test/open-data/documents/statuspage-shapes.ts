/**
 * Fields and types of pages of Statuspage, as they were published: names of the page, then of components, incidents and updates. Only
 * shapes are kept, no content. `null` stands beside the type where the page had both.
 */
export type Shape = Readonly<Record<string, string>>;

/* What two of the pages have is the same in both, except for incidents. */

const PAGE = {
  id: "string",
  name: "string",
  url: "string",
  time_zone: "string",
  updated_at: "time",
} as const;

const STATUS = { indicator: "string", description: "string" } as const;

const SUMMARY = {
  page: "object",
  components: "array",
  incidents: "array",
  scheduled_maintenances: "array",
  status: "object",
} as const;

const COMPONENT = {
  id: "string",
  name: "string",
  status: "string",
  created_at: "time",
  updated_at: "time",
  position: "number",
  description: "string|null",
  showcase: "boolean",
  start_date: "string|null",
  group_id: "string|null",
  page_id: "string",
  group: "boolean",
  only_show_if_degraded: "boolean",
} as const;

/** Without what only Discord has. */
const INCIDENT = {
  id: "string",
  name: "string",
  status: "string",
  created_at: "time",
  updated_at: "time",
  monitoring_at: "time|null",
  resolved_at: "time|null",
  shortlink: "string",
  page_id: "string",
  incident_updates: "array",
} as const;

const UPDATE = {
  id: "string",
  status: "string",
  body: "string",
  incident_id: "string",
  created_at: "time",
  updated_at: "time",
  display_at: "time",
  affected_components: "array|null",
  deliver_notifications: "boolean",
  custom_tweet: "string|null",
  tweet_id: "string|null",
} as const;

/** Seen on 2026-11-24 in copies of these documents: Discord of 2019 and 2022, GitHub of 2025, Cloudflare of 2026. */
export const PAGES = {
  discord: {
    page: PAGE,
    component: COMPONENT,
    incident: { ...INCIDENT, impact: "string", started_at: "time", components: "array" },
    update: UPDATE,
  },
  github: { page: PAGE, status: STATUS, summary: SUMMARY, component: COMPONENT },
  cloudflare: { page: PAGE, status: STATUS, summary: SUMMARY },
  emma: { page: PAGE, incident: INCIDENT, update: UPDATE },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Shape>>>>;

/** The names of the fields of a value that it lacks or has with another type than the shape. */
export function misfits(value: object, shape: Shape): readonly string[] {
  const fields = new Map<string, unknown>(Object.entries(value));
  return Object.entries(shape)
    .filter(([name, type]) => !fields.has(name) || !isOfType(fields.get(name), type))
    .map(([name]) => name);
}

function isOfType(value: unknown, type: string): boolean {
  return type.split("|").some((one) => {
    if (one === "null") return value === null;
    if (one === "array") return Array.isArray(value);
    if (one === "time") return typeof value === "string" && TIME.test(value);
    return value !== null && typeof value === one;
  });
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/u;
