import type { Language } from "../../site/words/language.ts";

/** Where a secret is kept; it is never written into the file itself. */
export type SecretPlace = { readonly env: string } | { readonly file: string };

/** A channel of the operator, as channels.yaml has it. */
export type ServiceChannel = {
  readonly id: string;
  readonly language: Language;
  /** Only these services; undefined: all. Those of chosen categories are among them. */
  readonly slugs: ReadonlySet<string> | undefined;
} & (
  | {
      readonly kind: "telegram" | "max";
      readonly chat: string;
      readonly token: SecretPlace;
      /** Without a slash at its end. */
      readonly base: string;
    }
  | { readonly kind: "webhook"; readonly url: string; readonly secret: SecretPlace }
  | { readonly kind: "exec"; readonly command: readonly [string, ...string[]] }
);

/** A channel with its secret, which is "" if it needs none. */
export interface OpenChannel {
  readonly channel: ServiceChannel;
  readonly secret: string;
}

/** The place of a channel's secret; undefined if it needs none. */
export function secretOf(channel: ServiceChannel): SecretPlace | undefined {
  if (channel.kind === "exec") return undefined;
  return channel.kind === "webhook" ? channel.secret : channel.token;
}
