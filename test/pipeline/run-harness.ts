import type { Anchor, Catalogue, Service } from "../../src/model/service/catalogue.ts";
import type { RunEvent } from "../../src/model/run-event.ts";
import type { Monitor } from "../../src/model/monitor/monitor.ts";
import type { CheckMonitors } from "../../src/pipeline/run/measurement.ts";
import type { Outcome } from "../../src/model/probe-outcome.ts";
import { run, type RunOptions, type RunResult } from "../../src/pipeline/run/run.ts";
import { loadState } from "../../src/state/state-file.ts";
import type { State } from "../../src/model/state.ts";
import { ok } from "../model/samples.ts";
import { setupOver } from "./empty-setup.ts";
import { readTexts } from "../publish/counter-program.ts";
import type { Stores } from "../publish/writers.ts";

export const NOON_MS: number = Date.UTC(2026, 10, 21, 12);

const CONFIRM_MS = 20_000;

/** Two services of one endpoint each. */
const SERVICES: readonly Service[] = ["alpha", "beta"].map((slug) => ({
  slug,
  name: slug,
  category: "all",
  endpoints: [{ url: urlOf(slug), what: "page", isCritical: true, trust: "public" }],
  annotations: [],
  aliases: [],
  isAbroad: false,
}));

/** Four domestic networks and two abroad. */
const ANCHORS: readonly Anchor[] = ["d1", "d2", "d3", "d4", "f1", "f2"].map((name) => ({
  url: urlOf(name),
  scope: name.startsWith("d") ? "domestic" : "foreign",
  network: name,
}));

const CATALOGUE: Catalogue = {
  categories: [{ id: "all", name: "Все" }],
  anchors: ANCHORS,
  services: SERVICES,
};

export function urlOf(host: string): string {
  return `https://${host}.example/`;
}

export const ANCHOR_URLS: readonly string[] = ANCHORS.map(({ url }) => url);

/** A promise that resolves when the test opens it. */
export function createGate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return { isOpen, open };
}

/** Conditions of a test run. By default every probe succeeds, and nothing waits. */
export interface RunParts {
  readonly startMs?: number;
  readonly only?: readonly string[];
  readonly stop?: AbortSignal;
  readonly outcomeOf?: (url: string, attempt: number) => Outcome;
  /** Each confirmation waits for this. */
  readonly confirmed?: Promise<void>;
  readonly keepArchiveDays?: number;
  readonly monitors?: readonly Monitor[];
  readonly checkMonitors?: CheckMonitors;
  /** The registry waits for this. */
  readonly untilRegistry?: () => Promise<void>;
}

/** A run over these stores, and its events. */
export function startRun(stores: Stores, parts: RunParts = {}) {
  const { startMs = NOON_MS, only = [], outcomeOf = () => ok() } = parts;
  const { confirmed = Promise.resolve(), stop = new AbortController().signal } = parts;
  const { keepArchiveDays, monitors = [], checkMonitors = async () => new Map() } = parts;
  const { untilRegistry = () => Promise.resolve() } = parts;
  const events: RunEvent[] = [];
  const options: RunOptions = {
    startMs,
    concurrency: 8,
    perHost: 2,
    confirmDelaysMs: [CONFIRM_MS],
    deadlineMs: 3_600_000,
    stop,
    isReplay: false,
    only,
  };
  const deps = {
    ...setupOver(stores, CATALOGUE, async () => undefined),
    ...(keepArchiveDays === undefined ? {} : { keepArchiveDays }),
    readRegistry: async () => {
      await untilRegistry();
      return { monitors, rejectedIds: [], isComplete: monitors.length > 0 };
    },
    checkMonitors,
    probe: async ({ url }: { readonly url: string }, attempt: number, signal: AbortSignal) =>
      signal.aborted ? ({ kind: "skipped", reason: "deadline" } as const) : outcomeOf(url, attempt),
    emit: (event: RunEvent) => void events.push(event),
    now: () => 0,
    sleep: (ms: number, signal: AbortSignal) =>
      Promise.race([
        ...(ms < CONFIRM_MS / 2 ? [] : [confirmed]),
        new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
      ]),
    networkOf: () => "TEST-NET",
    line: "hosting" as const,
    watchLag: () => () => 0,
  };
  const result: Promise<RunResult> = run(deps, options);
  const eventsNamed = <Name extends RunEvent["event"]>(name: Name) =>
    events.filter((event): event is Extract<RunEvent, { event: Name }> => event.event === name);
  return { result, eventsNamed };
}

export async function stateIn({ stateStore }: Stores): Promise<State> {
  return (await loadState(stateStore)).state;
}

/** `updated` of the list, and the code of each service in it. */
export async function listIn({ publicStore }: Stores): Promise<{
  readonly updated: number;
  readonly codes: Readonly<Record<string, string>>;
}> {
  const { [LIST]: text = "{}" } = await readTexts(publicStore, [LIST]);
  const list: { updated: number; services: { slug: string; code: string }[] } = JSON.parse(text);
  const codes = Object.fromEntries(list.services.map(({ slug, code }) => [slug, code]));
  return { updated: list.updated * 1_000, codes };
}

const LIST = "api/v1/status";
