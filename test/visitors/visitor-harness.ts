import { randomUUID } from "node:crypto";
import type { ObjectStore } from "../../src/model/store.ts";
import type { Visitor } from "../../src/model/monitor/visitor.ts";
import { buildUrlGuard } from "../../src/probe/probe-config.ts";
import {
  announceUntried,
  createVisitorReader,
  editVisitorShard,
} from "../../src/state/visitor-shards.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import {
  createVisitorIntake,
  type VisitorIntakeSettings,
} from "../../src/visitors/create-visitor-intake.ts";
import { type Answer, type Asked, askApp, BEHIND_PROXY } from "../http-server/behind-proxy.ts";
import { T0 } from "../model/samples.ts";
import { createSubscriber } from "../notify/decrypt-push.ts";

interface AskedOf extends Omit<Asked, "bearer"> {
  readonly token?: string | undefined;
}

export const SERVICES: readonly string[] = ["sberbank", "telegram", "vtb"];

/** A subscription as a browser writes it, at the service of a maker. */
export function subscriptionOf(name: string): object {
  return {
    endpoint: `https://fcm.googleapis.com/fcm/send/${name}`,
    expirationTime: null,
    keys: createSubscriber().keys,
  };
}

/** A body that is accepted. */
export function bodyOf(name: string, services: readonly string[] = ["vtb"]): object {
  return { subscription: subscriptionOf(name), services, language: "ru" };
}

/** Every record in a store, by id. */
export async function visitorsIn(store: ObjectStore): Promise<ReadonlyMap<string, Visitor>> {
  const visitors = await createVisitorReader(store)();
  return new Map(visitors.map((visitor) => [visitor.id, visitor]));
}

/** The visitors' part of an intake with the clock of the test. */
export interface VisitorHarness {
  readonly intake: ReturnType<typeof createVisitorIntake>;
  readonly store: ObjectStore;
  readonly clock: { nowMs: number };
  readonly failures: string[];
  readonly ask: (method: string, path: string, asked?: AskedOf) => Promise<Answer>;
}

export function createVisitorHarness(
  store: ObjectStore = createMemoryStore(),
  changes: Partial<VisitorIntakeSettings> = {},
): VisitorHarness {
  const clock = { nowMs: T0 };
  const failures: string[] = [];
  const intake = createVisitorIntake({
    ...BEHIND_PROXY,
    isOn: true,
    rules: {
      refusalOfUrl: buildUrlGuard({ allowPrivate: [], allowedPorts: [], ownAddresses: [] }),
      isPlainAllowed: false,
      hasService: (slug) => SERVICES.includes(slug),
    },
    storage: {
      editShard: (number, apply) => editVisitorShard(store, number, apply, async () => undefined),
      announceUntried: () => announceUntried(store, randomUUID()),
    },
    nowMs: () => clock.nowMs,
    onFailure: (message) => failures.push(message),
    ...changes,
  });
  const ask: VisitorHarness["ask"] = (method, path, { token, ...asked } = {}) =>
    askApp(intake.app, method, path, { ...asked, bearer: token });
  return { intake, store, clock, failures, ask };
}
