import { serve } from "@hono/node-server";
import { once } from "node:events";
import { Statuspage } from "statuspage.io";
import { expect, onTestFinished, test } from "vitest";
import { type Incidents, NO_VERDICTS } from "../../../src/model/service/verdict-change.ts";
import { type VerdictCode, VERDICT_CODES } from "../../../src/contract/codes/verdict.ts";
import { buildStatuspage } from "../../../src/open-data/documents/statuspage.ts";
import { createFront } from "../../../src/preview/front.ts";
import { createMemoryStore } from "../../store/memory-store.ts";
import { changeOf } from "../../model/verdict-changes.ts";
import { T0 } from "../../model/samples.ts";
import { snapshotOf } from "../../services/snapshot/snapshot-of.ts";
import { contentOf } from "./read.ts";
import { misfits, PAGES, type Shape } from "./statuspage-shapes.ts";

const OPEN = { slug: "bank", steps: [{ atMs: T0, code: "fail" }] } as const;
const PAST = {
  slug: "shop",
  steps: [
    { atMs: T0 - 90_000, code: "spike" },
    { atMs: T0 - 60_000, code: "partial" },
    { atMs: T0 - 30_000, code: "ok" },
  ],
} as const;
const INCIDENTS: Incidents = { open: [OPEN], past: [PAST], changedAtMs: T0 };
const CHANGE = changeOf({ slug: "bank", atMs: T0, code: "fail", live: true });

function publish(codes: Readonly<Record<string, VerdictCode>>, incidents: Incidents = INCIDENTS) {
  const log = { ...NO_VERDICTS, changes: [CHANGE], next: 2 };
  const { services } = snapshotOf(codes);
  const englishNames = new Map([["bank", "The Bank"]]);
  const siteUrl = "https://status.example.ru";
  return buildStatuspage({ services, englishNames, log, incidents, siteUrl });
}

test("names are English where the catalogue has them", () => {
  const { components, incidents } = read("summary");
  const [bank, shop] = components as readonly { readonly name: string }[];
  expect(bank?.name).toBe("The Bank");
  expect(shop?.name).not.toBe("The Bank");
  expect((incidents as readonly { readonly name: string }[])[0]?.name).toMatch(/^The Bank: /u);
});

const DOCUMENTS = publish({ bank: "fail", shop: "ok" });

function read(name: string) {
  const found = DOCUMENTS.find(({ key }) => key === `api/v2/${name}.json`);
  if (found === undefined) throw new Error(`no document ${name}`);
  return contentOf(found);
}

test("a component says what is wrong, and nothing if it works", () => {
  const { components } = read("summary");
  expect(components).toMatchObject([
    { status: "major_outage", description: "Outage: does not open", position: 1 },
    { status: "operational", description: null, position: 2 },
  ]);
});

test("the documents have every field of live pages, with the types of these", () => {
  const { page, status, components } = read("summary");
  const incidents: { readonly incident_updates: readonly object[] }[] = read("incidents").incidents;
  const ours: Readonly<Record<string, readonly object[]>> = {
    page: [page],
    summary: [read("summary")],
    status: [status],
    component: components,
    incident: incidents,
    update: incidents.flatMap((one) => one.incident_updates),
  };
  for (const [name, shapes] of Object.entries<Readonly<Record<string, Shape>>>(PAGES)) {
    for (const [kind, shape] of Object.entries(shapes)) {
      expect(ours[kind]?.length).toBeGreaterThan(0);
      for (const value of ours[kind] ?? [])
        expect([name, kind, misfits(value, shape)]).toEqual([name, kind, []]);
    }
  }
});

test("a field that is missing or of another type is found", () => {
  const { page } = read("status");
  expect(misfits({ ...page, id: 1, updated_at: "today" }, PAGES.github.page)).toEqual([
    "id",
    "updated_at",
  ]);
});

test("a client of Statuspage reads the documents", async () => {
  const store = createMemoryStore();
  for (const { key, ...object } of DOCUMENTS) await store.write(key, object);
  const server = serve({ fetch: createFront(store).fetch, hostname: "127.0.0.1", port: 0 });
  onTestFinished(async () => {
    const closed = once(server, "close");
    server.close();
    await closed;
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const client = new Statuspage("unused");
  client.setApiUrl(`http://127.0.0.1:${port}`);
  const { api } = client;
  expect((await api.getStatus()).status).toEqual({
    indicator: "critical",
    description: "Major Service Outage",
  });
  const { components } = await api.getComponents();
  expect(components.map(({ name, status }) => [name, status])).toEqual([
    ["The Bank", "major_outage"],
    ["shop", "operational"],
  ]);
  expect((await api.getSummary()).page.url).toBe("https://status.example.ru/en/");
  const { incidents } = await api.incidents.getUnresolved();
  expect(incidents.map(({ name, impact }) => [name, impact])).toEqual([
    ["The Bank: Outage: does not open", "critical"],
  ]);
  expect((await api.incidents.getAll()).incidents.map(({ status }) => status)).toEqual([
    "investigating",
    "resolved",
  ]);
  expect((await api.scheduledMaintenances.getAll()).scheduled_maintenances).toEqual([]);
});

test("an incident that is over has its end, worst impact, and steps, newest first", () => {
  const [, past] = read("incidents").incidents;
  expect(past).toMatchObject({
    name: "shop: Rising number of reports",
    impact: "major",
    resolved_at: new Date(T0 - 30_000).toISOString(),
    started_at: new Date(T0 - 90_000).toISOString(),
    shortlink: "https://status.example.ru/en/status/shop",
  });
  const updates: readonly { status: string; affected_components: object[] }[] =
    past.incident_updates;
  expect(updates.map(({ status }) => status)).toEqual([
    "resolved",
    "investigating",
    "investigating",
  ]);
  expect(updates[0]?.affected_components).toMatchObject([
    { old_status: "partial_outage", new_status: "operational" },
  ]);
});

test("an incident of a service that left the catalogue is resolved under its slug", () => {
  const steps = [...OPEN.steps, { atMs: T0 + 60_000, code: "none" }] as const;
  const past = [{ slug: "bank", steps }];
  const documents = publish({ shop: "ok" }, { open: [], past, changedAtMs: T0 + 60_000 });
  const all = documents.find(({ key }) => key === "api/v2/incidents.json");
  const [incident] = all === undefined ? [] : contentOf(all).incidents;
  expect(incident).toMatchObject({
    name: "bank: Outage: does not open",
    status: "resolved",
    impact: "critical",
    resolved_at: new Date(T0 + 60_000).toISOString(),
    shortlink: "https://status.example.ru/en/",
    components: [],
    incident_updates: [
      { status: "resolved", body: expect.stringContaining("left this page") },
      { status: "investigating" },
    ],
  });
});

test("an open incident whose service has no verdict now is watched", () => {
  const steps = [...OPEN.steps, { atMs: T0 + 60_000, code: "none" }] as const;
  const open = [{ slug: "bank", steps }];
  const at = new Date(T0 + 60_000).toISOString();
  const documents = publish({ bank: "none" }, { open, past: [], changedAtMs: T0 + 60_000 });
  const found = documents.find(({ key }) => key === "api/v2/incidents/unresolved.json");
  expect(found && contentOf(found).incidents).toMatchObject([
    {
      status: "monitoring",
      impact: "critical",
      monitoring_at: at,
      resolved_at: null,
      updated_at: at,
      incident_updates: [{ status: "monitoring" }, { status: "investigating" }],
    },
  ]);
  expect(read("incidents").incidents[0]).toMatchObject({ monitoring_at: null, resolved_at: null });
});

test("without a website an incident has no address", () => {
  const documents = buildStatuspage({
    services: snapshotOf({ bank: "fail" }).services,
    englishNames: new Map(),
    log: NO_VERDICTS,
    incidents: INCIDENTS,
    siteUrl: undefined,
  });
  const [summary = expect.unreachable()] = documents;
  const { page, incidents } = contentOf(summary);
  expect([page.url, incidents[0].shortlink]).toEqual(["", ""]);
});

test("each code has the status of the table", () => {
  const codes = Object.fromEntries(VERDICT_CODES.map((code) => [code.replace("_", "-"), code]));
  const [summary] = publish(codes);
  if (summary === undefined) throw new Error("no summary");
  const components: readonly { name: string; status: string }[] = contentOf(summary).components;
  expect(Object.fromEntries(components.map(({ name, status }) => [name, status]))).toEqual({
    ok: "operational",
    provider: "operational",
    none: "operational",
    slow: "degraded_performance",
    "slowed-ru": "degraded_performance",
    "partial-ru": "degraded_performance",
    spike: "degraded_performance",
    restricted: "degraded_performance",
    partial: "partial_outage",
    fail: "major_outage",
    err: "major_outage",
    "fail-long": "major_outage",
    "restricted-fail": "major_outage",
  });
});

test.each([
  [0, "none"],
  [1, "minor"],
  [4, "minor"],
  [5, "major"],
  [29, "major"],
  [30, "critical"],
])("%d incidents of a hundred services are %s", (count, indicator) => {
  const slugs = Array.from({ length: 100 }, (_, place) => `service-${place}`);
  const open = slugs.slice(0, count).map((slug) => ({ ...OPEN, slug }));
  const codes = Object.fromEntries(slugs.map((slug) => [slug, "ok" as const]));
  const [summary] = publish(codes, { open, past: [], changedAtMs: T0 });
  expect(summary && contentOf(summary).status.indicator).toBe(indicator);
});

test("ids are twelve letters, permanent, and different", () => {
  const components: readonly { id: string }[] = read("components").components;
  const ids = components.map(({ id }) => id);
  for (const id of ids) expect(id).toMatch(/^[a-z2-7]{12}$/u);
  expect(new Set(ids).size).toBe(2);
  // The first 60 bits of SHA-256 of "bank" in base32.
  expect(ids[0]).toBe("ioa5ykvrikcr");
});
