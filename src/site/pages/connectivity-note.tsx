import type { Html } from "../html.ts";
import type { Language } from "../words/language.ts";
import type { SiteView } from "../view.ts";
import { CONNECTIVITY_WORDS } from "../words/connectivity.ts";

/** A connectivity issue of the runner that affects the checks; nothing without one. */
export function ConnectivityNote({
  view,
  language,
}: {
  readonly view: SiteView;
  readonly language: Language;
}): Html {
  const { connectivityIssue } = view;
  return connectivityIssue === null ? (
    <></>
  ) : (
    <p class="way-note">{CONNECTIVITY_WORDS[language][connectivityIssue]}</p>
  );
}
