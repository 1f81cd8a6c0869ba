import { SYMPTOMS } from "../../src/model/service/choices.ts";
import { DEFAULT_SITE_SETTINGS } from "../../src/model/site-settings.ts";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { REPORT_REFUSALS } from "../../src/reports/intake/responses.ts";
import { badgeKeys } from "../../src/images/badge/content.ts";
import type { Document, ServiceSnapshot } from "../../src/model/service/snapshot.ts";
import { COLOR_OF, type CodeAndColor } from "../../src/contract/codes/verdict.ts";
import { buildOpenApi } from "../../src/site/openapi/openapi.ts";
import { buildDocuments } from "../../src/services/snapshot/api-documents.ts";
import { createOwnerHarness } from "../monitors/owner-api/owner-harness.ts";
import { bodyOf, createVisitorHarness } from "../visitors/visitor-harness.ts";
import { validatorsOf } from "./schemas.ts";

const ADDRESS = { ...DEFAULT_SITE_SETTINGS, origin: "https://status.example.ru", root: "/status" };

const PAIRS: readonly CodeAndColor[] = [
  { code: "ok", color: "ok" },
  { code: "fail", color: "bad" },
  { code: "fail_long", color: "bad" },
  { code: "err", color: "bad" },
  { code: "restricted_fail", color: "bad" },
  { code: "restricted", color: "bad" },
  { code: "slow", color: "warn" },
  { code: "partial", color: "warn" },
  { code: "spike", color: "warn" },
  { code: "slowed_ru", color: "warn" },
  { code: "partial_ru", color: "warn" },
  { code: "provider", color: "warn" },
  { code: "none", color: "none" },
];

const SERVICES: readonly ServiceSnapshot[] = PAIRS.map((pair, at) => ({
  slug: `service-${at}`,
  name: `Сервис «${at}» <b>`,
  verdict: { ...pair, live: at % 2 === 0, sinceMs: at === 12 ? null : 1_795_000_000_999 },
  reports: { hour: at, day: at * 20, isSurging: false },
}));

const OPEN_API = JSON.parse(buildOpenApi(ADDRESS));

const validatorOf = validatorsOf(OPEN_API);
const LIST = validatorOf("StatusList");
const DETAIL = validatorOf("StatusDetail");

function contentOf({ body }: Document): unknown {
  return JSON.parse(new TextDecoder().decode(body));
}

const DOCUMENTS = buildDocuments({ updatedAtMs: 1_795_000_000_999, services: SERVICES });

describe("the document", () => {
  test("conforms to the official schema of OpenAPI 3.1", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(OPEN_API));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  test("fails that schema if it is wrong", async () => {
    const { valid } = await new Validator().validate({ ...OPEN_API, paths: { status: 1 } });
    expect(valid).toBe(false);
  });

  test("depends only on the address of the site", () => {
    expect(OPEN_API.servers).toEqual([{ url: "https://status.example.ru/status" }]);
    expect(buildOpenApi({ ...ADDRESS })).toBe(buildOpenApi(ADDRESS));
    const moved = buildOpenApi({
      ...DEFAULT_SITE_SETTINGS,
      origin: "http://127.0.0.1:8080",
      root: "",
    });
    expect(moved).not.toContain("status.example.ru");
  });

  test("has unique operations, and no dangling or unused schema", () => {
    const operations = Object.values<Record<string, { operationId: string }>>(
      OPEN_API.paths,
    ).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    expect(operations).toEqual([
      "listStatuses",
      "getStatus",
      "getEvidence",
      "listVantages",
      "getRawEvidence",
      "getAccuracy",
      "getBadge",
      "getBadgePng",
      "getBadgeJson",
      "getBadgeOfWindow",
      "report",
      "getChanges",
      "getArchiveIndex",
      "getDataPackage",
      "getUptimes",
      "getHistory",
      "getMonitorHistory",
      "listOutages",
      "listOutagesOfMonth",
      "listOutagesOfDay",
      "getOutage",
      "getOperators",
      "getServiceBadgeJson",
      "getOverallBadgeJson",
      "getMetrics",
      "getSummaryV2",
      "getStatusV2",
      "getComponentsV2",
      "getIncidentsV2",
      "getUnresolvedIncidentsV2",
      "getMaintenancesV2",
      "getActiveMaintenancesV2",
      "getUpcomingMaintenancesV2",
    ]);
    const names = Object.keys(OPEN_API.components.schemas);
    const referred = [...JSON.stringify(OPEN_API).matchAll(/"#\/components\/schemas\/(\w+)"/gu)];
    for (const [, name] of referred) expect(names).toContain(name);
    expect(names.filter((name) => !referred.some(([, other]) => other === name))).toEqual([]);
  });

  test("describes exactly the published badges", () => {
    const { parameters } = OPEN_API.paths["/api/m/{id}/badge-{window}.svg"].get;
    const windows: string[] = parameters[1].schema.enum;
    const described = Object.keys(OPEN_API.paths)
      .filter((path) => path.startsWith("/api/m/"))
      .flatMap((path) => windows.map((window) => path.replace("{window}", window)))
      .map((path) => path.replace("{id}", "my-shop").slice(1));
    expect(new Set(described)).toEqual(new Set(badgeKeys("my-shop")));
  });

  test("has the responses and headers of each read", () => {
    const reads = Object.entries<{ readonly get?: { readonly responses: object } }>(
      OPEN_API.paths,
    ).flatMap(([path, { get }]) => (get === undefined ? [] : [[path, get.responses] as const]));
    expect(reads).toHaveLength(32);
    for (const [path, responses] of reads) {
      const isAlwaysThere = ["/api/v1/status", "/accuracy/v1.json"].includes(path);
      const statuses = ["200", "304", ...(isAlwaysThere ? [] : ["404"]), "429", "503"];
      expect([path, Object.keys(responses).toSorted()]).toEqual([path, statuses]);
      expect(responses).toMatchObject({
        200: {
          headers: {
            "Cache-Control": { schema: { const: "max-age=60" } },
            ETag: {},
            "Access-Control-Allow-Origin": { schema: { const: "*" } },
            "Access-Control-Expose-Headers": { schema: { const: "Age, Date, ETag, Retry-After" } },
          },
        },
        429: { headers: { "Retry-After": {} } },
        503: { headers: { "Retry-After": {} } },
      });
    }
  });

  test("has the id pattern of the registry", () => {
    const [id] = OPEN_API.paths["/api/m/{id}/badge.svg"].get.parameters;
    const pattern = new RegExp(id.schema.pattern, "u");
    for (const each of ["My_shop-1", "a", "Z".repeat(64)]) expect(each).toMatch(pattern);
    for (const each of ["", "a.b", "a/b", "Z".repeat(65), "магазин"]) {
      expect(each).not.toMatch(pattern);
    }
  });

  test("has every error status of the intake, and its symptoms", () => {
    const { responses } = OPEN_API.paths["/report/{slug}"].post;
    const refusals = Object.values(REPORT_REFUSALS).map(([status]) => String(status));
    const posted = new Set(["202", "303", ...refusals.filter((status) => status !== "405")]);
    expect(new Set(Object.keys(responses))).toEqual(posted);
    expect(OPEN_API.components.schemas.Symptom.enum).toEqual(SYMPTOMS);
  });
});

describe("a published document", () => {
  test("matches its schema for each of the 13 codes", () => {
    expect(PAIRS).toHaveLength(Object.keys(COLOR_OF).length);
    for (const document of DOCUMENTS) {
      const isValid = document.key === "api/v1/status" ? LIST : DETAIL;
      expect(isValid(contentOf(document)), JSON.stringify(isValid.errors)).toBe(true);
    }
  });

  const detail = {
    slug: "sberbank",
    name: "Сбербанк Онлайн",
    color: "bad",
    code: "fail",
    live: true,
    since: 1_795_000_000,
    reportsHour: 3,
    reportsDay: 41,
  };

  test("with any other pair of code and colour is invalid", () => {
    const colors = ["ok", "warn", "bad", "none"];
    for (const { code, color } of PAIRS) {
      for (const other of colors) {
        expect(DETAIL({ ...detail, code, color: other }), `${code} ${other}`).toBe(other === color);
      }
    }
    expect(DETAIL({ ...detail, code: "down", color: "bad" })).toBe(false);
  });

  test("with a missing or an additional field is invalid", () => {
    for (const field of Object.keys(detail)) {
      const rest = Object.entries(detail).filter(([name]) => name !== field);
      expect(DETAIL(Object.fromEntries(rest)), field).toBe(false);
    }
    expect(DETAIL({ ...detail, category: "banks" })).toBe(false);
    expect(LIST({ updated: 1, services: [], total: 0 })).toBe(false);
    expect(LIST({ updated: 1 })).toBe(false);
    expect(LIST({ services: [] })).toBe(false);
    expect(LIST({ updated: 1, services: [detail] })).toBe(false);
  });

  test.each([
    ["slug", "Sberbank"],
    ["slug", "-a"],
    ["name", ""],
    ["live", "true"],
    ["live", null],
    ["since", "2026-11-21"],
    ["since", 1_795_000_000.5],
    ["since", -1],
    ["reportsHour", -1],
    ["reportsDay", null],
  ])("with %s of %j is invalid", (field, value) => {
    expect(DETAIL(detail)).toBe(true);
    expect(DETAIL({ ...detail, [field]: value })).toBe(false);
  });
});

describe("with monitors of owners", () => {
  const document = JSON.parse(buildOpenApi({ ...ADDRESS, isSelfService: true }));

  test("the document conforms to the schema of OpenAPI, and names every operation", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/monitors"));
    expect(paths).toEqual([
      "/monitors",
      "/monitors/{id}",
      "/monitors/{id}/verify",
      "/monitors/{id}/restore",
      "/monitors/{id}/channels",
      "/monitors/{id}/channels/{channel}",
      "/monitors/{id}/token",
    ]);
  });

  test("the answers of the operations conform to their schemas", async () => {
    const validate = validatorsOf(document);
    const alerts = { pushKey: "B", isPlainAllowed: false };
    const { ask, prove, register } = createOwnerHarness({ alerts });
    const registration = await register();
    expect(validate("OwnerRegistration")(registration)).toBe(true);
    const { id, token: key } = await prove();
    const verified = await ask("POST", `/monitors/${id}/verify`, { key });
    expect(validate("OwnerLook")(verified.body.look)).toBe(true);
    const body = { webhook: "https://hooks.example.ru/" };
    expect(validate("NewChannel")(body)).toBe(true);
    const added = await ask("POST", `/monitors/${id}/channels`, { key, body });
    expect([added.status, validate("AddedChannel")(added.body)]).toEqual([201, true]);
    for (const path of [`/monitors/${id}`, `/monitors/${registration.id}`]) {
      const record = await ask("GET", path, { key: path.endsWith(id) ? key : registration.token });
      expect([path, record.status, validate("OwnedMonitor")(record.body)]).toEqual([
        path,
        200,
        true,
      ]);
    }
    const refused = await ask("POST", "/monitors", { body: { url: "http://127.0.0.1/" } });
    expect(validate("OwnerProblem")(refused.body)).toBe(true);
    expect(validate("OwnerProblem")({ ...refused.body, code: "x" })).toBe(false);
  });

  test("without them it has none of these paths", () => {
    expect(Object.keys(OPEN_API.paths).filter((path) => path.startsWith("/monitors"))).toEqual([]);
    expect(OPEN_API.components.securitySchemes).toBeUndefined();
  });
});

describe("where browsers can subscribe", () => {
  const pushKey = `B${"a".repeat(86)}`;
  const document = JSON.parse(buildOpenApi({ ...ADDRESS, reportUrl: "", pushKey }));

  test("the document conforms to the schema of OpenAPI, and names every operation", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    const paths = Object.keys(document.paths).filter((path) => path.startsWith("/push"));
    expect(paths).toEqual(["/push", "/push/{id}"]);
    expect(Object.keys(document.components.securitySchemes)).toEqual(["pushToken"]);
  });

  test("bodies and answers conform to their schemas", async () => {
    const validate = validatorsOf(document);
    const { ask } = createVisitorHarness();
    const body = bodyOf("a");
    expect(validate("NewSubscription")(body)).toBe(true);
    const made = await ask("POST", "/push", { body });
    expect([made.status, validate("Subscription")(made.body)]).toEqual([201, true]);
    const { id, token } = made.body;
    const services = { services: ["telegram"] };
    expect(validate("FollowedServices")(services)).toBe(true);
    const changed = await ask("PUT", `/push/${id}`, { token, body: services });
    expect([changed.status, validate("Subscription")(changed.body)]).toEqual([200, true]);
    const refused = await ask("POST", "/push", { body: {} });
    expect(validate("PushProblem")(refused.body)).toBe(true);
    expect(validate("PushProblem")({ ...refused.body, code: "x" })).toBe(false);
  });

  test("elsewhere it has none of these paths", () => {
    expect(Object.keys(OPEN_API.paths).filter((path) => path.startsWith("/push"))).toEqual([]);
  });
});
