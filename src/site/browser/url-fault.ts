import { MAX_URL_CHARACTERS } from "../../model/host-name.ts";
import type { UrlFault } from "../words/owner-problem.ts";

/** Names of hosts inside a network. Source: RFC 6761, RFC 6762, RFC 8375. */
const INNER_NAME = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/;

/** Addresses inside a network or of this machine. The service knows all of them; here they only get their words. */
const INNER_ADDRESS =
  /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^\[(?:::|f[cde])/;

/** The one thing that is wrong with an address that the service has refused, by its text. Pure. */
export function urlFaultOf(written: string): UrlFault {
  const text = written.trim();
  if (text.length > MAX_URL_CHARACTERS) return "too-long";
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "no-scheme";
  if (!/^https?:/i.test(text)) return "other-scheme";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "malformed";
  }
  const { username, password, hostname, port } = url;
  if (username !== "" || password !== "") return "credentials";
  const isName = hostname.includes(".") || hostname.startsWith("[");
  if (!isName || INNER_NAME.test(hostname) || INNER_ADDRESS.test(hostname)) return "inner";
  return port === "" ? "refused" : "port";
}
