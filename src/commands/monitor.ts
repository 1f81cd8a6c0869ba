import type { Log } from "../log/log.ts";
import type { Monitor } from "../model/monitor.ts";
import type { PublishedObject } from "../model/publication.ts";
import { refresh } from "../refresh.ts";
import type { Released } from "../release.ts";
import { UsageError } from "./failures.ts";
import type { ExitCode, Io, ReleaseFlags } from "./io.ts";
import {
  type AddOptions,
  addToRegistry,
  type EditTools,
  generateMonitorId,
  type MonitorEdit,
  removeFromRegistry,
  setPublicInRegistry,
} from "./monitor-edit.ts";
import { openRegistry } from "./monitors-file.ts";
import { DEFAULT_REGISTRY } from "./options.ts";
import type { openRegistrySource } from "./registry-source.ts";
import { type ReadyRelease, readMonitorRules, readRelease } from "./release-setup.ts";
import {
  type Checklist,
  ifGiven,
  openChecklist,
  parseAt,
  parseBaseUrl,
  parseLogMode,
} from "./settings.ts";

export interface MonitorFlags extends ReleaseFlags {
  readonly baseUrl?: string;
}

export interface MonitorAddFlags extends MonitorFlags {
  readonly id?: string;
  readonly name?: string;
  readonly label?: string;
  readonly public?: boolean;
}

/** `monitor add`: registers a site and publishes, so that the badge is there before its address is shown. */
export async function monitorAddCommand(
  url: string,
  flags: MonitorAddFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  const options: AddOptions = {
    ...(flags.id === undefined ? {} : { id: flags.id }),
    ...(flags.name === undefined ? {} : { name: flags.name }),
    ...(flags.label === undefined ? {} : { label: flags.label }),
    isPublic: flags.public === true,
  };
  return editAndPublish<Monitor>(flags, io, log, {
    idOf: ({ id }) => id,
    edit: (tools) => addToRegistry(url, options, { ...tools, newId: generateMonitorId }),
    describe: (monitor, outcome) => describeAdded(monitor, outcome),
  });
}

/** `monitor remove`: takes a site out of the registry; its badges and its history go at once. */
export function monitorRemoveCommand(
  id: string,
  flags: MonitorFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  return editAndPublish(flags, io, log, {
    idOf: () => id,
    edit: (tools) => removeFromRegistry(id, tools),
    describe: (_, { badges }) =>
      isGone(id, badges)
        ? `Removed ${id}: its history and badges are gone.`
        : `Removed ${id} from the registry. ${STILL_THERE}`,
  });
}

/** `monitor publish` and `monitor unpublish`: switch the page of a monitor, and with it its badges, on or off. */
export function monitorPublicCommand(
  id: string,
  isPublic: boolean,
  flags: MonitorFlags,
  io: Io,
  log: Log,
): Promise<ExitCode> {
  return editAndPublish(flags, io, log, {
    idOf: () => id,
    edit: (tools) => setPublicInRegistry(id, isPublic, tools),
    describe: (_, { baseUrl, badges }) => {
      if (isPublic) return `${id} is public.\n${describeBadge(id, baseUrl, badges)}`;
      const isDone = isGone(id, badges);
      return `${id} is not public${isDone ? ": its badges are gone" : ""}. It is still checked.${isDone ? "" : ` ${STILL_THERE}`}`;
    },
  });
}

/** Many removals at once are held back, and what takes too long is left to the next run: both are told in the log. */
const STILL_THERE = "Its badges may still be there; the next run removes them.";

function isGone(id: string, badges: Outcome["badges"]): boolean {
  if (badges === undefined) return false;
  const badge = badges.get(id);
  return badge === undefined || (badge.digest === null && badge.isPublished);
}

function describeAdded({ id, url, isPublic }: Monitor, { baseUrl, badges }: Outcome): string {
  if (isPublic) return `Added ${id} (${url}).\n${describeBadge(id, baseUrl, badges)}`;
  return `Added ${id} (${url}). It has no badge until \`status-snapshot monitor publish ${id}\`.`;
}

/** An address is shown only when there is something behind it. */
function describeBadge(id: string, baseUrl: string | undefined, badges: Outcome["badges"]): string {
  return badges?.get(id)?.isPublished === true
    ? `Badge: ${badgeUrl(id, baseUrl)}`
    : "Its badge is not written yet; it comes with the next run.";
}

/** Without a base, the path below whatever serves the store. */
function badgeUrl(id: string, baseUrl = ""): string {
  return `${baseUrl}/api/m/${id}/badge.svg`;
}

/** Losing to another writer so often in a row means that something is wrong. */
const TRIES = 5;

/** What is known once the edit was published. */
interface Outcome {
  readonly baseUrl: string | undefined;
  /** Undefined: others were faster each time, so nobody knows. */
  readonly badges: ReadonlyMap<string, PublishedObject> | undefined;
}

interface Task<M> {
  readonly idOf: (monitor: M) => string;
  readonly edit: (tools: EditTools) => Promise<MonitorEdit<M>>;
  readonly describe: (monitor: M, outcome: Outcome) => string;
}

/** Everything is checked before the registry is touched, so that an edit is not left unpublished for a typing mistake. */
async function editAndPublish<M>(
  flags: MonitorFlags,
  io: Io,
  log: Log,
  task: Task<M>,
): Promise<ExitCode> {
  const checklist = openChecklist();
  const { take, settle } = checklist;
  const place = take(await openRegistry(flags.monitors ?? DEFAULT_REGISTRY));
  const rules = take(readMonitorRules(flags));
  const baseUrl = take(ifGiven(flags.baseUrl, parseBaseUrl));
  const atMs = take(ifGiven(flags.at, parseAt));
  take(ifGiven(flags.log, parseLogMode));
  // The registry may not be there yet, and what is wrong with it the edit will tell.
  await readRelease(flags, checklist, NO_SOURCE);
  settle();
  if (!place || !rules) throw new TypeError("a setting without a value and without a problem");
  const edited = await task.edit({ place, rules });
  if (edited.kind === "refused") throw new UsageError([edited.message]);
  if (edited.kind === "unreachable") {
    log.fail(edited.message);
    return 1;
  }
  const ready = await reopen(flags, checklist);
  for (const warning of ready.warnings) log.warn(warning);
  const released = await refreshOrExplain(
    ready,
    task.idOf(edited.monitor),
    atMs ?? io.wallMs(),
    log,
  );
  const { published } = released;
  const badges = published.isOvertaken ? undefined : published.badges;
  io.print(task.describe(edited.monitor, { baseUrl, badges }));
  return 0;
}

async function refreshOrExplain(
  ready: ReadyRelease,
  id: string,
  nowMs: number,
  log: Log,
): Promise<Released> {
  try {
    const setup = { ...ready.setup, named: new Set([id]), emit: log.emit };
    for (let attempt = 1; ; attempt += 1) {
      const released = await refresh(setup, nowMs);
      // Who overtook us may have read the registry before the edit: only a generation of our own says what became of it.
      if (!released.published.isOvertaken || attempt === TRIES) return released;
    }
  } catch (error) {
    log.warn("The registry is changed, but could not be published; the next run will do that.");
    throw error;
  }
}

const NO_SOURCE: typeof openRegistrySource = async () => ({
  value: {
    read: async () => ({ monitors: [], rejectedIds: [], isComplete: false }),
    warnings: [],
  },
});

async function reopen(flags: MonitorFlags, checklist: Checklist): Promise<ReadyRelease> {
  const { ready } = await readRelease(flags, checklist);
  checklist.settle();
  if (ready === undefined) throw new TypeError("nothing to publish and no problem");
  return ready;
}
