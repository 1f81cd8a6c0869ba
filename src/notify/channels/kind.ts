import * as z from "zod";
import { checkedText, strictMapping } from "../../yaml/check-shape.ts";
import { readUrl } from "../../yaml/validators.ts";
import type { SendResult } from "../rules/change.ts";
import type { AskDependencies } from "./ask.ts";

/** Where a secret is kept; it is never written into the file itself. */
export type SecretPlace = { readonly env: string } | { readonly file: string };

/** A message in each form that a kind of channel may want. */
export interface Letter {
  /** Equal for a repetition. */
  readonly id: string;
  readonly language: string;
  /** A message that stands in the channel and is to be changed, by the name that its delivery gave. */
  readonly edits?: string;
  /** With the few tags of HTML that Telegram and MAX know, in at most so many characters; `isSilent`: shown without a sound. */
  readonly html: (maxCharacters: number) => { readonly html: string; readonly isSilent: boolean };
  /** Without tags, with as many names as fit into so many characters. */
  readonly plain: (maxCharacters: number) => string;
  /** As docs/notify.md, "Webhooks", says. */
  readonly payload: object;
}

export interface TestDependencies extends AskDependencies {
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface SendDependencies extends TestDependencies {
  readonly killGroup: (pid: number) => void;
  readonly wallMs: () => number;
}

export interface ChannelActions<Settings> {
  /** Absent: it has none, and gets "". */
  readonly secret?: {
    readonly placeOf: (settings: Settings) => SecretPlace;
    /** What the secret has to be, if the given one is not. A secret that a request cannot carry is refused too. */
    readonly faultIn: (secret: string) => string | undefined;
  };
  /** Name of the chat, whose channels share its limit of one message a second. Absent: each channel has a limit of its own. */
  readonly chatOf?: (settings: Settings) => string;
  readonly mayEdit: boolean;
  /** Never rejects. */
  readonly send: (
    settings: Settings,
    secret: string,
    letter: Letter,
    deps: SendDependencies,
  ) => Promise<SendResult>;
  /** What is wrong with a channel, found without sending anything to people; undefined: nothing was found. Never rejects. */
  readonly test: (
    settings: Settings,
    secret: string,
    deps: TestDependencies,
  ) => Promise<string | undefined>;
  readonly found: string;
  readonly remedy: string;
}

/** All that is known of one kind of channel. */
export interface ChannelKind<Settings> extends ChannelActions<Settings> {
  /** Its own keys in channels.yaml. One that takes `undefined` may be left out. */
  readonly settings: { readonly [Key in keyof Settings]: z.ZodType<Settings[Key]> };
}

export const URL_TEXT: z.ZodType<string> = checkedText((written) => {
  const read = readUrl(written);
  return "fault" in read ? read.fault : undefined;
});

export const SECRET: z.ZodType<SecretPlace> = strictMapping({
  env: z.exactOptional(
    checkedText((written) =>
      /^[A-Za-z_]\w{0,127}$/u.test(written)
        ? undefined
        : "not the name of an environment variable; use letters, digits and underscores.",
    ),
  ),
  file: z.exactOptional(
    checkedText((written) => (written === "" ? "is empty; name a file." : undefined)),
  ),
})
  .refine(
    ({ env, file }) => (env === undefined) !== (file === undefined),
    "a secret is in one place; write { env: NAME } or { file: PATH }.",
  )
  .transform(({ env, file = "" }) => (env === undefined ? { file } : { env }));
