/** The documents in the format of Statuspage, which change with every verdict. */
export const STATUSPAGE_KEYS: readonly string[] = [
  "api/v2/components.json",
  "api/v2/incidents.json",
  "api/v2/incidents/unresolved.json",
  "api/v2/scheduled-maintenances.json",
  "api/v2/scheduled-maintenances/active.json",
  "api/v2/scheduled-maintenances/upcoming.json",
  "api/v2/status.json",
  "api/v2/summary.json",
];
