import type { Hono } from "hono";
import type { RequestEnv } from "../../http-server/admit-sender.ts";
import { type Asked, createJsonApi, type JsonApi } from "../../http-server/json-api.ts";
import { MONITOR_ID_SOURCE, TOKEN_SOURCE } from "../../model/ids.ts";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { senderOf } from "../ownership/sender.ts";
import { type Access, accessByKey } from "./owner-access.ts";
import { type OwnerActionDependencies, OwnerActions } from "./owner-actions.ts";
import { answerProblem, type OwnerResponse, unavailable } from "./owner-responses.ts";

/** Whether owners can add monitors here. */
export type Availability = "unknown" | "on" | "off";

export interface OwnerApiDependencies
  extends
    OwnerActionDependencies,
    Omit<JsonApi<OwnerProblem>, "actionsAt" | "pause" | "answerProblem"> {
  /** Waits a moment for the records; `unknown` if they are not loaded by then. */
  readonly availability: () => Promise<Availability>;
}

interface AskedOfOwner extends Asked<OwnerProblem>, Target {
  readonly deps: OwnerApiDependencies;
  readonly actions: OwnerActions;
  /** Of the sender, with its block. */
  readonly network: string;
}

interface Target {
  readonly operation: Operation;
  /** Empty for a registration. */
  readonly id: string;
  readonly channelId: string;
}

type Operation = "register" | "record" | "verify" | "token" | "restore" | "channels" | "channel";

const ACTIONS: Readonly<
  Record<Operation, Readonly<Record<string, (asked: AskedOfOwner) => Promise<OwnerResponse>>>>
> = {
  register: {
    POST: ({ actions, withText, network }) => withText((text) => actions.register(text, network)),
  },
  record: {
    GET: (asked) => withKey(asked, (access) => asked.actions.readMonitor(access)),
    PATCH: (asked) =>
      asOwner(asked, (owned) =>
        asked.withText((text) => {
          const ifMatch = asked.request.header("If-Match");
          return asked.actions.changeMonitor(owned, text, ifMatch, asked.network);
        }),
      ),
    DELETE: (asked) => asOwner(asked, (owned) => asked.actions.removeMonitor(owned)),
  },
  verify: {
    POST: (asked) => withKey(asked, (access) => asked.actions.verifyProof(access, asked.network)),
  },
  token: { POST: ({ actions, id, network }) => actions.requestKey(id, network) },
  restore: { POST: (asked) => asOwner(asked, (owned) => asked.actions.restoreMonitor(owned)) },
  channels: {
    POST: (asked) =>
      asOwner(asked, (owned) => asked.withText((text) => asked.actions.addChannel(owned, text))),
  },
  channel: {
    DELETE: (asked) =>
      asOwner(asked, (owned) => asked.actions.removeChannel(owned, asked.channelId)),
  },
};

/** For every key that opens something of the monitor. */
async function withKey(
  { deps, id, bearerKey }: AskedOfOwner,
  act: (access: Access) => Promise<OwnerResponse>,
): Promise<OwnerResponse> {
  const access = accessByKey(deps.book.index.get(id), bearerKey, deps.nowMs());
  return access === undefined ? answerProblem("unknown") : act(access);
}

function asOwner(asked: AskedOfOwner, act: (owned: OwnedMonitor) => Promise<OwnerResponse>) {
  return withKey(asked, async ({ kind, owned }) =>
    kind === "owner" ? act(owned) : answerProblem("not-proved"),
  );
}

/** The operations of owners, `/monitors…`. */
export function createOwnerApi(deps: OwnerApiDependencies): Hono<RequestEnv> {
  const actions = new OwnerActions(deps);
  const inTurn = createTurns();
  return createJsonApi({
    ...deps,
    answerProblem,
    pause: async () => {
      const availability = await deps.availability();
      if (availability === "unknown") return unavailable();
      return availability === "off" ? answerProblem("off") : undefined;
    },
    actionsAt: (url) => {
      const target = targetOf(url);
      if (target === undefined) return undefined;
      const isInTurn = target.operation !== "register" && target.operation !== "verify";
      const acts = Object.entries(ACTIONS[target.operation]).map(([method, action]) => {
        const answer = (asked: Asked<OwnerProblem>): Promise<OwnerResponse> => {
          const network = senderOf(asked.sender);
          const act = () => action({ ...asked, ...target, deps, actions, network });
          return isInTurn ? inTurn(target.id, act) : act();
        };
        return [method, answer] as const;
      });
      return Object.fromEntries(acts);
    },
  });
}

/** Runs actions about one monitor one after another, so that `If-Match` holds. */
function createTurns() {
  const turns = new Map<string, Promise<unknown>>();
  return async <T>(id: string, act: () => Promise<T>): Promise<T> => {
    const mine = (turns.get(id) ?? Promise.resolve()).then(act, act);
    turns.set(id, mine);
    try {
      return await mine;
    } finally {
      if (turns.get(id) === mine) turns.delete(id);
    }
  };
}

const MONITOR_URL = new RegExp(
  `^[a-z]+://[^/?#]*/monitors(?:/(${MONITOR_ID_SOURCE})(?:/(verify|token|restore|channels(?:/(${TOKEN_SOURCE}))?))?)?(?:[?#]|$)`,
  "u",
);

function targetOf(url: string): Target | undefined {
  const found = MONITOR_URL.exec(url);
  if (found === null) return undefined;
  const [, id = "", name, channelId = ""] = found;
  if (id === "") return { operation: "register", id, channelId };
  if (channelId !== "") return { operation: "channel", id, channelId };
  // The pattern names nothing but operations.
  return { operation: (name as Operation | undefined) ?? "record", id, channelId };
}
