import { SECOND_MS } from "../../model/time.ts";
import type { Language } from "../../contract/codes/language.ts";
import type { Letter, SendDependencies, TestDependencies } from "../channels/kind.ts";
import { actionsOf } from "../channels/kinds.ts";
import type { SendResult } from "../rules/change.ts";
import type { ServiceChannel } from "./parse-channels.ts";
import {
  type ChannelMessage,
  type RenderContext,
  renderHtml,
  renderMessage,
  toPayload,
  toPlain,
} from "./render-message.ts";

/** Source: https://core.telegram.org/bots/faq, "My bot is hitting limits"; MAX allows two. */
const BETWEEN_MESSAGES_MS = SECOND_MS;

/** A channel with its secret, which is "" if it needs none. */
export interface OpenChannel {
  readonly channel: ServiceChannel;
  readonly secret: string;
}

interface ChannelDependencies
  extends SendDependencies, Pick<RenderContext, "baseUrl" | "changeOf"> {
  readonly nameOf: (slug: string, language: Language) => string;
  readonly sleep: (ms: number) => Promise<void>;
}

/**
 * Sends messages to channels of the operator, with a second between two to one chat. Never rejects, and no receiver is ever gone. Failures
 * are told without the secrets of all channels.
 */
export function createSender(secrets: readonly string[], deps: () => ChannelDependencies) {
  const freeAtMs = new Map<string, number>();
  return async ({ channel, secret }: OpenChannel, message: ChannelMessage): Promise<SendResult> => {
    const known = deps();
    const { chatOf, send } = actionsOf(channel);
    const place = chatOf?.(channel) ?? channel.id;
    const nowMs = known.wallMs();
    const turnMs = Math.max(nowMs, freeAtMs.get(place) ?? 0);
    freeAtMs.set(place, turnMs + BETWEEN_MESSAGES_MS);
    if (turnMs > nowMs) await known.sleep(turnMs - nowMs);
    const result = await send(channel, secret, toLetter(channel, message, known), known);
    if (result.kind === "delivered") return result;
    // The operator has named it, so the operator is told, and it is tried again.
    if (result.kind === "gone") return { kind: "failed", reason: "status 410" };
    return { ...result, reason: hide(result.reason, secrets) };
  };
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (left, secret) => (secret === "" ? left : left.replaceAll(secret, "…")),
    text,
  );
}

/** What is wrong with a channel, found without sending anything to people; undefined: nothing was found. Never rejects. */
export async function testChannel(
  { channel, secret }: OpenChannel,
  deps: TestDependencies,
): Promise<string | undefined> {
  const fault = await actionsOf(channel).test(channel, secret, deps);
  return fault === undefined ? undefined : hide(fault, [secret]);
}

function toLetter(
  { language }: ServiceChannel,
  message: ChannelMessage,
  { baseUrl, nameOf, changeOf }: ChannelDependencies,
): Letter {
  const nameIt = (slug: string): string => nameOf(slug, language);
  const context: RenderContext = { baseUrl, language, nameOf: nameIt, changeOf };
  const edits = message.kind === "test" ? undefined : message.edits;
  return {
    id: message.id,
    language,
    ...(edits === undefined ? {} : { edits }),
    html: (maxCharacters) => renderHtml(message, context, maxCharacters),
    plain: (maxCharacters) => toPlain(renderMessage(message, context, maxCharacters)),
    payload: toPayload(message, context),
  };
}
