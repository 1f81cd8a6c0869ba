import type { Visitor } from "../../model/monitor/visitor.ts";
import type { PostDependencies } from "../channels/post.ts";
import { type PushKeys, type PushNotice, sendPush } from "../channels/push.ts";
import type { Message, SendResult } from "../rules/change.ts";
import { type RenderContext, renderMessage } from "../services/render-message.ts";

/** A notice shows a few lines; the encrypted message has at most 4,096 bytes (RFC 8030, section 7.2), and a letter at most 4. */
const MAX_CHARACTERS = 300;

/** What notices about services are made with. */
export interface VisitorSendDependencies extends Omit<PostDependencies, "goneStatuses"> {
  readonly keys: PushKeys;
  /** Of the website, without a slash at its end; "": it is not known. */
  readonly baseUrl: string;
  /** The name of a service in a language. */
  readonly nameOf: (slug: string, language: Visitor["language"]) => string;
}

/**
 * Sends a message to the browser of a visitor. What its visitor does not follow any more is left out, and a message without anything else
 * counts as delivered. Never rejects.
 */
export async function sendToVisitor(
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
export function toVisitorNotice(message: Message, context: RenderContext): PushNotice {
  const { text, url } = renderMessage(message, context, MAX_CHARACTERS);
  const [first] = message.notices;
  const tag =
    message.kind === "digest" || first === undefined ? "services" : `service.${first.subject}`;
  return { title: text.title, body: text.lines.join("\n"), tag, url };
}
