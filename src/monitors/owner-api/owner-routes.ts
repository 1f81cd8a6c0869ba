import { MONITOR_ID_SOURCE } from "../../model/ids.ts";
import { type Context, Hono, type HonoRequest } from "hono";
import { admitSender, type RequestEnv, type SenderRules } from "../../http-server/admit-sender.ts";
import {
  isTrusted,
  type OriginClass,
  originOf,
  type OriginRules,
} from "../../http-server/cors-origin.ts";
import type { OwnerProblem } from "../../model/monitor/problems.ts";
import { senderOf } from "../ownership/sender.ts";
import { type Access, accessByKey } from "./owner-access.ts";
import { type OwnerActionDependencies, OwnerActions } from "./owner-actions.ts";
import { answerProblem, type OwnerResponse, unavailable } from "./owner-responses.ts";
import { readJsonText } from "../../http-server/read-body.ts";
import {
  answerApiOptions,
  INTERNAL_ERROR,
  toApiResponse,
  withAllowed,
} from "../../http-server/problem-response.ts";
import type { OwnedMonitor } from "../../model/monitor/owned-monitor.ts";

/** Whether owners can add monitors here. */
export type Availability = "unknown" | "on" | "off";

export interface OwnerApiDependencies extends OwnerActionDependencies, OriginRules, SenderRules {
  /** Waits a moment for the records; `unknown` if they are not loaded by then. */
  readonly availability: () => Promise<Availability>;
  readonly onRefused: (problem: OwnerProblem) => void;
}

/** A request whose path, method, origin and rate are in order. */
interface Asked extends Target {
  readonly deps: OwnerApiDependencies;
  readonly actions: OwnerActions;
  readonly request: HonoRequest;
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
  Record<Operation, Readonly<Record<string, (asked: Asked) => Promise<OwnerResponse>>>>
> = {
  register: {
    POST: (asked) => withText(asked, (text) => asked.actions.register(text, asked.network)),
  },
  record: {
    GET: (asked) => withKey(asked, (access) => asked.actions.readMonitor(access)),
    PATCH: (asked) =>
      asOwner(asked, (owned) =>
        withText(asked, (text) => {
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
      asOwner(asked, (owned) => withText(asked, (text) => asked.actions.addChannel(owned, text))),
  },
  channel: {
    DELETE: (asked) =>
      asOwner(asked, (owned) => asked.actions.removeChannel(owned, asked.channelId)),
  },
};

/** For every key that opens something of the monitor. */
async function withKey(
  { deps, id, request }: Asked,
  act: (access: Access) => Promise<OwnerResponse>,
): Promise<OwnerResponse> {
  const owned = deps.book.index.get(id);
  const access = accessByKey(owned, request.header("Authorization"), deps.nowMs());
  return access === undefined ? answerProblem("unknown") : act(access);
}

function asOwner(
  asked: Asked,
  act: (owned: OwnedMonitor) => Promise<OwnerResponse>,
): Promise<OwnerResponse> {
  return withKey(asked, async ({ kind, owned }) =>
    kind === "owner" ? act(owned) : answerProblem("not-proved"),
  );
}

/** With the body of the request. */
async function withText(
  { request }: Asked,
  act: (text: string) => Promise<OwnerResponse>,
): Promise<OwnerResponse> {
  const read = await readJsonText(request.raw);
  if ("text" in read) return act(read.text);
  const { problem, ...details } = read;
  return answerProblem(problem, details);
}

/** The operations of owners, `/monitors…`. An error thrown by a dependency is a defect and gives a 500. */
export function createOwnerApi(deps: OwnerApiDependencies): Hono<RequestEnv> {
  const app = new Hono<RequestEnv>();
  const shared = { deps, actions: new OwnerActions(deps), inTurn: createTurns() };
  app.all("*", async (context) => {
    const origin = originOf(context.req.raw.headers, deps);
    const response = await answer(context, origin, shared);
    if (response.problem !== undefined) deps.onRefused(response.problem);
    return toApiResponse(response, isTrusted(origin) ? context.req.header("Origin") : undefined);
  });
  app.onError(() => toApiResponse(INTERNAL_ERROR, undefined));
  return app;
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

/** What all requests share. */
interface Shared extends Pick<Asked, "deps" | "actions"> {
  readonly inTurn: ReturnType<typeof createTurns>;
}

async function answer(
  context: Context<RequestEnv>,
  origin: OriginClass,
  { deps, actions, inTurn }: Shared,
): Promise<OwnerResponse> {
  const request = context.req;
  const target = targetOf(request.raw.url);
  if (target === undefined) return answerProblem("unknown");
  const methods = ACTIONS[target.operation];
  const allowed = [...Object.keys(methods), "OPTIONS"].join(", ");
  if (request.method === "OPTIONS") return answerApiOptions(allowed);
  const action = methods[request.method];
  if (action === undefined) return withAllowed(answerProblem("wrong-method"), allowed);
  if (origin === "foreign") return answerProblem("foreign-origin");
  const availability = await deps.availability();
  if (availability === "unknown") return unavailable();
  if (availability === "off") return answerProblem("off");
  const sender = admitSender(context, deps.nowMs(), deps);
  if ("reason" in sender) {
    const { reason, ...details } = sender;
    return answerProblem(reason, details);
  }
  const asked = { deps, actions, request, ...target, network: senderOf(sender) };
  const isInTurn = target.operation !== "register" && target.operation !== "verify";
  return isInTurn ? inTurn(target.id, () => action(asked)) : action(asked);
}

const MONITOR_URL = new RegExp(
  `^[a-z]+://[^/?#]*/monitors(?:/(${MONITOR_ID_SOURCE})(?:/(verify|token|restore|channels(?:/([A-Za-z0-9_-]{22}))?))?)?(?:[?#]|$)`,
  "u",
);

/** From the raw URL: an id never needs percent-encoding. */
function targetOf(url: string): Target | undefined {
  const found = MONITOR_URL.exec(url);
  if (found === null) return undefined;
  const [, id = "", name, channelId = ""] = found;
  if (id === "") return { operation: "register", id, channelId };
  if (channelId !== "") return { operation: "channel", id, channelId };
  // The pattern names nothing but operations.
  return { operation: (name as Operation | undefined) ?? "record", id, channelId };
}
