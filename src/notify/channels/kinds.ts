import { EXEC } from "./exec.ts";
import type { ChannelActions, ChannelKind } from "./kind.ts";
import { MAX } from "./max.ts";
import { TELEGRAM } from "./telegram.ts";
import { WEBHOOK } from "./webhook.ts";

/** The kinds of channels of the operator, by their name in channels.yaml. A new kind is its file and a row here. */
export const CHANNEL_KINDS = { telegram: TELEGRAM, max: MAX, webhook: WEBHOOK, exec: EXEC };

export type KindName = keyof typeof CHANNEL_KINDS;

export const KIND_NAMES = Object.keys(CHANNEL_KINDS) as readonly KindName[];

type SettingsOf<Kind> = Kind extends ChannelKind<infer One> ? One : never;

export type KindSettings = {
  readonly [Name in KindName]: { readonly kind: Name } & SettingsOf<(typeof CHANNEL_KINDS)[Name]>;
}[KindName];

/** What can be done with a channel; it must be given the settings of the same channel. */
export function actionsOf({ kind }: KindSettings): ChannelActions<KindSettings> {
  return CHANNEL_KINDS[kind] as ChannelActions<KindSettings>;
}
