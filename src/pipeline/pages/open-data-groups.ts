import { createHash } from "node:crypto";
import { hashText } from "../../model/fnv1a.ts";
import type { ArchivePart, ArchiveState } from "../../model/service/archive.ts";
import { METHOD_VERSION } from "../../model/service/method.ts";
import { OUTDATED } from "../../model/publication.ts";
import type { Document } from "../../model/service/snapshot.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import { toUtcDay } from "../../model/time.ts";
import {
  ARCHIVE_INDEX_KEY,
  archiveKeysOf,
  buildArchiveIndex,
  buildDatapackage,
  DATAPACKAGE_KEY,
  toArchiveDocument,
} from "../../open-data/archive/archive-documents.ts";
import { indexPastOutages } from "../../open-data/accuracy/past-outages.ts";
import { closedDates, monthOf } from "../../open-data/archive/parts.ts";
import { dayFiles, NDJSON_FILE } from "../../open-data/archive/seal.ts";
import { decodeChecks } from "../../open-data/archive/spool.ts";
import {
  type FamilyName,
  type GroupFamily,
  groupId,
  NO_GROUPS,
} from "../../publish/object-groups.ts";
import { whyUnknown } from "../../services/history/views.ts";
import { viewEndpoint } from "../../services/interference/endpoint-views.ts";
import {
  buildEvidence,
  buildRawEvidence,
  buildVantages,
  type EvidenceInput,
  evidenceKey,
  rawEvidenceKey,
  signatureOfEvidence,
  standingsOf,
  VANTAGES_KEY,
} from "../../services/interference/evidence-documents.ts";
import { readArchiveFile, readClosedDays } from "../../state/archive-store.ts";
import { freshResults, judgeScopes } from "../publish/judge-scopes.ts";
import type { NetworkNameOf } from "../publish/publish-setup.ts";
import type { SiteSources } from "./site-view.ts";
import {
  buildHistoryIndex,
  HISTORY_INDEX_KEY,
  buildServiceHistory,
  serviceHistoryKey,
} from "../../open-data/documents/histories.ts";
import { classOfSample } from "../../services/history/sample-codes.ts";
import {
  halfHoursOf,
  hourlyUptimesOf,
  startOfHour,
} from "../../services/history/service-chart-series.ts";
import { runsOfDays } from "../../monitors/uptime/availability.ts";

/* What is published outside the API and the website, in groups: evidence, histories, the archive. */

/** Local ids have no colon, and slugs no full stop. */
const VANTAGES_ID = ".vantages";
const RAW_PREFIX = "raw.";
const HISTORY_INDEX_ID = ".index";
const ARCHIVE_INDEX_ID = "index";

/** The keys of the objects of a group, by its family and local id. */
export const KEYS_OF = {
  evidence: (id) => {
    if (id === VANTAGES_ID) return [VANTAGES_KEY];
    const isRaw = id.startsWith(RAW_PREFIX);
    return [isRaw ? rawEvidenceKey(id.slice(RAW_PREFIX.length)) : evidenceKey(id)];
  },
  history: (id) => [id === HISTORY_INDEX_ID ? HISTORY_INDEX_KEY : serviceHistoryKey(id)],
  /** A group for each day and month, and one for what lists them. */
  archive: (id) =>
    id === ARCHIVE_INDEX_ID ? [ARCHIVE_INDEX_KEY, DATAPACKAGE_KEY] : archiveKeysOf(id),
} satisfies Partial<Record<FamilyName, GroupFamily["keysOf"]>>;

/** A group of one document. */
interface Planned {
  readonly signature: string;
  readonly build: () => Document;
}

type PlannedById = readonly (readonly [id: string, planned: Planned])[];

function toFamily(name: keyof typeof KEYS_OF, documents: PlannedById): GroupFamily {
  const planned = new Map(documents);
  return {
    ...NO_GROUPS,
    signatures: new Map([...planned].map(([id, { signature }]) => [id, signature])),
    keysOf: KEYS_OF[name],
    build: async (id) => {
      const one = planned.get(id);
      return one === undefined ? [] : [one.build()];
    },
  };
}

/**
 * Of each service, of the vantages, and what each of them signed. The first publish has none, so that the API comes first. Another `build` of
 * the program writes all of it again.
 */
export function planEvidence(
  sources: SiteSources,
  networkOf: NetworkNameOf,
  build = "",
): GroupFamily {
  if (sources.state.publication.objects.size === 0) return NO_GROUPS;
  const services = evidenceInputs(sources, networkOf).map((input) => {
    const signature = hashText(build + signatureOfEvidence(input));
    return [input.service.slug, { signature, build: () => buildEvidence(input) }] as const;
  });
  return {
    ...toFamily("evidence", [...services, ...planVantages(sources)]),
    hasMovingBytes: true,
    // Vantages come and go with their file.
    isDeliberate: (id) => id.startsWith(RAW_PREFIX) || id === VANTAGES_ID,
  };
}

function planVantages({ state }: SiteSources): PlannedById {
  const { vantages, cited } = state.vantages;
  if (vantages.length === 0) return [];
  const standings = standingsOf(state.vantages);
  const signature = hashText(JSON.stringify(standings));
  const raw = [...cited].map(([id, answer]) => {
    const build = () => buildRawEvidence(id, answer);
    return [`${RAW_PREFIX}${id}`, { signature: answer.askId, build }] as const;
  });
  return [[VANTAGES_ID, { signature, build: () => buildVantages(standings) }], ...raw];
}

function evidenceInputs(
  { catalogue, state, snapshot, nowMs }: SiteSources,
  networkOf: NetworkNameOf,
): readonly EvidenceInput[] {
  const runAtMs = state.history.updatedAtMs ?? 0;
  const scopes = judgeScopes(catalogue, state, nowMs);
  const codes = new Map(snapshot.services.map(({ slug, verdict }) => [slug, verdict.code]));
  const results = freshResults(state, nowMs);
  const { runs } = state.history;
  return catalogue.services.flatMap((service) => {
    const [scope, code] = [scopes.get(service.slug), codes.get(service.slug)];
    if (scope === undefined || code === undefined) return [];
    return [
      {
        service,
        code,
        unknown: code === "none" ? whyUnknown(service, state.history) : null,
        checkedAtMs: state.evidence.get(service.slug)?.runAtMs ?? null,
        scope,
        resultOf: (url) => results.get(url),
        viewsOf: (endpoint) => viewEndpoint(endpoint, { known: state.vantages, nowMs: runAtMs }),
        networkOf,
        halfHoursOf: (url) =>
          halfHoursOf(state.history.endpoints.get(url) ?? "", runs, nowMs, classOfSample),
      },
    ];
  });
}

/** One changes with its verdict, its outages or the day, the index with the hour. The first publish has none. */
export function planHistory({ catalogue, state, months, nowMs }: SiteSources): GroupFamily {
  const { history, verdicts, monitors, publication, accuracy } = state;
  if (publication.objects.size === 0) return NO_GROUPS;
  const today = toUtcDay(nowMs);
  const index = buildHistoryIndex({
    hourMs: startOfHour(nowMs),
    services: catalogue.services.map(({ slug }) => ({
      slug,
      uptimes: hourlyUptimesOf(history.services.get(slug), history.runs, nowMs),
    })),
    months: months.ofAll,
    monitorDays: [...runsOfDays(monitors.clock)].filter(([day]) => day < today),
  });
  const pastOutages = indexPastOutages(accuracy, catalogue.services);
  const services = catalogue.services.map(({ slug }) => {
    const record = history.services.get(slug);
    const past = pastOutages.own(slug, nowMs);
    const about = { past, months: months.ofService(slug) };
    const input = { slug, record, changes: verdicts.changes, ...about, nowMs };
    return [slug, buildServiceHistory(input)] as const;
  });
  const documents = [[HISTORY_INDEX_ID, index] as const, ...services];
  return toFamily(
    "history",
    documents.map(([id, document]) => {
      const signature = createHash("sha256").update(document.body).digest("base64url").slice(0, 12);
      return [id, { signature, build: () => document }];
    }),
  );
}

/** Of each digest: enough to tell files apart, and short, because each generation stores and compares them all. */
const SIGNATURE_DIGITS = 8;

/** Signature of the files of a day in a closed month, if the state does not know that they are published. They never change. */
const CLOSED = "closed";

/** Files of the archive are made from the sealed ones, so another public store gets the same. */
export function planArchive(
  { archive, publication }: Pick<State, "archive" | "publication">,
  stateStore: ObjectStore,
): GroupFamily {
  const { days, months } = archive;
  const parts = [...days, ...months];
  if (parts.length === 0) return NO_GROUPS;
  const digests = parts.map(({ date, files }) => {
    return [date, files.map(({ sha256 }) => sha256.slice(0, SIGNATURE_DIGITS)).join("")] as const;
  });
  const closed = closedDates(archive).map((date) => {
    const signature = publication.groups.get(groupId("archive", date))?.digest ?? OUTDATED;
    return [date, signature === OUTDATED ? CLOSED : signature] as const;
  });
  // The list follows from these. It is long after some years, so only a publish that needs it makes it.
  const names = [...digests.map((one) => one.join(":")), ...closed.map(([date]) => date)];
  const ofIndex = hashText([METHOD_VERSION, ...names].join(" "));
  return {
    ...toFamily("archive", []),
    signatures: new Map([...digests, ...closed, [ARCHIVE_INDEX_ID, ofIndex]]),
    // Days leave only because they are older than what is kept.
    isDeliberate: () => true,
    build: async (id) => {
      if (id === ARCHIVE_INDEX_ID) return buildLists(archive, stateStore);
      const month = months.find(({ date }) => date === id);
      if (month !== undefined) return buildMonth(month, stateStore);
      const isClosed = closed.some(([date]) => date === id);
      const listed = isClosed ? await readClosedDays(stateStore, monthOf(id)) : days;
      const day = listed?.find(({ date }) => date === id);
      return day === undefined ? [] : buildDay(day, stateStore);
    },
  };
}

/** None if the days of a closed month are gone: the lists stay as they are. */
async function buildLists(archive: ArchiveState, stateStore: ObjectStore) {
  const isKept = new Set(closedDates(archive));
  const days = [...archive.days];
  for (const { date, closedDays } of archive.months) {
    if (closedDays === undefined) continue;
    const closed = await readClosedDays(stateStore, date);
    if (closed === undefined) return [];
    days.push(...closed.filter((day) => isKept.has(day.date)));
  }
  const whole = { ...archive, days: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)) };
  return [buildArchiveIndex(whole, METHOD_VERSION), buildDatapackage(whole, METHOD_VERSION)];
}

async function buildDay({ date, method }: ArchivePart, stateStore: ObjectStore) {
  const sealed = await readArchiveFile(stateStore, date, NDJSON_FILE);
  const checks = sealed && decodeChecks(sealed);
  if (sealed === undefined || checks === undefined) return [];
  const files = await dayFiles(sealed, checks, method);
  return files.map(({ name, body }) => toArchiveDocument(date, name, body));
}

/** None if a sealed file is gone. */
async function buildMonth({ date, files }: ArchivePart, stateStore: ObjectStore) {
  const documents: Document[] = [];
  for (const { name } of files) {
    const body = await readArchiveFile(stateStore, date, name);
    if (body === undefined) return [];
    documents.push(toArchiveDocument(date, name, body));
  }
  return documents;
}
