import type { Publication } from "./model/publication.ts";
import type { State } from "./model/state.ts";
import type { SiteAddress } from "./site/view.ts";

/** Where `serve` answers unless it is told otherwise. */
export const PREVIEW_URL = "http://127.0.0.1:8080";

/** Where the website of a generation is served. */
export type SitePlace =
  /** Given, or remembered by the state; of a directory also the preview. */
  | { readonly kind: "known"; readonly baseUrl: string }
  /** Nothing says it, but pages that name this address are published already: they go on, for a page that stands still lies. */
  | { readonly kind: "assumed"; readonly baseUrl: string }
  /** Nothing says it, so there is no website. */
  | { readonly kind: "nowhere" };

/** What the place of a website follows from, beside the state. */
export interface PlaceSources {
  /** Given now: it goes before what the state remembers. */
  readonly baseUrl?: string | undefined;
  /** Strangers read the store, so no address may be made up for its pages. */
  readonly needsAddress: boolean;
  /** Identity of the public store. */
  readonly store: string;
}

/** Where the website is served, as far as the state and the settings say. Pure. Source: docs/website.md, "The address". */
export function placeSite(
  { baseUrl, publication }: Pick<State, "baseUrl" | "publication">,
  sources: PlaceSources,
): SitePlace {
  const said = sources.baseUrl ?? baseUrl;
  if (said !== null) return { kind: "known", baseUrl: said };
  if (!sources.needsAddress) return { kind: "known", baseUrl: PREVIEW_URL };
  return hasWebsite(publication, sources.store)
    ? { kind: "assumed", baseUrl: PREVIEW_URL }
    : { kind: "nowhere" };
}

/** Whether pages are published in this very store, as far as the state knows. One of an older version does not say which store it knew. */
function hasWebsite({ store, objects }: Publication, identity: string): boolean {
  if (store !== identity && store !== "") return false;
  return [...objects].some(([key, { digest }]) => digest !== null && isOfWebsite(key));
}

/** Whether an object belongs to the website: every one does that is not the API's. */
export function isOfWebsite(key: string): boolean {
  return !key.startsWith("api/");
}

/** An address as pages need it; undefined where there is no website. */
export function toSiteAddress(place: SitePlace): SiteAddress | undefined {
  if (place.kind === "nowhere") return undefined;
  const { origin, pathname } = new URL(place.baseUrl);
  return { origin, root: pathname.replace(/\/+$/u, "") };
}
