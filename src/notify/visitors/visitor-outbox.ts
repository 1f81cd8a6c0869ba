import type { State } from "../../model/state.ts";
import { toUnixSeconds } from "../../model/time.ts";
import { type Visitor, visitorEndMs } from "../../model/monitor/visitor.ts";
import type { AskDependencies } from "../channels/ask.ts";
import { type PushKeys, type PushNotice, sendPush } from "../channels/push.ts";
import { type Outbox, sendBy } from "../deliver.ts";
import type { Message, SendResult } from "../rules/change.ts";
import { type RenderContext, renderMessage } from "../services/render-message.ts";
import { newsOfServices } from "../services/service-news.ts";

/** A notice shows a few lines; the encrypted message has at most 4,096 bytes (RFC 8030, section 7.2), and a letter at most 4. */
const MAX_CHARACTERS = 300;

/** What notices about services are made with. */
interface VisitorSendDependencies extends AskDependencies {
  readonly keys: PushKeys;
  /** Of the website, without a slash at its end; "": it is not known. */
  readonly baseUrl: string;
  /** The name of a service in a language. */
  readonly nameOf: (slug: string, language: Visitor["language"]) => string;
}

/** The verdicts of a state as an outbox, for browsers by their id. */
export function toVisitorOutbox(
  { verdicts, history }: Pick<State, "verdicts" | "history">,
  visitors: Iterable<Visitor>,
  nowMs: number,
  deps: VisitorSendDependencies,
): Outbox {
  const { next, codes } = verdicts;
  const known = new Map<string, Visitor>();
  const idsOf = new Map<string, string[]>();
  for (const visitor of visitors) {
    if (visitorEndMs(visitor) <= nowMs) continue;
    known.set(visitor.id, visitor);
    for (const slug of visitor.services) {
      const ids = idsOf.get(slug);
      if (ids === undefined) idsOf.set(slug, [visitor.id]);
      else ids.push(visitor.id);
    }
  }
  const changes = verdicts.changes.map((one) => ({
    ...one,
    id: `${one.slug}.${toUnixSeconds(one.atMs)}.${one.code}`,
  }));
  const updatedMs = history.updatedAtMs ?? 0;
  return {
    ...newsOfServices({ next, changes, updatedMs, codeOf: (slug) => codes.get(slug) }, nowMs),
    channelsFor: ({ subject }) => idsOf.get(subject) ?? [],
    subjectsOf: (id) => known.get(id)?.services.length,
    send: sendBy(known, (visitor, message) => sendToVisitor(visitor, message, deps)),
  };
}

/**
 * Sends a message to the browser of a visitor. What its visitor does not follow any more is left out, and a message without anything else
 * counts as delivered. Never rejects.
 */
async function sendToVisitor(
  visitor: Visitor,
  message: Message,
  deps: VisitorSendDependencies,
): Promise<SendResult> {
  const { language, services } = visitor;
  const notices = message.notices.filter(({ subject }) => services.includes(subject));
  if (notices.length === 0) return { kind: "delivered" };
  const context = {
    baseUrl: deps.baseUrl,
    language,
    nameOf: (slug: string) => deps.nameOf(slug, language),
  };
  return sendPush(visitor, toVisitorNotice({ ...message, notices }, context), deps.keys, deps);
}

/** What a browser shows. A later notice about the same service, or about several, replaces the earlier one. */
function toVisitorNotice(message: Message, context: RenderContext): PushNotice {
  const { text, url } = renderMessage(message, context, MAX_CHARACTERS);
  const [first] = message.notices;
  const tag =
    message.kind === "digest" || first === undefined ? "services" : `service.${first.subject}`;
  return { title: text.title, body: text.lines.join("\n"), tag, url };
}
