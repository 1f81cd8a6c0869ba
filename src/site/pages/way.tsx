import type { Html } from "../html.ts";
import type { Language } from "../language.ts";
import type { SiteView } from "../view.ts";
import { CONNECTIVITY_WORDS } from "../words/connectivity.ts";

/** What the checks themselves suffer from; nothing while they do not. */
export function WayNote({
  view,
  language,
}: {
  readonly view: SiteView;
  readonly language: Language;
}): Html {
  return view.way === null ? (
    <></>
  ) : (
    <p class="way-note">{CONNECTIVITY_WORDS[language][view.way]}</p>
  );
}
