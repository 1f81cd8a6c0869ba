import type { Color } from "../../../contract/codes/verdict.ts";
import type { Html } from "../../html.ts";
import type { SiteAddress } from "../../view.ts";
import type { Language } from "../../words/language.ts";
import { formatMachine, formatMoment, MOSCOW } from "../../words/time.ts";

/**
 * A status light, next to its label. It takes colour and shape (a disc with a check mark, a triangle, a square with a cross, a
 * ring) from the nearest ancestor with `data-color` or `data-light`, so a script changes it with one attribute.
 */
export function Light(): Html {
  return <i class="light" aria-hidden="true"></i>;
}

interface LabelledLightProps {
  readonly color: Color;
  readonly children: string;
}

/** A light with its label. */
export function LabelledLight({ color, children }: LabelledLightProps): Html {
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

/** The mark of a current outage or spike. Always in the page, so that the script can show it. */
export function Live({ isLive, children }: LiveProps): Html {
  return (
    <span class="live" hidden={!isLive}>
      {children}
    </span>
  );
}

/** How long ago the moment before it was, which the script writes. */
export function Age(): Html {
  return <span class="age"></span>;
}

interface MomentProps {
  readonly atMs: number;
  readonly language: Language;
  readonly address: SiteAddress;
  readonly class?: string;
}

/** A time in Moscow time, which the script gives in the visitor's. */
export function Moment({ atMs, language, address, class: className }: MomentProps): Html {
  return (
    <time class={className} datetime={formatMachine(atMs)}>
      {formatMoment(atMs, language, address.year)} {MOSCOW[language]}
    </time>
  );
}
