import { createHash } from "node:crypto";
import { isObject, type JsonObject, show } from "../api/parse-json.ts";
import {
  COUNT,
  FLAG,
  type FieldRule,
  findListProblems,
  findShapeProblems,
  LIST,
  matching,
  NAME,
  NULL,
  objectsOf,
  oneOf,
  orNull,
  repeatedOf,
  type Shape,
  TEXT,
  TIMESTAMP,
} from "../api/shape.ts";
import {
  COMPONENT_STATUS_BY_CODE,
  INDICATORS,
  STATUSPAGE_PARTS,
  type StatuspageName,
} from "../api/specification.ts";

const ID = matching(/^[a-z2-7]{12}$/u, "12 of a–z and 2–7");
const COMPONENT_STATUS = oneOf([...new Set(COMPONENT_STATUS_BY_CODE.values())]);
const INCIDENT_STATUS = oneOf(["investigating", "monitoring", "resolved"]);

const PAGE: Shape = {
  id: ID,
  name: NAME,
  url: TEXT,
  time_zone: oneOf(["Etc/UTC"]),
  updated_at: TIMESTAMP,
};

const COMPONENT: Shape = {
  id: ID,
  name: NAME,
  status: COMPONENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  position: COUNT,
  description: orNull(NAME),
  showcase: FLAG,
  start_date: NULL,
  group_id: NULL,
  page_id: ID,
  group: FLAG,
  only_show_if_degraded: FLAG,
};

const INCIDENT: Shape = {
  id: ID,
  name: NAME,
  status: INCIDENT_STATUS,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  monitoring_at: orNull(TIMESTAMP),
  resolved_at: orNull(TIMESTAMP),
  impact: oneOf(["none", "minor", "major", "critical"]),
  shortlink: TEXT,
  started_at: TIMESTAMP,
  page_id: ID,
  incident_updates: LIST,
  components: LIST,
};

const UPDATE: Shape = {
  id: ID,
  status: INCIDENT_STATUS,
  body: NAME,
  incident_id: ID,
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
  display_at: TIMESTAMP,
  affected_components: LIST,
  deliver_notifications: FLAG,
  custom_tweet: NULL,
  tweet_id: NULL,
};

const STATUS: Shape = {
  indicator: oneOf(["none", ...INDICATORS.map(([name]) => name)]),
  description: NAME,
};

/** The id of a component: the first 12 letters of base32 (RFC 4648, lower case) of SHA-256 of the slug. */
export function componentIdOf(slug: string): string {
  const bits = BigInt(`0x${createHash("sha256").update(slug).digest("hex").slice(0, 15)}`);
  const letters = Array.from({ length: 12 }, (_, place) => (bits >> BigInt(55 - 5 * place)) & 31n);
  return letters.map((letter) => "abcdefghijklmnopqrstuvwxyz234567"[Number(letter)]).join("");
}

/** The problems of one document in the format of Statuspage. Source: docs/open-data.md, "Statuspage". */
export function findStatuspageProblems(name: StatuspageName, value: JsonObject): readonly string[] {
  const parts: readonly (keyof typeof PARTS)[] = STATUSPAGE_PARTS[name];
  const anything: FieldRule = { isRight: () => true, words: "anything" };
  const shape = Object.fromEntries(["page", ...parts].map((part) => [part, anything]));
  return [
    ...findShapeProblems(value, shape),
    ...findObjectProblems(value["page"], "page", PAGE),
    ...parts.flatMap((part) => PARTS[part](value[part])),
    ...(name === "summary" ? findIndicatorProblems(value) : []),
    ...(name === "incidents/unresolved" ? findResolved(value) : []),
  ];
}

const PARTS = {
  components: findComponentProblems,
  incidents: (list: unknown) => findListProblems(list, "incident", INCIDENT, findUpdateProblems),
  scheduled_maintenances: (list: unknown) =>
    Array.isArray(list) && list.length === 0
      ? []
      : [`scheduled_maintenances is ${show(list)}, not an empty list`],
  status: (status: unknown) => findObjectProblems(status, "status", STATUS),
} as const;

function findObjectProblems(value: unknown, name: string, shape: Shape): readonly string[] {
  if (!isObject(value)) return [`${name} is ${show(value)}, not an object`];
  return findShapeProblems(value, shape).map((problem) => `${name}: ${problem}`);
}

function findComponentProblems(list: unknown): readonly string[] {
  const components = objectsOf(list);
  const repeated = repeatedOf(components.map(({ id }) => id));
  const misplaced = components.findIndex(({ position }, index) => position !== index + 1);
  return [
    ...findListProblems(list, "component", COMPONENT),
    ...repeated.map((id) => `the component ${show(id)} occurs more than once`),
    ...(misplaced === -1
      ? []
      : [
          `the position of component ${misplaced + 1} is ${show(components[misplaced]?.["position"])}`,
        ]),
  ];
}

function findUpdateProblems({ id, incident_updates: updates }: JsonObject): readonly string[] {
  return [
    ...findListProblems(updates, "update", UPDATE, ({ incident_id: of }) =>
      of === id ? [] : [`incident_id is ${show(of)}, not ${show(id)}`],
    ),
    ...(objectsOf(updates).length === 0 ? ["it has no update"] : []),
  ];
}

function findIndicatorProblems(summary: JsonObject): readonly string[] {
  const { status, components, incidents } = summary;
  if (!isObject(status) || !Array.isArray(components) || !Array.isArray(incidents)) return [];
  const share = incidents.length * 100;
  const [expected = "none"] =
    incidents.length === 0
      ? []
      : (INDICATORS.find(([, percent]) => share >= percent * components.length) ?? []);
  return status["indicator"] === expected
    ? []
    : [
        `the indicator is ${show(status["indicator"])}, not ${expected}, with ${incidents.length} open incidents of ${components.length} services`,
      ];
}

function findResolved({ incidents }: JsonObject): readonly string[] {
  return objectsOf(incidents)
    .filter(({ status }) => status === "resolved")
    .map(({ id }) => `the incident ${show(id)} is resolved`);
}
