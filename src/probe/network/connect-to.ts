import { isIPv4, isIPv6 } from "node:net";
import { domainToASCII } from "node:url";
import { withoutBrackets } from "../../model/host-name.ts";

/** The address and port to connect to instead. An absent part is not changed. */
interface Target {
  readonly address?: string;
  readonly port?: number;
}

export interface ConnectToRules {
  /** By `host:port`; an empty part matches any. Each key keeps its first rule, with its position: four look-ups find the first match. */
  readonly byKey: ReadonlyMap<string, { readonly place: number; readonly target: Target }>;
}

/** `HOST:PORT:ADDR:PORT`, each part possibly empty, an IPv6 address in square brackets. */
const FORM =
  "needs the form HOST:PORT:ADDR:PORT, with IPv6 addresses in square brackets; a file of rules is @FILE";
const RULE =
  /^(?<host>\[[^\]]*\]|[^:[\]]*):(?<port>[^:]*):(?<address>\[[^\]]*\]|[^:[\]]*):(?<toPort>[^:]*)$/;

/** Lower case, ASCII form of an international name, shortest form of an IPv6 literal, no trailing dot; "" if not a host. */
function normalizeRuleHost(host: string): string {
  const inner = withoutBrackets(host);
  const ascii = inner === host ? domainToASCII(host) : isIPv6(inner) ? normalizeV6(inner) : "";
  return ascii.replace(/\.$/, "");
}

function normalizeV6(address: string): string {
  const url = `http://[${address}]/`;
  return URL.canParse(url) ? withoutBrackets(new URL(url).hostname) : "";
}

function parsePort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function parseAddress(text: string): string | undefined {
  const inner = withoutBrackets(text);
  return (inner === text ? isIPv4(text) : isIPv6(inner)) ? inner : undefined;
}

/** With problems, the key and the target mean nothing. */
function parseRule(text: string) {
  const parts = RULE.exec(text)?.groups;
  const problems: string[] = parts === undefined ? [FORM] : [];
  const { host = "", port = "", address = "", toPort = "" } = parts ?? {};
  const name = normalizeRuleHost(host);
  if (host !== "" && name === "") problems.push(`the host "${host}" is not a host name`);
  for (const given of [port, toPort]) {
    if (given !== "" && parsePort(given) === undefined) {
      problems.push(`the port "${given}" is not a number from 1 to 65535`);
    }
  }
  const to = parseAddress(address);
  if (address !== "" && to === undefined) {
    problems.push(`"${address}" is not an IP address; names are not looked up here`);
  }
  const newPort = parsePort(toPort);
  const target: Target = { ...(to && { address: to }), ...(newPort && { port: newPort }) };
  return { key: `${name}:${parsePort(port) ?? ""}`, target, problems };
}

/**
 * Parses rules `HOST:PORT:ADDR:PORT` with the meaning of curl's `--connect-to`: an empty HOST or first PORT matches any, an empty ADDR or
 * second PORT changes nothing. Unlike in curl, ADDR is an IP literal, because a name would need a lookup. Skips blank lines and lines that
 * start with `#`. Reports every problem with its rule. Never throws.
 */
export function parseConnectTo(lines: readonly string[]) {
  const byKey = new Map<string, { place: number; target: Target }>();
  const problems: string[] = [];
  for (const [place, line] of lines.entries()) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    const rule = parseRule(text);
    problems.push(...rule.problems.map((problem) => `${JSON.stringify(text)}: ${problem}`));
    if (!byKey.has(rule.key)) byKey.set(rule.key, { place, target: rule.target });
  }
  if (problems.length > 0) return { kind: "invalid", problems } as const;
  const rules: ConnectToRules = { byKey };
  return { kind: "ok", rules } as const;
}

/** The target of the first rule for this host (as in `URL.hostname`) and port. Without `address`, the host is looked up as usual. */
export function findConnectTo(
  rules: ConnectToRules,
  host: string,
  port: number,
): { readonly address?: string; readonly port: number } | undefined {
  const name = nameOf(host);
  const matches = [`${name}:${port}`, `${name}:`, `:${port}`, ":"].flatMap(
    (key) => rules.byKey.get(key) ?? [],
  );
  const [first] = matches.toSorted((a, b) => a.place - b.place);
  return first && { port, ...first.target };
}

/** The port of a URL, also where it is left out. */
export function portOf(url: URL): number {
  return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}

/** The port to connect to for a URL, by the rules. */
export function portFor(rules: ConnectToRules, url: URL): number {
  return findConnectTo(rules, url.hostname, portOf(url))?.port ?? portOf(url);
}

function nameOf(host: string): string {
  return withoutBrackets(host).toLowerCase().replace(/\.$/, "");
}

/** The rules with one more, before all others: the host of this URL is at this address. A port that they give it stays. */
export function withAddress(rules: ConnectToRules, url: URL, address: string): ConnectToRules {
  const target = { address, port: portFor(rules, url) };
  const key = `${nameOf(url.hostname)}:${portOf(url)}`;
  return { byKey: new Map(rules.byKey).set(key, { place: -1, target }) };
}
