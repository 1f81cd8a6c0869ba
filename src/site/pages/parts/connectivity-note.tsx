import type { Html } from "../../html.ts";
import type { Language } from "../../words/language.ts";
import type { SiteView } from "../../view.ts";
import { WHITE_LIST_WORDS } from "../../words/scope.ts";
import { CONNECTIVITY_WORDS, SLOW_NETWORK_WORDS } from "../../words/connectivity.ts";
import { nameService } from "../../words/service-name.ts";

/** What affects the checks: an issue of the runner's own network, and mobile networks with a white list; nothing without them. */
export function ConnectivityNote({
  view,
  language,
}: {
  readonly view: SiteView;
  readonly language: Language;
}): Html {
  const { connectivityIssue, whiteLists } = view;
  return (
    <>
      {connectivityIssue !== null && (
        <p class="way-note">{CONNECTIVITY_WORDS[language][connectivityIssue]}</p>
      )}
      {whiteLists.length > 0 && (
        <p class="way-note">{WHITE_LIST_WORDS[language](whiteLists.join("; "))}</p>
      )}
    </>
  );
}

/** Services that are slow together, told once for each network. */
export function SlowNetworks({
  networks,
  language,
}: {
  readonly networks: SiteView["slowNetworks"];
  readonly language: Language;
}): Html {
  return (
    <>
      {networks.map(({ network, services }) => (
        <p class="way-note">
          {SLOW_NETWORK_WORDS[language](
            network,
            services.map((service) => nameService(service, language)),
          )}
        </p>
      ))}
    </>
  );
}
