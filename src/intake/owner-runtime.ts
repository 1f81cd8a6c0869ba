import pLimit from "p-limit";
import { createNetworkKeys } from "../http-server/network-key.ts";
import { builtThread } from "../model/program-folder.ts";
import { SECOND_MS } from "../model/time.ts";
import { createOwnerIntake, rulesForOwners } from "../monitors/owner-api/create-owner-intake.ts";
import { MAX_EDITS_PER_OBJECT } from "../state/codec/owned-monitor.ts";
import { writeEdits } from "../state/inbox.ts";
import { generateMonitorId } from "../setup/registry/edit-registry.ts";
import type { PreparedIntake } from "./intake-setup.ts";
import type { Published, Publisher } from "./publisher.ts";
import type { ProbeConfig } from "../probe/probe-config.ts";
import { createCallThread, ThreadGoneError, type ThreadRules } from "./thread-calls.ts";
import type { ProofLook, ProofQuery } from "../model/monitor/owned-monitor.ts";

/** How often looks that are due begin. */
const TICK_MS = 5 * SECOND_MS;

/** A registration changes nothing that is published, so it need not cause one. */
const CALM_FOLD_MS = 30 * SECOND_MS;

/** Opens the owners' part of an intake, which looks for proofs from then on. */
export function openOwnerRuntime(deps: {
  readonly prepared: PreparedIntake;
  readonly secret: Uint8Array;
  readonly publisher: Publisher;
  readonly requestPublish: () => void;
  readonly warn: (message: string) => void;
  readonly wallMs: () => number;
}) {
  const { prepared, publisher, wallMs } = deps;
  const looker = createLooker(prepared.probe, wallMs);
  let foldedMs = Number.NEGATIVE_INFINITY;
  const intake = createOwnerIntake({
    ...prepared.settings,
    rules: rulesForOwners(prepared.rules, prepared.settings.ownOrigin),
    ...(prepared.alerts === undefined ? {} : { alerts: prepared.alerts }),
    newId: generateMonitorId,
    nowMs: wallMs,
    toNetworkKey: createNetworkKeys(deps.secret),
    maxEdits: MAX_EDITS_PER_OBJECT,
    writeEdits: (id, edits) => writeEdits(prepared.ready.setup.stateStore, id, edits),
    look: looker.look,
    conditionOf: (id) => publisher.conditionOf(id).catch(() => undefined),
    onEdit: (_, isUrgent) => {
      if (isUrgent) deps.requestPublish();
    },
    onFailure: (message) =>
      deps.warn(`The state store does not take changes by owners: ${message}`),
  });
  const ticking = setInterval(intake.tick, TICK_MS).unref();
  return {
    intake,
    /** Whether the publish that begins now leaves edits for later. */
    areEditsLater: (): boolean => {
      const waiting = intake.waiting();
      const isDue = waiting === "urgent" || performance.now() - foldedMs >= CALM_FOLD_MS;
      if (isDue) foldedMs = performance.now();
      return !isDue;
    },
    notePublished: ({ owners, isSelfService }: Published): void =>
      intake.update(owners, isSelfService),
    close: async (): Promise<void> => {
      clearInterval(ticking);
      await intake.close();
      await looker.close();
    },
  };
}

/** A stranger wrote what is read, so its thread has little memory and time. Source: docs/security.md, "What strangers send". */
const RULES: Omit<ThreadRules, "workerData"> = {
  url: builtThread("look-thread"),
  name: "the thread that looks for proofs",
  silenceMs: 10 * SECOND_MS,
  limits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
};

/** Looks for proofs in a thread. If it ends, each look is made once more, alone: what ends that one too has itself to blame. */
export function createLooker(config: ProbeConfig, wallMs: () => number, rules = RULES) {
  const open = () => createCallThread<ProofQuery, ProofLook>({ ...rules, workerData: config });
  const shared = open();
  const alone = pLimit(1);
  const nothing = (): ProofLook => ({ atMs: wallMs(), isDenied: false, places: new Map() });
  const lookAlone = async (query: ProofQuery): Promise<ProofLook> => {
    const thread = open();
    try {
      return await thread.ask(query);
    } catch (error) {
      return error instanceof ThreadGoneError ? { ...nothing(), hasEndedReader: true } : nothing();
    } finally {
      await thread.close();
    }
  };
  return {
    look: (query: ProofQuery): Promise<ProofLook> =>
      shared
        .ask(query)
        .catch((error: unknown) =>
          error instanceof ThreadGoneError ? alone(() => lookAlone(query)) : nothing(),
        ),
    close: shared.close,
  };
}
