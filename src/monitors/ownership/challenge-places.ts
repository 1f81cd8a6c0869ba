import { isAddress } from "../../model/host-name.ts";

export const META_NAME = "status-snapshot";

/** Of the TXT record, before the host. */
const TXT_NAME = "_status-snapshot-challenge";

/** Where to look for the proof of the monitor with this id and URL: not in DNS for an address, which has none of its own. */
export function placesOf(id: string, pageUrl: string) {
  const { origin, hostname } = new URL(pageUrl);
  return {
    ...(isAddress(hostname) ? {} : { dns: `${TXT_NAME}.${hostname}` }),
    file: `${origin}/.well-known/status-snapshot/${id}.txt`,
    meta: pageUrl,
  };
}

/** What an owner has to publish, for people to copy. */
export function challengePlaces(id: string, pageUrl: string, token: string) {
  const { file, dns, meta } = placesOf(id, pageUrl);
  return {
    file: { url: file, content: token },
    ...(dns === undefined ? {} : { dns: { name: dns, type: "TXT", value: token } }),
    meta: { url: meta, tag: `<meta name="${META_NAME}" content="${token}">` },
  };
}

/** The same for a client that knows no more than the id of a monitor that is not public: where on the site, not on which. */
export function placesWithoutSite(id: string, token: string) {
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
