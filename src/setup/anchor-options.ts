import type { Anchor } from "../model/service/catalogue.ts";
import { readUrl } from "../yaml/validators.ts";
import type { Parsed } from "./parse-options.ts";

/** Of different owners, all over the world, and small. Source: docs/services/vantages.md, "Anchors". */
export const DEFAULT_ANCHORS = [
  "https://www.gstatic.com/generate_204",
  "https://www.cloudflare.com/cdn-cgi/trace",
  "https://www.debian.org/",
  "https://www.iana.org/robots.txt",
  "https://ru.wikipedia.org/robots.txt",
  "https://ethz.ch/robots.txt",
] as const;

/** Hosts that tell whether a machine is online. Each counts as a network of its own. */
export function readAnchors(option: string, urls: readonly string[]): Parsed<readonly Anchor[]> {
  const anchors: Anchor[] = [];
  for (const url of urls) {
    const read = readUrl(url);
    if ("fault" in read) return { problem: `${option} ${url}: ${read.fault}` };
    anchors.push({ url: read.href, scope: "domestic", network: new URL(read.href).hostname });
  }
  return { value: anchors };
}
