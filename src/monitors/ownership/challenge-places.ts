import { isAddress } from "../../model/host-name.ts";

/** Where the proof of a monitor is looked for, and what has to be there. */
export interface ChallengePlaces {
  readonly file: { readonly url: string; readonly content: string };
  /** Undefined for an address, which has no DNS of its own. */
  readonly dns?: { readonly name: string; readonly type: "TXT"; readonly value: string };
  /** Without a URL for a stranger. */
  readonly meta: { readonly url?: string; readonly tag: string };
}

export const META_NAME = "status-snapshot";

/** Of the TXT record, before the host. */
const TXT_NAME = "_status-snapshot-challenge";

/** Where to look for the proof of the monitor with this id and URL. */
export function placesOf(
  id: string,
  pageUrl: string,
): { readonly dns?: string; readonly file: string; readonly meta: string } {
  const { origin, hostname } = new URL(pageUrl);
  return {
    ...(isAddress(hostname) ? {} : { dns: `${TXT_NAME}.${hostname}` }),
    file: `${origin}/.well-known/status-snapshot/${id}.txt`,
    meta: pageUrl,
  };
}

/** What an owner has to publish, for people to copy. */
export function challengePlaces(id: string, pageUrl: string, token: string): ChallengePlaces {
  const { file, dns, meta } = placesOf(id, pageUrl);
  return {
    file: { url: file, content: token },
    ...(dns === undefined ? {} : { dns: { name: dns, type: "TXT", value: token } }),
    meta: { url: meta, tag: `<meta name="${META_NAME}" content="${token}">` },
  };
}

/** The same for a client that knows no more than the id of a monitor that is not public: where on the site, not on which. */
export function placesWithoutSite(id: string, token: string): ChallengePlaces {
  const { file, meta } = challengePlaces(id, "https://site.invalid/", token);
  return {
    file: { ...file, url: new URL(file.url).pathname },
    dns: { name: TXT_NAME, type: "TXT", value: token },
    meta: { tag: meta.tag },
  };
}

/** The TXT record in which a domain refuses to be monitored, of a host and of its registrable domain. */
export function denialNameOf(host: string): string {
  return `_status-snapshot.${host}`;
}
