import type { State } from "../model/state.ts";
import { type ObjectStore, StoreError } from "../model/store.ts";
import type { Check } from "./check.ts";
import { placeSite, type SitePlace } from "../pipeline/pages/site-address.ts";
import { loadState, StateError } from "../state/state-file.ts";
import { needsAddress } from "../setup/stores.ts";

const NAME = "website";
const CURE = "Give --base-url (STATUS_SNAPSHOT_BASE_URL), such as https://status.example.";

/**
 * The address that the next publish would write into pages, feeds and snippets.
 *
 * @param url of the public store.
 * @param given by `--base-url`.
 */
export async function checkWebsite(
  url: string,
  given: string | undefined,
  stores: { readonly publicStore: ObjectStore; readonly stateStore: ObjectStore },
): Promise<Check> {
  try {
    const { state } = await loadState(stores.stateStore);
    const sitePlace = placeSite(state, {
      baseUrl: given,
      needsAddress: needsAddress(url),
      store: stores.publicStore.identity,
    });
    return describePlace(sitePlace, given, state);
  } catch (error) {
    if (!(error instanceof StoreError) && !(error instanceof StateError)) throw error;
    if (given !== undefined) return { name: NAME, result: "ok", detail: `served at ${given}` };
    return { name: NAME, result: "warn", detail: `its address is unknown: ${error.message}` };
  }
}

function describePlace(place: SitePlace, given: string | undefined, { baseUrl }: State): Check {
  switch (place.kind) {
    case "known": {
      const isChange = given !== undefined && baseUrl !== null && given !== baseUrl;
      const from =
        given !== undefined
          ? ""
          : baseUrl !== null
            ? ", as stored in the state"
            : ", where `serve` answers";
      const before = isChange ? `, until now at ${baseUrl}` : "";
      return { name: NAME, result: "ok", detail: `served at ${place.baseUrl}${from}${before}` };
    }
    case "assumed": {
      const detail = `its pages name ${place.baseUrl}, because no address is given. ${CURE}`;
      return { name: NAME, result: "warn", detail };
    }
    case "nowhere": {
      const detail = `left out, because no address is given; the API is published without it. ${CURE}`;
      return { name: NAME, result: "warn", detail };
    }
  }
}
