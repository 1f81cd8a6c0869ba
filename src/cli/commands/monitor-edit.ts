import {
  readMonitorRules,
  readPublishSettings,
  preparePublish,
} from "../../setup/publish-settings.ts";
import { refreshInTurn } from "../../pipeline/publish/refresh.ts";
import type { Monitor } from "../../model/monitor/monitor.ts";
import type { PublishedGeneration } from "../../pipeline/publish/publish-setup.ts";
import { UsageError } from "../../setup/errors.ts";
import type { ExitCode } from "../../setup/exit-codes.ts";
import type { Action, Call } from "../../setup/io.ts";
import {
  type AddOptions,
  addToRegistry,
  type EditTools,
  generateMonitorId,
  removeFromRegistry,
  setPublicInRegistry,
} from "../../setup/registry/edit-registry.ts";
import { isOwned } from "../../setup/registry/owned-records.ts";
import type { MonitorEdit } from "../../setup/registry/registry-file.ts";
import { applyOwnerEdit } from "./monitor-owner.ts";
import { openRegistry } from "../../setup/registry/registry-location.ts";
import { NO_REGISTRY, type openRegistrySource } from "../../setup/registry/registry-source.ts";
import type { Flags, PublishFlags } from "../../setup/options/options.ts";
import { DEFAULT_REGISTRY } from "../../setup/options/shared-options.ts";

/** `monitor add`: registers a site and publishes, so that the badge exists before its URL is printed. */
export const monitorAddCommand: Action<PublishFlags & Flags<"add">, [url: string]> = async (
  call,
  url,
) => {
  const { id, name, label, isPublic } = call.flags;
  const options: AddOptions = {
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(label === undefined ? {} : { label }),
    public: isPublic,
  };
  return editAndPublish<Monitor>(call, {
    idOf: (monitor) => monitor.id,
    edit: (tools) => addToRegistry(url, options, { ...tools, newId: generateMonitorId }),
    describe: ({ id, url, isPublic }, outcome) =>
      isPublic
        ? `Added ${id} (${url}).\n${describeBadge(id, outcome)}`
        : `Added ${id} (${url}). It has no badge until \`status-snapshot monitor publish ${id}\`.`,
  });
};

type EditName = "remove" | "publish" | "unpublish";

const DESCRIBE: Readonly<Record<EditName, (id: string, outcome: Outcome) => string>> = {
  remove: (id, outcome) =>
    isGone(id, outcome)
      ? `Removed ${id}: its history and badges are gone.`
      : `Removed ${id} from the registry. ${STILL_THERE}`,
  publish: (id, outcome) => `${id} is public.\n${describeBadge(id, outcome)}`,
  unpublish: (id, outcome) =>
    isGone(id, outcome)
      ? `${id} is not public: its badges are gone. It is still checked.`
      : `${id} is not public. It is still checked. ${STILL_THERE}`,
};

/**
 * `monitor remove`, `publish` and `unpublish`, which switch the page of a monitor together with its badges: the change is published when the
 * command ends.
 */
export const monitorEditCommand: Action<PublishFlags, [name: EditName, id: string]> = async (
  call,
  name,
  id,
) => {
  call.problems.throwIfAny();
  if (await isOwned(call.flags.state, id)) return changeOwned(call, name, id);
  const isRemoval = name === "remove";
  return editAndPublish<Monitor | undefined>(call, {
    idOf: () => id,
    isRemoval,
    edit: (tools) =>
      isRemoval
        ? removeFromRegistry(id, tools)
        : setPublicInRegistry(id, name === "publish", tools),
    describe: (_, outcome) => DESCRIBE[name](id, outcome),
  });
};

/** What an operator can do about a monitor that its owner has added: nothing of a removed one stays. */
async function changeOwned(
  call: Call<PublishFlags>,
  name: EditName,
  id: string,
): Promise<ExitCode> {
  const { flags, io } = call;
  const atMs = io.wallMs();
  const settings = { isPublic: name === "publish" };
  const edit =
    name === "remove" ? { kind: "erase" as const } : { kind: "change" as const, settings };
  const { generation } = await applyOwnerEdit({ ...edit, id, atMs }, call);
  io.print(DESCRIBE[name](id, { baseUrl: flags.baseUrl, published: generation.published }));
  return 0;
}

/** Other writers published first for half a minute, so the outcome is unknown; or the registry could not be read, which is logged. */
const STILL_THERE = "Its badges may still be there; the next run removes them.";

function isGone(id: string, { published: { isOvertaken, groups } }: Outcome): boolean {
  const badge = groups.get(id);
  return !isOvertaken && (badge === undefined || (badge.digest === null && badge.isPublished));
}

function describeBadge(id: string, { baseUrl, published }: Outcome): string {
  return !published.isOvertaken && published.groups.get(id)?.isPublished === true
    ? // Without a base URL, the path below the site root.
      `Badge: ${baseUrl ?? ""}/api/m/${id}/badge.svg`
    : "Its badge is not written yet; it comes with the next run.";
}

interface Outcome extends Pick<PublishedGeneration, "published"> {
  readonly baseUrl: string | undefined;
}

interface Task<M> {
  readonly idOf: (monitor: M) => string;
  readonly isRemoval?: boolean;
  readonly edit: (tools: EditTools) => Promise<MonitorEdit<M>>;
  readonly describe: (monitor: M, outcome: Outcome) => string;
}

/** Checks everything before it changes the registry, so that no edit stays unpublished because of a wrong option. */
async function editAndPublish<M>(
  { flags, problems, io, log }: Call<PublishFlags>,
  task: Task<M>,
): Promise<ExitCode> {
  const opened = await openRegistry(flags.monitors ?? DEFAULT_REGISTRY);
  problems.unwrap(opened);
  // The registry may not exist yet; the edit reports its problems.
  (await readPublishSettings(flags, problems, NO_SOURCE)).ready();
  const { location } = problems.settle({ location: opened });
  const edited = await task.edit({ location, rules: readMonitorRules(flags) });
  if (edited.kind === "refused") throw new UsageError([edited.message]);
  if (edited.kind === "unreachable") {
    log.fail(edited.message);
    return 1;
  }
  const ready = await preparePublish(flags, problems);
  for (const warning of ready.warnings) log.warn(warning);
  const named = new Set([task.idOf(edited.monitor)]);
  const removed = task.isRemoval === true ? { removed: named } : {};
  const setup = { ...ready.setup, named, ...removed, emit: log.emit };
  const refreshed = refreshInTurn(setup, flags.atMs ?? io.wallMs(), io.stop);
  const { published } = await refreshed.catch((error: unknown) => {
    log.warn("The registry is changed, but could not be published; the next run will do that.");
    throw error;
  });
  io.print(task.describe(edited.monitor, { baseUrl: flags.baseUrl, published }));
  return 0;
}

const NO_SOURCE: typeof openRegistrySource = async () => ({
  value: { read: async () => NO_REGISTRY, warnings: [] },
});
