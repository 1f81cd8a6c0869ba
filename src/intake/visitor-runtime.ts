import { randomUUID } from "node:crypto";
import { createNetworkKeys } from "../http-server/network-key.ts";
import type { CatalogueSource } from "../setup/catalogue-source.ts";
import { announceUntried, editVisitorShard } from "../state/visitor-shards.ts";
import { createVisitorIntake, type VisitorIntake } from "../visitors/create-visitor-intake.ts";
import type { PreparedIntake } from "./intake-setup.ts";

/** Opens the visitors' part of an intake. It takes subscriptions only where the key of a notifier is given. */
export function openVisitorRuntime(
  prepared: PreparedIntake,
  secret: Uint8Array,
  nowMs: () => number,
  warn: (message: string) => void,
): VisitorIntake {
  const { setup, catalogue } = prepared.ready;
  const { stateStore, pause } = setup;
  return createVisitorIntake({
    ...prepared.settings,
    isOn: prepared.alerts !== undefined,
    rules: {
      refusalOfUrl: prepared.rules.refusalOfUrl,
      isPlainAllowed: prepared.alerts?.isPlainAllowed ?? false,
      hasService: knowServices(catalogue),
    },
    toNetworkKey: createNetworkKeys(secret),
    storage: {
      editShard: (number, apply) => editVisitorShard(stateStore, number, apply, pause),
      announceUntried: () => announceUntried(stateStore, randomUUID()),
    },
    nowMs,
    onFailure: (message) => warn(`The state store does not take subscriptions: ${message}`),
  });
}

/** Whether the last catalogue that was read has a service. */
export function knowServices({ current }: CatalogueSource): (slug: string) => boolean {
  let from = current();
  let slugs = new Set(from.services.map(({ slug }) => slug));
  return (slug) => {
    if (current() !== from) {
      from = current();
      slugs = new Set(from.services.map((one) => one.slug));
    }
    return slugs.has(slug);
  };
}
