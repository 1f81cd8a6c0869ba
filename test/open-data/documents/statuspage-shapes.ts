/**
 * Fields and types of pages of Statuspage, as they were published: names of the page, then of components, incidents and updates. Only
 * shapes are kept, no content. `null` stands beside the type where the page had both.
 */
export type Shape = Readonly<Record<string, string>>;

/** Seen on 2026-11-24 in copies of these documents: Discord of 2019 and 2022, GitHub of 2025, Cloudflare of 2026. */
export const PAGES = {
  discord: {
    page: {
      id: "string",
      name: "string",
      url: "string",
      time_zone: "string",
      updated_at: "time",
    },
    component: {
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
    },
    incident: {
      id: "string",
      name: "string",
      status: "string",
      created_at: "time",
      updated_at: "time",
      monitoring_at: "time|null",
      resolved_at: "time|null",
      impact: "string",
      shortlink: "string",
      started_at: "time",
      page_id: "string",
      incident_updates: "array",
      components: "array",
    },
    update: {
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
    },
  },
  github: {
    page: {
      id: "string",
      name: "string",
      url: "string",
      time_zone: "string",
      updated_at: "time",
    },
    status: { indicator: "string", description: "string" },
    summary: {
      page: "object",
      components: "array",
      incidents: "array",
      scheduled_maintenances: "array",
      status: "object",
    },
    component: {
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
    },
  },
  cloudflare: {
    page: {
      id: "string",
      name: "string",
      url: "string",
      time_zone: "string",
      updated_at: "time",
    },
    status: { indicator: "string", description: "string" },
    summary: {
      page: "object",
      status: "object",
      components: "array",
      incidents: "array",
      scheduled_maintenances: "array",
    },
  },
  emma: {
    page: {
      id: "string",
      name: "string",
      url: "string",
      time_zone: "string",
      updated_at: "time",
    },
    incident: {
      name: "string",
      status: "string",
      created_at: "time",
      updated_at: "time",
      monitoring_at: "time|null",
      resolved_at: "time|null",
      shortlink: "string",
      id: "string",
      page_id: "string",
      incident_updates: "array",
    },
    update: {
      status: "string",
      body: "string",
      created_at: "time",
      updated_at: "time",
      display_at: "time",
      affected_components: "array|null",
      deliver_notifications: "boolean",
      tweet_id: "string|null",
      id: "string",
      incident_id: "string",
      custom_tweet: "string|null",
    },
  },
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
