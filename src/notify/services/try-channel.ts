import { type AskDependencies, faultInWay } from "../channels/ask.ts";
import { faultInProgram } from "../channels/exec.ts";
import { tryMax } from "../channels/max.ts";
import { tryTelegram } from "../channels/telegram.ts";
import type { OpenChannel } from "./channel.ts";
import { hide } from "./send-to-channel.ts";

export interface TryDependencies extends AskDependencies {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What is wrong with a channel, found without sending anything to people; undefined if nothing was found: Telegram and MAX are asked for the bot and the
 * chat, a webhook is connected to, a program is looked for. Never rejects.
 */
export async function tryChannel(
  { channel, secret }: OpenChannel,
  deps: TryDependencies,
): Promise<string | undefined> {
  const fault = await faultIn({ channel, secret }, deps);
  return fault === undefined ? undefined : hide(fault, [secret]);
}

function faultIn(
  { channel, secret }: OpenChannel,
  deps: TryDependencies,
): Promise<string | undefined> {
  switch (channel.kind) {
    case "telegram":
      return tryTelegram({ ...channel, token: secret }, deps);
    case "max":
      return tryMax({ ...channel, token: secret }, deps);
    case "webhook":
      return faultInWay(new URL(channel.url), deps);
    case "exec":
      return faultInProgram(channel.command[0], deps.env["PATH"] ?? "");
  }
}
