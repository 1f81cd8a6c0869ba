import { isIP } from "node:net";
import { readProxies } from "../../http-server/client-address.ts";
import type { Anchor } from "../../model/service/catalogue.ts";
import { createGuard } from "../../probe/network/address-guard.ts";
import { parseLocation } from "../../store/location.ts";
import { readUrl } from "../../yaml/validators.ts";
import { matching, readAs, type Text, without } from "./texts.ts";

/* The kinds of texts that name hosts, addresses, ports and URLs. */

function readPort(text: string, least: number): number | undefined {
  const value = Number(text);
  return /^\d{1,5}$/u.test(text) && value >= least && value <= 65_535 ? value : undefined;
}

/** A TCP port, or 0 for any that is free. */
export const PORT: Text<number> = readAs(
  (text) => readPort(text, 0),
  "give a port number up to 65535, 0 for any that is free.",
);

/** A port that a monitor may name. */
export const TARGET_PORT: Text<number> = readAs(
  (text) => readPort(text, 1),
  "give a port number from 1 to 65535.",
);

/** A host name in ASCII. Source: RFC 1123, section 2.1; names with underscores are in use as well. */
const HOST_NAME = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/iu;
const MAX_HOST_NAME_LENGTH = 253;

/** Address or name of an interface to listen on. Empty text is refused, because Node would listen on every address. */
export const HOST: Text<string> = matching(
  (text) => isIP(text) !== 0 || (HOST_NAME.test(text) && text.length <= MAX_HOST_NAME_LENGTH),
  "give an address such as 127.0.0.1 or ::1, or a host name, without a scheme, a port or brackets.",
);

export interface DnsServer {
  /** In the format of c-ares: `ADDR`, `ADDR:PORT`, `[ADDR6]:PORT`. */
  readonly server: string;
  readonly isTcp: boolean;
}

const ADDRESS_AND_PORT =
  /^(?:\[(?<bracketed>[^\]]+)\](?::(?<port6>\d{1,5}))?|(?<plain>[^:]+)(?::(?<port4>\d{1,5}))?)$/u;

/** `ADDR[:PORT]`, IPv6 with a port in brackets; the prefix `tcp://` queries over TCP, which fewer middleboxes forge. */
export const RESOLVER: Text<DnsServer> = readAs((text) => {
  const isTcp = text.startsWith("tcp://");
  const server = isTcp ? text.slice("tcp://".length) : text;
  const { bracketed, plain, port6, port4 } = ADDRESS_AND_PORT.exec(server)?.groups ?? {};
  const address = isIP(server) === 0 ? (bracketed ?? plain ?? "") : server;
  const port = readPort(port6 ?? port4 ?? "53", 1);
  return isIP(address) !== 0 && port !== undefined ? { server, isTcp } : undefined;
}, "give the address of a resolver, ADDR[:PORT] or tcp://ADDR[:PORT].");

function readAnyUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function readHttpUrl(text: string): URL | undefined {
  const url = readAnyUrl(text);
  return url !== undefined && /^https?:$/u.test(url.protocol) ? url : undefined;
}

function hasCredentials(url: URL | undefined): boolean {
  return url !== undefined && `${url.username}${url.password}` !== "";
}

/** The URL of a website or an API, without credentials, query and fragment; undefined for other texts. */
export function readPlainUrl(text: string): URL | undefined {
  const url = readHttpUrl(text);
  return url !== undefined && `${url.search}${url.hash}` === "" && !hasCredentials(url)
    ? url
    : undefined;
}

/** A base URL without a slash at its end; undefined for other texts. */
function readBaseUrl(text: string): string | undefined {
  return readPlainUrl(text)?.href.replace(/\/+$/u, "");
}

/** URL under which the documents are served, without a slash at its end. */
export const BASE_URL: Text<string> = (text) =>
  // It is published in every page, so credentials would leak.
  hasCredentials(readAnyUrl(text))
    ? { problem: "give a URL without a user name and a password.", isBare: true }
    : readAs(readBaseUrl, "give a URL such as https://status.example.ru.")(text);

/** The address of a website, or of its log of changes. */
export const CHANGES_URL: Text<string> = (text) => {
  const problem =
    "give the address of the website, or of its changes/v1.json, such as https://status.example.";
  const url = readPlainUrl(text);
  return url === undefined ? { problem, isBare: true } : { value: url.href };
};

/** The path of a heartbeat may be a secret. */
export const HEARTBEAT_URL: Text<string> = (text) => {
  const url = readHttpUrl(text);
  const problem = "give a complete address that begins with https:// or http://.";
  if (url === undefined) return { problem, isBare: true };
  return hasCredentials(url)
    ? { problem: "user and password in the address are not sent. Leave them out.", isBare: true }
    : { value: url.href };
};

/** `on` is an empty URL: the website itself; `off` is null; otherwise the base URL of an intake. */
export const REPORTS: Text<string | null> = readAs((text) => {
  if (text === "on") return "";
  return text === "off" ? null : readBaseUrl(text);
}, "give on, off, or a URL such as https://reports.example.ru.");

/** The URL of a store; what is wrong with it is told with the URL. */
export const STORE_URL: Text<string> = without((url) => {
  const location = parseLocation(url);
  return location.kind === "unknown" ? location.problem : undefined;
}, true);

/** A listener between two machines could read the URLs of private monitors, and forge results. */
export const ENGINE_URL: Text<string> = without((text) => {
  const url = readAnyUrl(text);
  if (url === undefined || !["nats:", "tls:"].includes(url.protocol) || url.host === "")
    return "write it like tls://nats.example.ru:4222, on this machine nats://127.0.0.1:4222.";
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u.test(url.hostname);
  if (url.protocol === "nats:" && !isHere) return "to another machine only tls:// is used.";
  return hasCredentials(url)
    ? "give a password or a key as engineCredentials, not in the URL."
    : undefined;
});

/** A host that tells whether a machine is online. Each counts as a network of its own. */
export const ANCHOR: Text<Anchor> = (text) => {
  const read = readUrl(text);
  if ("fault" in read) return { problem: read.fault };
  const { href, hostname } = new URL(read.href);
  return { value: { url: href, scope: "domestic", network: hostname } };
};

export const RANGE: Text<string> = without((text) => {
  try {
    createGuard([text]);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    throw error;
  }
}, true);

/** The address of a proxy, or a range of them. */
export const PROXY: Text<string> = without((text) => {
  const read = readProxies([text]);
  return read.kind === "ok" ? undefined : read.message.slice(`${text}: `.length);
});

/** As in `Origin`. */
export const ORIGIN: Text<string> = matching(
  (text) => readAnyUrl(text)?.origin === text,
  "write an origin such as https://example.ru, without a path.",
);

/** Of different owners, all over the world, and small. Source: docs/services/vantages.md, "Anchors". */
export const DEFAULT_ANCHORS = [
  "https://www.gstatic.com/generate_204",
  "https://www.cloudflare.com/cdn-cgi/trace",
  "https://www.debian.org/",
  "https://www.iana.org/robots.txt",
  "https://ru.wikipedia.org/robots.txt",
  "https://ethz.ch/robots.txt",
];
