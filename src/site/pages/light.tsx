import type { Color } from "../../model/verdict.ts";
import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import { formatMachine, formatMoment, MOSCOW } from "../words/time.ts";

/**
 * A status light. It takes colour and shape (a disc with a check mark, a triangle, a square with a cross, a ring) from the nearest
 * element around it with `data-color` or `data-light`, so that a script changes it with one attribute. A word stands beside it.
 */
export function Light(): Html {
  return <i class="light" aria-hidden="true"></i>;
}

interface LitProps {
  readonly color: Color;
  readonly children: string;
}

/** A light of its own with its word. */
export function Lit({ color, children }: LitProps): Html {
  return (
    <span class="lit" data-light={color}>
      <Light />
      {children}
    </span>
  );
}

interface LiveProps {
  readonly isLive: boolean;
  readonly children: string;
}

/** The mark of what happens right now. It is always there, for the script to show. */
export function Live({ isLive, children }: LiveProps): Html {
  return (
    <span class="live" hidden={!isLive}>
      {children}
    </span>
  );
}

interface MomentProps {
  readonly atMs: number;
  readonly language: Language;
  readonly class?: string;
}

/** A moment in Moscow time. */
export function Moment({ atMs, language, class: className }: MomentProps): Html {
  return (
    <time class={className} datetime={formatMachine(atMs)}>
      {formatMoment(atMs, language)}
    </time>
  );
}

/** The name of Moscow's time, behind a moment. */
export function Zone({ language }: { readonly language: Language }): Html {
  return <span class="zone"> {MOSCOW[language]}</span>;
}
