import { isOfWebsite } from "../../model/publication.ts";
import type { SiteSettings } from "../../model/site-settings.ts";
import type { State } from "../../model/state.ts";
import type { ObjectStore } from "../../model/store.ts";
import type { SiteAddress } from "../../site/view.ts";

/** Where `serve` listens by default. */
export const PREVIEW_URL = "http://127.0.0.1:8080";

/** Where the website of a generation is served. */
export type SitePlace =
  /** From the settings or the state; for a directory, the preview if neither has it. */
  | { readonly kind: "known"; readonly baseUrl: string }
  /** No setting has it, but pages are already published: they are updated with this address, because outdated pages are wrong. */
  | { readonly kind: "assumed"; readonly baseUrl: string }
  /** No setting has it, so no website is made. */
  | { readonly kind: "nowhere" };

export interface PlaceSources {
  /** Where the website is served. Takes precedence over the state. */
  readonly baseUrl?: string | undefined;
  /** Others can read the public store, so its pages may not have an assumed address. Without a base URL no website is published. */
  readonly needsAddress?: boolean;
  readonly publicStore: Pick<ObjectStore, "identity">;
}

/** Where the website is served. Pure. Source: docs/website.md, "The address". */
export function placeSite(
  { baseUrl, publication }: Pick<State, "baseUrl" | "publication">,
  { baseUrl: given, needsAddress = false, publicStore }: PlaceSources,
): SitePlace {
  const known = given ?? baseUrl;
  if (known !== null) return { kind: "known", baseUrl: known };
  if (!needsAddress) return { kind: "known", baseUrl: PREVIEW_URL };
  const hasWebsite =
    publication.store === publicStore.identity &&
    [...publication.objects].some(([key, { digest }]) => digest !== null && isOfWebsite(key));
  return hasWebsite ? { kind: "assumed", baseUrl: PREVIEW_URL } : { kind: "nowhere" };
}

/** The address in the form that pages need; undefined without a website. `year`: as in `SiteAddress`. */
export function toSiteAddress(
  place: SitePlace,
  settings: SiteSettings,
  year?: number,
): SiteAddress | undefined {
  if (place.kind === "nowhere") return undefined;
  const { origin, pathname } = new URL(place.baseUrl);
  const root = pathname.replace(/\/+$/u, "");
  return { ...settings, origin, root, ...(year === undefined ? {} : { year }) };
}
