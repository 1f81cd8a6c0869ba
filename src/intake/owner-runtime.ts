import { createNetworkKeys } from "../http-server/network-key.ts";
import type { ObjectStore } from "../model/store.ts";
import { SECOND_MS } from "../model/time.ts";
import {
  createOwnerIntake,
  type OwnerIntake,
  rulesForOwners,
} from "../monitors/owner-api/create-owner-intake.ts";
import { MAX_EDITS_PER_OBJECT } from "../state/codec/owned-monitor.ts";
import { writeEdits } from "../state/inbox.ts";
import { generateMonitorId } from "../setup/registry/edit-registry.ts";
import type { PreparedIntake } from "./intake-setup.ts";
import { createLooker } from "./looker.ts";
import type { Published, Publisher } from "./publisher.ts";

/** How often looks that are due begin. */
const TICK_MS = 5 * SECOND_MS;

/** A registration changes nothing that is published, so it need not cause one. */
const CALM_FOLD_MS = 30 * SECOND_MS;

export interface OwnerRuntimeDependencies {
  readonly prepared: PreparedIntake;
  readonly stateStore: ObjectStore;
  readonly secret: Uint8Array;
  readonly publisher: Publisher;
  readonly requestPublish: () => void;
  readonly warn: (message: string) => void;
  readonly wallMs: () => number;
}

/** The owners' part of a running intake. */
export interface OwnerRuntime {
  readonly intake: OwnerIntake;
  /** Whether the publish that begins now leaves edits for later. */
  readonly areEditsLater: () => boolean;
  readonly notePublished: (published: Published) => void;
  readonly close: () => Promise<void>;
}

/** Opens the owners' part of an intake, which looks for proofs from then on. */
export function openOwnerRuntime(deps: OwnerRuntimeDependencies): OwnerRuntime {
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
    writeEdits: (id, edits) => writeEdits(deps.stateStore, id, edits),
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
    areEditsLater: () => {
      const waiting = intake.waiting();
      const isDue = waiting === "urgent" || performance.now() - foldedMs >= CALM_FOLD_MS;
      if (isDue) foldedMs = performance.now();
      return !isDue;
    },
    notePublished: ({ owners, isSelfService }) => intake.update(owners, isSelfService),
    close: async () => {
      clearInterval(ticking);
      await intake.close();
      await looker.close();
    },
  };
}
